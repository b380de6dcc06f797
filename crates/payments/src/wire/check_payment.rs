//! `POST functions/v1/check-payment`: `{sessionId}` in, `{state}` out. The provider is asked if the
//! session may still be paid. Called by the page to which the payer returns with the session's id.

use axum::response::{Response, Result};
use compat_functions::{Invocation, posted};
use http::StatusCode;
use serde::Deserialize;
use serde_json::json;

use crate::flow::check_status::check_status;
use crate::{Refusal, State};

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Body {
    session_id: String,
}

pub(crate) async fn answer(state: State, mut call: Invocation) -> Result<Response> {
    let body: Body =
        posted::<_, Refusal>(&mut call, "The body must be JSON with sessionId").await?;
    let payment_state = check_status(&state, &body.session_id, call.client_ip).await?;
    Ok(compat_http::json(StatusCode::OK, &json!({ "state": payment_state })))
}
