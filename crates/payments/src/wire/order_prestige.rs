//! `POST functions/v1/create-prestige-payment`: `{serverId, days, language?, beginsAtOnce?}` in,
//! `{url, paymentId}` out: where to pay.

use axum::response::{IntoResponse, Response, Result};
use compat_functions::{BoxFuture, Function, Invocation};
use http::StatusCode;
use serde::Deserialize;
use serde_json::json;
use uuid::Uuid;

use super::posted::{Told, buyer, posted};
use crate::State;
use crate::flow::order::order_prestige;
use crate::model::order::PrestigeWish;

/// The named function.
pub(crate) struct CreatePrestigePayment(pub State);

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Body {
    server_id: Uuid,
    days: i32,
    #[serde(default)]
    language: Told,
    #[serde(default)]
    begins_at_once: bool,
}

impl Function for CreatePrestigePayment {
    fn name(&self) -> &str {
        "create-prestige-payment"
    }

    /// Who is not signed in hears so in our words.
    fn verify_jwt(&self) -> bool {
        false
    }

    fn call(&self, call: Invocation) -> BoxFuture<'_, Response> {
        Box::pin(async move { answer(&self.0, call).await.into_response() })
    }
}

async fn answer(state: &State, mut call: Invocation) -> Result<Response> {
    let shape = "The body must be JSON with serverId (a UUID) and days (a whole number)";
    let body: Body = posted(&mut call, shape).await?;
    let buyer = buyer(state, &call)?;
    let wish = PrestigeWish {
        server: body.server_id,
        days: body.days,
        language: body.language.0,
        begins_at_once: body.begins_at_once,
    };
    let opened = order_prestige(state, &buyer, &wish).await?;
    let answer = json!({ "url": opened.url, "paymentId": opened.payment });
    Ok(compat_http::json(StatusCode::OK, &answer))
}
