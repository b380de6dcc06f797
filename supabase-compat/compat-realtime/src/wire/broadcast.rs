//! `POST /api/broadcast` and `POST /api/broadcast/{topic}/events/{event}`: broadcasts of clients
//! without a socket.

mod batch;

use std::collections::BTreeMap;
use std::net::IpAddr;
use std::sync::Arc;

use axum::body::Body;
use axum::extract::{Path, Query, State as Extract};
use axum::response::{IntoResponse as _, Response};
use bytes::{Bytes, BytesMut};
use compat_http::{ClientIp, RateLimitStatus, client_prefix};
use futures_util::StreamExt as _;
use http::{HeaderMap, HeaderName, HeaderValue, StatusCode, header};
use serde::Deserialize;
use serde_json::json;
use serde_json::value::RawValue;

use crate::byte_quota::BytePermit;
use crate::error::RestRefusal;
use crate::flow::broadcast::{self as flow, WriteRight};
use crate::hub::Broadcast;
use crate::protocol::{UserBroadcast, UserPayload};
use crate::session::{PolicyFacts, SocketToken};
use crate::state::State;
use crate::wire::socket::policy_facts;

/// Bytes of the longest body.
const LONGEST_BODY: usize = 8_000_000;

#[derive(Debug, Deserialize)]
pub(crate) struct OneQuery {
    private: Option<String>,
    persist: Option<String>,
    /// How long to store the message. Ignored: every message is stored for the same time.
    #[serde(rename = "persist[ttl]")]
    ttl: Option<String>,
}

impl OneQuery {
    fn is_private(&self) -> bool {
        self.private.as_deref() == Some("true")
    }

    fn asks_to_be_stored(&self) -> bool {
        self.persist.as_deref() == Some("true") || self.ttl.is_some()
    }
}

/// Sends several messages, each to a topic. Messages that the caller may not write are dropped.
pub(crate) async fn batch(
    Extract(state): Extract<State>,
    ClientIp(address): ClientIp,
    headers: HeaderMap,
    body: Body,
) -> Response {
    let answer = async {
        let token = token_of(&state, &headers)?;
        let body = read_body(&state, address, body).await?;
        let most = state.config.max_events_per_second as usize;
        let messages = batch::read(&body.bytes.ok_or(RestRefusal::BadBody)?, most)?;
        let most = state.config.max_payload();
        if messages.iter().any(|message| message.payload.get().len() > most) {
            return Err(RestRefusal::TooLarge);
        }
        let status = count(&state, address, messages.len())?;
        let request = policy_facts(&headers, address);
        // The right to a topic is queried once, however many messages it gets, and before anything
        // is sent.
        let mut may_write: BTreeMap<&str, bool> = BTreeMap::new();
        for message in messages.iter().filter(|message| message.is_private) {
            let topic = message.topic.as_str();
            if !may_write.contains_key(topic) {
                may_write.insert(
                    topic,
                    may(&state, topic, &token, &request, WriteRight::Broadcast).await?,
                );
            }
        }
        let bytes = messages.iter().map(|message| message.payload.get().len()).sum();
        let memory = unread(&state, address, bytes)?;
        for message in &messages {
            let topic = message.topic.as_str();
            if !message.is_private || may_write.get(topic) == Some(&true) {
                let broadcast = message.broadcast();
                flow::send(&state, topic, message.is_private, broadcast, &memory);
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
    body: Body,
) -> Response {
    let answer = async {
        let token = token_of(&state, &headers)?;
        let body = read_body(&state, address, body).await?;
        let payload = read_one(&headers, body.bytes.ok_or(RestRefusal::TooLarge)?)?;
        if payload.len() > state.config.max_payload() {
            return Err(RestRefusal::TooLarge);
        }
        let (is_private, is_stored) = (query.is_private(), query.asks_to_be_stored());
        if is_stored && !is_private {
            let problem = json!(["can only be used on private channels"]);
            return Err(RestRefusal::Fields(BTreeMap::from([("persist".into(), problem)])));
        }
        let status = count(&state, address, 1)?;
        let request = policy_facts(&headers, address);
        if is_private && !may(&state, &topic, &token, &request, WriteRight::Broadcast).await? {
            return Err(RestRefusal::Forbidden);
        }
        let memory = unread(&state, address, payload.len())?;
        let message = UserBroadcast { event: event.into(), metadata: "".into(), payload };
        let row = (is_stored && state.config.stores_broadcasts).then(|| message.clone());
        flow::send(&state, &topic, is_private, Broadcast::User(message), &memory);
        if let Some(row) = row {
            store(&state, &topic, &token, &request, &row).await;
        }
        Ok(status)
    };
    accepted(answer.await)
}

/// Stores a broadcast, if the caller may. The broadcast is already sent, so nothing is refused any
/// more.
async fn store(
    state: &State,
    topic: &str,
    token: &SocketToken,
    request: &PolicyFacts,
    message: &UserBroadcast,
) {
    let may = may(state, topic, token, request, WriteRight::Persistence).await;
    if let Ok(true) = may
        && let Err(error) = flow::store(state, topic, request.client, message).await
    {
        tracing::warn!(%error, "cannot store a broadcast");
    }
}

/// The body of a request, whose bytes count for its client while it is kept.
struct RequestBody {
    /// `None` if the body is too long or incomplete.
    bytes: Option<Bytes>,
    _memory: BytePermit,
}

async fn read_body(state: &State, address: IpAddr, body: Body) -> Result<RequestBody, RestRefusal> {
    let (mut memory, mut bytes) = (state.pending.empty(address), BytesMut::new());
    let mut chunks = body.into_data_stream();
    while let Some(chunk) = chunks.next().await {
        let chunk = chunk.ok().filter(|chunk| bytes.len() + chunk.len() <= LONGEST_BODY);
        let Some(chunk) = chunk else { return Ok(RequestBody { bytes: None, _memory: memory }) };
        if !memory.resize(bytes.len() + chunk.len()) {
            return Err(RestRefusal::TooMany(1));
        }
        bytes.extend_from_slice(&chunk);
    }
    Ok(RequestBody { bytes: Some(bytes.freeze()), _memory: memory })
}

/// The permit that broadcasts count for until they are read.
fn unread(state: &State, address: IpAddr, bytes: usize) -> Result<Arc<BytePermit>, RestRefusal> {
    state.unread.take(address, bytes).map(Arc::new).ok_or(RestRefusal::TooMany(1))
}

/// The bearer token, unless it is missing or an opaque key; otherwise the key.
fn token_of(state: &State, headers: &HeaderMap) -> Result<SocketToken, RestRefusal> {
    let credentials = compat_http::credentials(headers);
    let token = state.environment.authenticator.deciding_token(credentials);
    let key = headers.get("x-api-key").and_then(|value| value.to_str().ok());
    let token = token.or(key).ok_or(RestRefusal::Unauthorized)?;
    SocketToken::verify(&state.environment, token).map_err(|_| RestRefusal::Unauthorized)
}

fn count(state: &State, address: IpAddr, messages: usize) -> Result<RateLimitStatus, RestRefusal> {
    let now = state.environment.clock.now();
    // An IPv6 client can use any address of its network.
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
    right: WriteRight,
) -> Result<bool, RestRefusal> {
    flow::may_write(state, topic, token, request, right).await.map_err(|error| {
        tracing::warn!(%error, "cannot query the rights to a channel");
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
