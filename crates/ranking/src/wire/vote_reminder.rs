//! `functions/v1/vote-reminder`.
//!
//! - `GET`: `{publicKey}` out, the key with which browsers subscribe.
//! - `POST`: `{subscription, serverId, language}` in, the subscription in the browsers' format
//!   (`PushSubscription.toJSON()`); `{remindAt}` out, in Unix seconds.
//! - `DELETE`: `{endpoint, serverId?}` in, `{ended}` out: the number of deleted reminders.

use axum::response::{Response, Result};
use base64::Engine as _;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use compat_functions::{Invocation, json_body};
use http::{Method, StatusCode};
use page_registry::Language;
use serde::Deserialize;
use serde_json::json;
use uuid::Uuid;

use super::account::account;
use crate::flow::remind;
use crate::model::reminder::Browser;
use crate::{Refusal, State};

/// The longest URL of a push service.
const LONGEST: usize = 1000;

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct ReminderRequest {
    subscription: Subscription,
    server_id: Uuid,
    language: String,
}

#[derive(Deserialize)]
struct Subscription {
    endpoint: String,
    keys: Keys,
}

#[derive(Deserialize)]
struct Keys {
    p256dh: String,
    auth: String,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct ReminderCancellation {
    endpoint: String,
    #[serde(default)]
    server_id: Option<Uuid>,
}

pub(crate) async fn answer(state: State, mut call: Invocation) -> Result<Response> {
    let body = match call.method {
        Method::GET => json!({ "publicKey": state.vapid().public() }),
        Method::POST => {
            let request: ReminderRequest = json_body::<_, Refusal>(&mut call, SHAPE).await?;
            let browser = browser(&request, account(&call)?)?;
            let due = remind::ask(&state, browser, request.server_id, call.client_ip).await?;
            json!({ "remindAt": due.timestamp() })
        }
        Method::DELETE => {
            let cancellation: ReminderCancellation =
                json_body::<_, Refusal>(&mut call, "The body must be JSON with endpoint").await?;
            let ip = call.client_ip;
            json!({ "ended": remind::end(&state, &cancellation.endpoint, cancellation.server_id, ip).await? })
        }
        _ => return Err(Refusal::MethodNotAllowed("GET, POST, DELETE").into()),
    };
    Ok(compat_http::json(StatusCode::OK, &body))
}

const SHAPE: &str = "The body must be JSON with subscription (endpoint, keys.p256dh, keys.auth), \
    serverId (a UUID) and language (fr, en or es)";

fn browser(request: &ReminderRequest, account: Option<Uuid>) -> Result<Browser, Refusal> {
    let Subscription { endpoint, keys } = &request.subscription;
    let shape = || Refusal::BadRequest(SHAPE);
    let octets = |text: &str| URL_SAFE_NO_PAD.decode(text.trim_end_matches('='));
    let is_address = endpoint.len() <= LONGEST
        && endpoint.parse().is_ok_and(|uri: http::Uri| {
            matches!(uri.scheme_str(), Some("https" | "http")) && uri.host().is_some()
        });
    if !is_address {
        return Err(shape());
    }
    Ok(Browser {
        endpoint: endpoint.clone(),
        p256dh: octets(&keys.p256dh).map_err(|_| shape())?,
        auth: octets(&keys.auth).map_err(|_| shape())?,
        language: Language::parse(&request.language).ok_or_else(shape)?,
        account,
    })
}
