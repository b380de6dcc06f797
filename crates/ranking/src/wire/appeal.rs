//! `POST functions/v1/appeal?decision=<uuid>&token=<hex>` with `{message}`: the appeal of somebody
//! who cannot sign in; `{outcome}` out, one of `filed`, `known`, `closed`.

use axum::response::{Response, Result};
use compat_functions::Invocation;
use http::{Method, StatusCode};
use serde::Deserialize;
use serde_json::json;
use uuid::Uuid;

use super::captcha_challenge::parameter;
use crate::flow::appeal::file;
use crate::{Refusal, State};

/// The longest appeal in characters, as in the database.
const MAX_MESSAGE: usize = 2000;
/// The longest request body: the longest appeal with every character escaped.
const MAX_BODY: usize = MAX_MESSAGE * 12 + 100;

#[derive(Deserialize)]
struct Body {
    message: String,
}

pub(crate) async fn answer(state: State, mut call: Invocation) -> Result<Response> {
    if call.method != Method::POST {
        return Err(Refusal::MethodNotAllowed("POST").into());
    }
    let decision = parameter(&call.query, "decision").and_then(|text| Uuid::try_parse(&text).ok());
    let decision = decision.ok_or(Refusal::BadRequest("decision must be a UUID"))?;
    let token = parameter(&call.query, "token").ok_or(Refusal::InvalidToken)?;
    let body = call.read_body(MAX_BODY).await?;
    let Body { message } = serde_json::from_slice(&body)
        .map_err(|_| Refusal::BadRequest("the body must be {\"message\": text}"))?;
    let message = message.trim();
    if message.is_empty() || message.contains('\0') || message.chars().count() > MAX_MESSAGE {
        return Err(Refusal::BadRequest("message must have 1 to 2000 characters").into());
    }
    let outcome = file(&state, decision, &token, message).await?;
    Ok(compat_http::json(StatusCode::OK, &json!({ "outcome": outcome })))
}
