//! `POST /api/broadcast` and `POST /api/broadcast/{topic}/events/{event}`: broadcasts of whoever
//! has no socket.

use std::collections::BTreeMap;

use axum::body::Bytes;
use axum::extract::rejection::BytesRejection;
use axum::extract::{Path, Query, State as Extract};
use axum::response::{IntoResponse as _, Response};
use compat_http::{ClientIp, RateLimitStatus, client_prefix};
use http::{HeaderMap, HeaderName, HeaderValue, StatusCode, header};
use serde::Deserialize;
use serde_json::value::RawValue;
use serde_json::{Value, json};

use crate::error::RestRefusal;
use crate::flow::broadcast as flow;
use crate::hub::Broadcast;
use crate::protocol::{UserBroadcast, UserPayload};
use crate::session::{PolicyFacts, SocketToken};
use crate::state::State;
use crate::wire::socket::policy_facts;

#[derive(Debug, Deserialize)]
pub(crate) struct OneQuery {
    private: Option<String>,
}

/// A message of a batch.
struct BatchMessage {
    topic: String,
    event: String,
    payload: Box<RawValue>,
    is_private: bool,
    id: Option<String>,
}

/// Sends several messages, each to a topic. Those that the caller may not write are dropped.
pub(crate) async fn batch(
    Extract(state): Extract<State>,
    ClientIp(address): ClientIp,
    headers: HeaderMap,
    body: Result<Bytes, BytesRejection>,
) -> Response {
    let answer = async {
        let token = token_of(&state, &headers)?;
        let messages = read_batch(&body.map_err(|_| RestRefusal::BadBody)?)?;
        let most = state.config.max_payload();
        if messages.iter().any(|message| message.payload.get().len() > most) {
            return Err(RestRefusal::TooLarge);
        }
        if messages.len() > state.config.max_events_per_second as usize {
            return Err(RestRefusal::BatchTooLarge);
        }
        let status = count(&state, address, messages.len())?;
        let request = policy_facts(&headers, address);
        // A topic is asked for once, however many messages it gets.
        let mut known: BTreeMap<&str, bool> = BTreeMap::new();
        for message in &messages {
            let topic = message.topic.as_str();
            let is_allowed = match known.get(topic).copied() {
                _ if !message.is_private => true,
                Some(is_allowed) => is_allowed,
                None => {
                    let is_allowed = may(&state, topic, &token, &request).await?;
                    known.insert(topic, is_allowed);
                    is_allowed
                }
            };
            if is_allowed {
                flow::send(&state, topic, message.is_private, batch_broadcast(message));
            }
        }
        Ok(status)
    };
    accepted(answer.await)
}

/// Sends one message.
pub(crate) async fn one(
    Extract(state): Extract<State>,
    ClientIp(address): ClientIp,
    Path((topic, event)): Path<(String, String)>,
    Query(query): Query<OneQuery>,
    headers: HeaderMap,
    body: Result<Bytes, BytesRejection>,
) -> Response {
    let answer = async {
        let token = token_of(&state, &headers)?;
        let payload = read_one(&headers, body.map_err(|_| RestRefusal::TooLarge)?)?;
        if payload.len() > state.config.max_payload() {
            return Err(RestRefusal::TooLarge);
        }
        let status = count(&state, address, 1)?;
        let is_private = query.private.as_deref() == Some("true");
        let request = policy_facts(&headers, address);
        if is_private && !may(&state, &topic, &token, &request).await? {
            return Err(RestRefusal::Forbidden);
        }
        let (event, metadata) = (event.into(), "".into());
        let broadcast = Broadcast::User(UserBroadcast { event, metadata, payload });
        flow::send(&state, &topic, is_private, broadcast);
        Ok(status)
    };
    accepted(answer.await)
}

/// The bearer, unless it is an opaque key or none; else the key.
fn token_of(state: &State, headers: &HeaderMap) -> Result<SocketToken, RestRefusal> {
    let credentials = compat_http::credentials(headers);
    let token = state.environment.authenticator.deciding_token(credentials);
    let key = headers.get("x-api-key").and_then(|value| value.to_str().ok());
    let token = token.or(key).ok_or(RestRefusal::Unauthorized)?;
    SocketToken::verify(&state.environment, token).map_err(|_| RestRefusal::Unauthorized)
}

fn count(
    state: &State,
    address: std::net::IpAddr,
    messages: usize,
) -> Result<RateLimitStatus, RestRefusal> {
    let now = state.environment.clock.now();
    // A client of IPv6 has as many addresses as it likes.
    let client = client_prefix(address).addr();
    let spend = || state.rest_calls.spend(&client, now);
    let mut status = spend();
    for _ in 1..messages {
        status = spend();
    }
    match status.retry_after {
        Some(seconds) => Err(RestRefusal::TooMany(seconds)),
        None => Ok(status),
    }
}

