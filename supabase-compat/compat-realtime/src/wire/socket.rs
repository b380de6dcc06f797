//! `GET /websocket`: opens a socket.

use std::net::IpAddr;

use axum::Extension;
use axum::extract::ws::{WebSocketUpgrade, rejection::WebSocketUpgradeRejection};
use axum::extract::{Query, State as Extract};
use axum::response::{IntoResponse as _, Response};
use compat_http::{ClientIp, ListenerTerms};
use http::{HeaderMap, HeaderValue, StatusCode, header};
use hyper::upgrade::OnUpgrade;
use serde::Deserialize;
use serde_json::{Map, Value};
use tokio::time::sleep;
use tokio_tungstenite::tungstenite::handshake::derive_accept_key;

use crate::connection;
use crate::error::HandshakeRefusal;
use crate::protocol::Version;
use crate::send_queue::SendQueue;
use crate::session::{self, PolicyFacts, SocketFacts, SocketToken};
use crate::sockets::SocketPermit;
use crate::state::State;

/// The most bytes of headers that policies may read.
const LONGEST_HEADERS: usize = 4096;

/// The query parameters. `log_level` is ignored: logs are the operator's.
#[derive(Debug, Deserialize)]
pub(crate) struct SocketQuery {
    apikey: Option<String>,
    vsn: Option<String>,
}

/// Opens a socket for a client with a valid key.
pub(crate) async fn open(
    Extract(state): Extract<State>,
    Query(query): Query<SocketQuery>,
    ClientIp(address): ClientIp,
    terms: Option<Extension<ListenerTerms>>,
    headers: HeaderMap,
    connection: Option<Extension<OnUpgrade>>,
    upgrade: Result<WebSocketUpgrade, WebSocketUpgradeRejection>,
) -> Response {
    let terms = terms.map(|Extension(terms)| terms);
    let connection = connection.map(|Extension(connection)| connection);
    match admit(&state, &query, &headers, address, (upgrade, connection)) {
        Ok((facts, permit, connection)) => {
            tokio::spawn(serve(state, SocketFacts { terms, ..facts }, permit, connection));
            switch_protocols(&headers)
        }
        Err(refusal) => {
            tracing::debug!(%refusal, "socket refused");
            // Refused clients try again, some of them at once.
            sleep(state.config.connect_backoff).await;
            refusal.into_response()
        }
    }
}

/// Serves the socket once the response to the handshake is sent.
async fn serve(state: State, facts: SocketFacts, permit: SocketPermit, connection: OnUpgrade) {
    match connection.await {
        Ok(upgraded) => {
            let memory = state.pending.empty(facts.request.client);
            let connection = connection::open(upgraded, memory).await;
            session::run(state, facts, permit, connection).await;
        }
        Err(error) => tracing::debug!(%error, "cannot open a socket"),
    }
}

fn switch_protocols(headers: &HeaderMap) -> Response {
    let key = headers.get(header::SEC_WEBSOCKET_KEY).map(HeaderValue::as_bytes);
    let accepted = derive_accept_key(key.unwrap_or_default());
    let named = [(header::CONNECTION, "upgrade"), (header::UPGRADE, "websocket")];
    (StatusCode::SWITCHING_PROTOCOLS, named, [(header::SEC_WEBSOCKET_ACCEPT, accepted)])
        .into_response()
}

/// The result of the handshake, and the connection. `axum` only checks the request; its own
/// websocket type has no way to bound what it reads.
type Upgrade = (Result<WebSocketUpgrade, WebSocketUpgradeRejection>, Option<OnUpgrade>);

fn admit(
    state: &State,
    query: &SocketQuery,
    headers: &HeaderMap,
    address: IpAddr,
    (upgrade, connection): Upgrade,
) -> Result<(SocketFacts, SocketPermit, OnUpgrade), HandshakeRefusal> {
    let _checked = upgrade.map_err(|refusal| HandshakeRefusal::NoWebsocket(refusal.body_text()))?;
    let connection = connection.ok_or_else(|| HandshakeRefusal::NoWebsocket(String::new()))?;
    if state.config.suspended {
        return Err(HandshakeRefusal::Suspended);
    }
    let version = Version::of(query.vsn.as_deref()).ok_or(HandshakeRefusal::Version)?;
    let header = |name: &str| headers.get(name).and_then(|value| value.to_str().ok());
    let key = header("x-api-key").or(query.apikey.as_deref()).or(header("apikey"));
    let key = key.filter(|key| !key.is_empty()).ok_or(HandshakeRefusal::NoKey)?;
    let token = SocketToken::verify(&state.environment, key)?;
    let queue = SendQueue::new(state.config.queue_limits(), state.unread.empty(address));
    let request = policy_facts(headers, address);
    let facts = SocketFacts { version, token, request, terms: None };
    Ok((facts, state.sockets.admit(address, queue)?, connection))
}

/// What policies may know about a request. Like upstream, they see the headers that begin with
/// `x-`, except for the key.
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
