//! What functions that are posted to share: a short JSON body, or the answer that refuses it.

use axum::response::Result;
use compat_functions::Invocation;
use http::Method;
use serde::de::DeserializeOwned;

use crate::Refusal;

/// The longest body that is read: what is asked takes a few hundred bytes, the answer to a challenge
/// among them.
const MAX_BODY: usize = 16 << 10;

/// Reads the body of a POST; `shape` tells the caller what it has to be.
///
/// # Errors
/// The answer to another method, a longer body, or one of another shape.
pub(crate) async fn posted<T: DeserializeOwned>(
    call: &mut Invocation,
    shape: &'static str,
) -> Result<T> {
    if call.method != Method::POST {
        return Err(Refusal::MethodNotAllowed("POST").into());
    }
    body_of(call, shape).await
}

/// Reads the body of a call by any method; `shape` tells the caller what it has to be.
///
/// # Errors
/// The answer to a longer body, or one of another shape.
pub(crate) async fn body_of<T: DeserializeOwned>(
    call: &mut Invocation,
    shape: &'static str,
) -> Result<T> {
    let body = call.whole(MAX_BODY).await?;
    Ok(serde_json::from_slice(&body).map_err(|_| Refusal::BadRequest(shape))?)
}