async fn may(
    state: &State,
    topic: &str,
    token: &SocketToken,
    request: &PolicyFacts,
) -> Result<bool, RestRefusal> {
    flow::may_write(state, topic, token, request).await.map_err(|error| {
        tracing::warn!(%error, "rights to a channel not known");
        RestRefusal::Database
    })
}

fn accepted(answer: Result<RateLimitStatus, RestRefusal>) -> Response {
    let status = match answer {
        Ok(status) => status,
        Err(refusal) => return refusal.into_response(),
    };
    let mut response = StatusCode::ACCEPTED.into_response();
    let headers = response.headers_mut();
    for (name, value) in [
        ("x-rate-rolling", status.limit - status.left),
        ("x-rate-limit", status.limit),
        ("x-rate-limit-remaining", status.left),
    ] {
        headers.insert(HeaderName::from_static(name), HeaderValue::from(value));
    }
    response
}

fn batch_broadcast(message: &BatchMessage) -> Broadcast {
    let (event, payload) = (Value::from(message.event.as_str()), message.payload.get());
    let meta = match &message.id {
        Some(id) => format!(r#","meta":{}"#, json!({"id": id})),
        None => String::new(),
    };
    let text = format!(r#"{{"event":{event},"payload":{payload},"type":"broadcast"{meta}}}"#);
    Broadcast::Text(text.into())
}

/// Reads `{"messages": […]}`; tells of each message what is wrong with it.
fn read_batch(body: &[u8]) -> Result<Vec<BatchMessage>, RestRefusal> {
    #[derive(Deserialize)]
    struct Batch<'a> {
        #[serde(borrow)]
        messages: Option<&'a RawValue>,
    }
    let body: Batch<'_> = serde_json::from_slice(body).map_err(|_| RestRefusal::BadBody)?;
    let wrong =
        |problem: Value| RestRefusal::Fields(BTreeMap::from([("messages".into(), problem)]));
    let messages = body.messages.ok_or_else(|| wrong(json!(["can't be blank"])))?;
    let messages: Vec<BTreeMap<String, Box<RawValue>>> =
        serde_json::from_str(messages.get()).map_err(|_| wrong(json!(["is invalid"])))?;
    let read: Vec<Result<BatchMessage, Value>> = messages.into_iter().map(read_message).collect();
    if read.iter().any(Result::is_err) {
        let problems = read.into_iter().map(|one| one.err().unwrap_or_else(|| json!({})));
        return Err(wrong(problems.collect()));
    }
    Ok(read.into_iter().filter_map(Result::ok).collect())
}

fn read_message(mut fields: BTreeMap<String, Box<RawValue>>) -> Result<BatchMessage, Value> {
    let mut problems = serde_json::Map::new();
    let mut text = |name: &str| -> String {
        let raw = fields.get(name).map(|raw| raw.get());
        match raw.map(serde_json::from_str::<Option<String>>) {
            Some(Ok(Some(text))) if !text.is_empty() => return text,
            None | Some(Ok(_)) => problems.insert(name.to_owned(), json!(["can't be blank"])),
            Some(Err(_)) => problems.insert(name.to_owned(), json!(["is invalid"])),
        };
        String::new()
    };
    let (topic, event) = (text("topic"), text("event"));
    let payload = fields.remove("payload");
    if payload.is_none() {
        problems.insert("payload".to_owned(), json!(["can't be blank"]));
    } else if payload.as_ref().is_some_and(|payload| !payload.get().starts_with('{')) {
        problems.insert("payload".to_owned(), json!(["is invalid"]));
    }
    let flag = fields.get("private").map(|raw| raw.get());
    let id = fields.get("id").and_then(|raw| serde_json::from_str(raw.get()).ok());
    match payload {
        Some(payload) if problems.is_empty() => Ok(BatchMessage {
            topic,
            event,
            payload,
            is_private: matches!(flag, Some("true" | "\"true\"")),
            id,
        }),
        _ => Err(problems.into()),
    }
}

/// The payload of a single message, by its media type.
fn read_one(headers: &HeaderMap, body: Bytes) -> Result<UserPayload, RestRefusal> {
    let kind = headers.get(header::CONTENT_TYPE).map_or(Ok("application/json"), |value| {
        value.to_str().map_err(|_| RestRefusal::MediaType)
    })?;
    match kind.split(';').next().unwrap_or_default().trim().to_ascii_lowercase().as_str() {
        "application/octet-stream" => Ok(UserPayload::Bytes(body)),
        "application/json" => {
            let raw: &RawValue = serde_json::from_slice(&body).map_err(|_| RestRefusal::BadBody)?;
            Ok(UserPayload::Json(match raw.get().starts_with('{') {
                true => raw.get().into(),
                false => format!(r#"{{"_json":{}}}"#, raw.get()).into(),
            }))
        }
        _ => Err(RestRefusal::MediaType),
    }
}
