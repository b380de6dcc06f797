//! `POST functions/v1/check-payment`: `{sessionId}` in, `{state}` out, after a look at the provider
//! where the session may still be paid. For whoever came back from there with the session's id.

use axum::response::{IntoResponse, Response, Result};
use compat_functions::{BoxFuture, Function, Invocation};
use http::StatusCode;
use serde::Deserialize;
use serde_json::json;

use super::posted::posted;
use crate::State;
use crate::flow::look::look;

/// The named function.
pub(crate) struct CheckPayment(pub State);

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Body {
    session_id: String,
}

impl Function for CheckPayment {
    fn name(&self) -> &str {
        "check-payment"
    }

    /// People come back signed out, or in another browser.
    fn verify_jwt(&self) -> bool {
        false
    }

    fn call(&self, call: Invocation) -> BoxFuture<'_, Response> {
        Box::pin(async move { answer(&self.0, call).await.into_response() })
    }
}

async fn answer(state: &State, mut call: Invocation) -> Result<Response> {
    let body: Body = posted(&mut call, "The body must be JSON with sessionId").await?;
    let told = look(state, &body.session_id, call.client_ip).await?;
    Ok(compat_http::json(StatusCode::OK, &json!({ "state": told })))
}
