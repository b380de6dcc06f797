//! `POST functions/v1/cleanup-pending-arcade-spots`: `{released}` out, the number of unpaid
//! reservations that were released. Older pages call it periodically; a job does the same.

use axum::response::{Response, Result};
use compat_functions::Invocation;
use http::{Method, StatusCode};
use serde_json::json;

use crate::jobs::EXPIRE_RESERVATIONS;
use crate::{Refusal, State};

pub(crate) async fn answer(state: State, call: Invocation) -> Result<Response> {
    if call.method != Method::POST {
        return Err(Refusal::MethodNotAllowed("POST").into());
    }
    state.count(|limits| &limits.status_checks, call.client_ip)?;
    let released = EXPIRE_RESERVATIONS.work(&state).await.map_err(Refusal::from)?;
    Ok(compat_http::json(StatusCode::OK, &json!({ "released": released })))
}
