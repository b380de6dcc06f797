//! Runs a function so that its panics and delays do not harm the service around it.

use std::panic::AssertUnwindSafe;
use std::time::Duration;

use axum::response::Response;
use futures_util::FutureExt as _;
use http::HeaderValue;

use crate::error::SB_ERROR_CODE;
use crate::{CallRefusal, Function, Invocation};

/// Calls `function`, bounded in time until its answer begins, with panics caught.
///
/// # Errors
/// [`CallRefusal::IdleTimeout`] and [`CallRefusal::WorkerError`].
pub(crate) async fn invoke(
    function: &dyn Function,
    invocation: Invocation,
    limit: Duration,
) -> Result<Response, CallRefusal> {
    // The block defers `call` itself, so that a panic before the first await is caught as well.
    let run = AssertUnwindSafe(async { function.call(invocation).await }).catch_unwind();
    match tokio::time::timeout(limit, run).await {
        Ok(Ok(response)) => Ok(marked(response)),
        Ok(Err(_)) => {
            tracing::error!(function = function.name(), "function panicked");
            Err(CallRefusal::WorkerError)
        }
        Err(_) => {
            tracing::warn!(function = function.name(), "function timed out");
            Err(CallRefusal::IdleTimeout { seconds: limit.as_secs() })
        }
    }
}

/// Marks a 5xx answer as the function's own; its status and body stay.
fn marked(mut response: Response) -> Response {
    if response.status().is_server_error() && !response.headers().contains_key(SB_ERROR_CODE) {
        let mark = HeaderValue::from_static("EDGE_FUNCTION_ERROR");
        response.headers_mut().insert(SB_ERROR_CODE, mark);
    }
    response
}
