//! `POST functions/v1/votifier-test` and `POST functions/v1/webhook-test`: `{serverId}` in,
//! `{success, data: {isDelivered, isConfirmed, fault, status, answer}}` out, for the owner of the
//! server. `fault` is an error code, `status` the HTTP status of a webhook, `answer` the text of
//! the response.

use axum::response::{Response, Result};
use compat_functions::{Invocation, posted};
use http::StatusCode;
use serde::Deserialize;
use serde_json::{Value, json};
use uuid::Uuid;

use super::account::account;
use crate::flow::try_receiver::try_receiver;
use crate::model::delivery::{Attempt, Channel, DeliveryError};
use crate::{Refusal, State};

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Body {
    server_id: Uuid,
}

/// `votifier-test`.
pub(crate) async fn votifier(state: State, call: Invocation) -> Result<Response> {
    answer(&state, Channel::Votifier, call).await
}

/// `webhook-test`.
pub(crate) async fn webhook(state: State, call: Invocation) -> Result<Response> {
    answer(&state, Channel::Webhook, call).await
}

async fn answer(state: &State, channel: Channel, mut call: Invocation) -> Result<Response> {
    let body: Body =
        posted::<_, Refusal>(&mut call, "The body must be JSON with serverId (a UUID)").await?;
    account(&call)?.ok_or(Refusal::Unauthenticated)?;
    let caller = call.caller.as_ref().ok_or(Refusal::Unauthenticated)?;
    let attempt = try_receiver(state, body.server_id, channel, caller, call.client_ip).await?;
    Ok(compat_http::json(StatusCode::OK, &render(&attempt)))
}

fn render(attempt: &Attempt) -> Value {
    json!({
        "success": true,
        "data": {
            "isDelivered": attempt.outcome.is_ok(),
            "isConfirmed": attempt.outcome.unwrap_or(false),
            "fault": attempt.outcome.err().map(DeliveryError::code),
            "status": attempt.answer_status,
            "answer": attempt.answer,
        },
    })
}
