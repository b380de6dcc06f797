//! `GET /websocket`: opens a socket.

use std::net::IpAddr;

use axum::Extension;
use axum::extract::ws::{WebSocketUpgrade, rejection::WebSocketUpgradeRejection};
use axum::extract::{Query, State as Extract};
use axum::response::{IntoResponse as _, Response};
use compat_http::{ClientIp, ListenerTerms};
use http::{HeaderMap, header};
use serde::Deserialize;
use serde_json::{Map, Value};
use tokio::time::sleep;

use crate::error::HandshakeRefusal;
use crate::protocol::Version;
use crate::send_queue::SendQueue;
use crate::session::{self, PolicyFacts, SocketFacts, SocketToken};
use crate::sockets::SocketPermit;
use crate::state::State;

/// Bytes of the longest frame.
const LONGEST_FRAME: usize = 5_000_000;
/// Bytes that an idle socket keeps for what it reads.
const READ_BUFFER: usize = 2 * 1024;
/// Bytes that are written at once. Memory is taken for what is written, and not before.
const WRITE_BUFFER: usize = 16 * 1024;
/// Bytes of the headers that policies may ask for.
const LONGEST_HEADERS: usize = 4096;

/// What the query says. `log_level` changes nothing: logs are the operator's.
#[derive(Debug, Deserialize)]
pub(crate) struct SocketQuery {
    apikey: Option<String>,
    vsn: Option<String>,
}

/// Opens a socket for whoever shows a good key.
pub(crate) async fn open(
    Extract(state): Extract<State>,
    Query(query): Query<SocketQuery>,
    ClientIp(address): ClientIp,
    terms: Option<Extension<ListenerTerms>>,
    headers: HeaderMap,
    upgrade: Result<WebSocketUpgrade, WebSocketUpgradeRejection>,
) -> Response {
    let terms = terms.map(|Extension(terms)| terms);
    match admit(&state, &query, &headers, address, upgrade) {
        Ok((facts, permit, upgrade)) => upgrade
            .max_message_size(LONGEST_FRAME)
            .max_frame_size(LONGEST_FRAME)
            .read_buffer_size(READ_BUFFER)
            .write_buffer_size(WRITE_BUFFER)
            .on_upgrade(move |socket| {
                session::run(state, SocketFacts { terms, ..facts }, permit, socket)
            }),
        Err(refusal) => {
            tracing::debug!(%refusal, "socket refused");
            // Clients that are refused try again, some of them at once.
            sleep(state.config.connect_backoff).await;
            refusal.into_response()
        }
    }
}

fn admit(
    state: &State,
    query: &SocketQuery,
    headers: &HeaderMap,
    address: IpAddr,
    upgrade: Result<WebSocketUpgrade, WebSocketUpgradeRejection>,
) -> Result<(SocketFacts, SocketPermit, WebSocketUpgrade), HandshakeRefusal> {
    let upgrade = upgrade.map_err(|refusal| HandshakeRefusal::NoWebsocket(refusal.body_text()))?;
    if state.config.suspended {
        return Err(HandshakeRefusal::Suspended);
    }
    let version = Version::of(query.vsn.as_deref()).ok_or(HandshakeRefusal::Version)?;
    let header = |name: &str| headers.get(name).and_then(|value| value.to_str().ok());
    let key = header("x-api-key").or(query.apikey.as_deref()).or(header("apikey"));
    let key = key.filter(|key| !key.is_empty()).ok_or(HandshakeRefusal::NoKey)?;
    let token = SocketToken::verify(&state.environment, key)?;
    let queue = SendQueue::new(state.config.queue_limits());
    let request = policy_facts(headers, address);
    let facts = SocketFacts { version, token, request, terms: None };
    Ok((facts, state.sockets.admit(address, queue)?, upgrade))
}

/// What policies may know of a request. Of its headers, as upstream, those that begin with `x-`, but
/// no key.
pub(crate) fn policy_facts(headers: &HeaderMap, client: IpAddr) -> PolicyFacts {
    let mut values = Map::new();
    let mut length = 0;
    for (name, value) in headers {
        let is_meant = name.as_str().starts_with("x-") && name != "x-api-key";
        let Some(value) = value.to_str().ok().filter(|_| is_meant && name != header::COOKIE) else {
            continue;
        };
        length += name.as_str().len() + value.len();
        if length > LONGEST_HEADERS {
            break;
        }
        values.insert(name.as_str().to_owned(), value.into());
    }
    PolicyFacts { headers_json: Value::from(values).to_string().into(), client }
}
