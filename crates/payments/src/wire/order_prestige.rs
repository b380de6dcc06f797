//! `POST functions/v1/create-prestige-payment`: `{serverId, days, language?, beginsAtOnce?}` in,
//! `{url, paymentId}` out, where `url` is the page on which to pay.

use axum::response::{Response, Result};
use compat_functions::{Invocation, posted};
use http::StatusCode;
use serde::Deserialize;
use serde_json::json;
use uuid::Uuid;

use super::buyer::{RequestLanguage, buyer};
use crate::flow::order::order_prestige;
use crate::model::order::PrestigeOrderRequest;
use crate::{Refusal, State};

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Body {
    server_id: Uuid,
    days: i32,
    #[serde(default)]
    language: RequestLanguage,
    #[serde(default)]
    begins_at_once: bool,
}

pub(crate) async fn answer(state: State, mut call: Invocation) -> Result<Response> {
    let shape = "The body must be JSON with serverId (a UUID) and days (a whole number)";
    let body: Body = posted::<_, Refusal>(&mut call, shape).await?;
    let buyer = buyer(&state, &call)?;
    let request = PrestigeOrderRequest {
        server: body.server_id,
        days: body.days,
        language: body.language.0,
        begins_at_once: body.begins_at_once,
    };
    let page = order_prestige(&state, &buyer, &request).await?;
    let answer = json!({ "url": page.url, "paymentId": page.payment });
    Ok(compat_http::json(StatusCode::OK, &answer))
}
