//! `POST functions/v1/create-arcade-spot-payment`: `{position, startDate, endDate, imageUrl,
//! websiteUrl?, serverId?, language?, beginsAtOnce?}` in, days as `yyyy-mm-dd`; `{url, paymentId}`
//! out, where `url` is the page on which to pay. The days are reserved meanwhile. A picture of
//! another site is copied.

use axum::response::{Response, Result};
use chrono::NaiveDate;
use compat_functions::{Invocation, posted};
use http::StatusCode;
use serde::Deserialize;
use serde_json::json;
use uuid::Uuid;

use super::buyer::{RequestLanguage, buyer};
use crate::flow::order::order_arcade;
use crate::model::order::ArcadeOrderRequest;
use crate::{Refusal, State};

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Body {
    position: Option<i32>,
    start_date: Option<NaiveDate>,
    end_date: Option<NaiveDate>,
    image_url: Option<String>,
    website_url: Option<String>,
    server_id: Option<Uuid>,
    #[serde(default)]
    language: RequestLanguage,
    #[serde(default)]
    begins_at_once: bool,
}

pub(crate) async fn answer(state: State, mut call: Invocation) -> Result<Response> {
    let shape = "The body must be JSON with position, startDate and endDate (yyyy-mm-dd), imageUrl";
    let body: Body = posted::<_, Refusal>(&mut call, shape).await?;
    let buyer = buyer(&state, &call)?;
    let mut request = request(body)?;
    let page = order_arcade(&state, &buyer, &mut request).await?;
    let answer = json!({ "url": page.url, "paymentId": page.payment });
    Ok(compat_http::json(StatusCode::OK, &answer))
}

fn request(body: Body) -> Result<ArcadeOrderRequest, Refusal> {
    let is_filled = |text: &String| !text.trim().is_empty();
    Ok(ArcadeOrderRequest {
        position: body.position.ok_or(Refusal::PositionMissing)?,
        starts: body.start_date.ok_or(Refusal::DatesMissing)?,
        ends: body.end_date.ok_or(Refusal::DatesMissing)?,
        image_url: body.image_url.filter(is_filled).ok_or(Refusal::ImageMissing)?,
        website_url: body.website_url.filter(is_filled),
        server: body.server_id,
        language: body.language.0,
        begins_at_once: body.begins_at_once,
    })
}
