//! `POST functions/v1/weekly-mail?owner=<uuid>&token=<hex>`: unsubscribes an owner from the weekly
//! mail; the token comes from one of those mails (RFC 8058); `{wanted}` out. The JSON body
//! `{"wanted": true}` subscribes again.

use axum::response::{Response, Result};
use compat_functions::Invocation;
use http::{Method, StatusCode};
use serde::Deserialize;
use serde_json::json;
use uuid::Uuid;

use super::captcha_challenge::parameter;
use crate::flow::digest::set_wanted;
use crate::{Refusal, State};

/// A mail program sends one short field.
const MAX_BODY: usize = 1 << 10;

#[derive(Deserialize)]
struct Body {
    wanted: bool,
}

pub(crate) async fn answer(state: State, mut call: Invocation) -> Result<Response> {
    if call.method != Method::POST {
        return Err(Refusal::MethodNotAllowed("POST").into());
    }
    let owner = parameter(&call.query, "owner").and_then(|text| Uuid::try_parse(&text).ok());
    let owner = owner.ok_or(Refusal::BadRequest("owner must be a UUID"))?;
    let token = parameter(&call.query, "token").ok_or(Refusal::InvalidToken)?;
    let body = call.read_body(MAX_BODY).await?;
    let wanted = serde_json::from_slice(&body).is_ok_and(|body: Body| body.wanted);
    set_wanted(&state, owner, &token, wanted).await?;
    Ok(compat_http::json(StatusCode::OK, &json!({ "wanted": wanted })))
}
