//! `POST /api/v1/servers/{token_or_uuid}/tickets` and `GET …/tickets/{ticket}`: a server's own site
//! sends somebody to vote, and asks what became of it. By the server's token, in the address or as
//! `Authorization: Bearer`, which a uuid in the address needs beside it.
//!
//! In: `{reference?, nickname?, lifetime?}`, the lifetime in seconds. Out: `{success, data}`, or
//! `{success: false, message}`. Times are Unix seconds.

use axum::body::Bytes;
use axum::extract::rejection::{BytesRejection, PathRejection};
use axum::extract::{Path, State as Axum};
use axum::response::Response;
use compat_http::ClientIp;
use http::{HeaderMap, HeaderValue, StatusCode, header};
use serde::Deserialize;
use serde_json::{Value, json};

use crate::State;
use crate::error::AGAIN_AFTER;
use crate::flow::vote_ticket::{self, Denied, Wish};
use crate::model::server_key::ServerKey;
use crate::model::ticket::{Holder, KnownTicket, Ticket};

#[derive(Deserialize)]
struct Body {
    reference: Option<String>,
    nickname: Option<String>,
    lifetime: Option<u64>,
}

/// Hands out a ticket.
pub(crate) async fn hand_out(
    Axum(state): Axum<State>,
    ClientIp(asker): ClientIp,
    path: Result<Path<String>, PathRejection>,
    headers: HeaderMap,
    body: Result<Bytes, BytesRejection>,
) -> Response {
    let server = path.ok().and_then(|Path(server)| ServerKey::parse(&server));
    let Some((server, token)) = keys(server, &headers) else { return deny(Denied::NotYours) };
    let Some(wish) = body.ok().as_deref().and_then(read) else {
        let message = "The body must be JSON with reference, nickname and lifetime, all optional";
        return deny(Denied::Bad(message));
    };
    let holder = Holder { server: &server, token: &token };
    match vote_ticket::hand_out(&state, holder, wish, asker).await {
        Ok(handed) => {
            let data = json!({
                "ticket": handed.ticket.as_str(),
                "url": handed.url,
                "expires_at": handed.expires_at.timestamp(),
            });
            answer(StatusCode::CREATED, &json!({ "success": true, "data": data }))
        }
        Err(denied) => deny(denied),
    }
}

/// Tells what became of a ticket.
pub(crate) async fn show(
    Axum(state): Axum<State>,
    ClientIp(asker): ClientIp,
    path: Result<Path<(String, String)>, PathRejection>,
    headers: HeaderMap,
) -> Response {
    let Ok(Path((server, ticket))) = path else { return deny(Denied::Unknown) };
    let Some((server, token)) = keys(ServerKey::parse(&server), &headers) else {
        return deny(Denied::NotYours);
    };
    let Some(ticket) = Ticket::parse(&ticket) else { return deny(Denied::Unknown) };
    let holder = Holder { server: &server, token: &token };
    match vote_ticket::find(&state, holder, &ticket, asker).await {
        Ok(known) => {
            let data = render(&ticket, &known);
            answer(StatusCode::OK, &json!({ "success": true, "data": data }))
        }
        Err(denied) => deny(denied),
    }
}

/// No body is a wish without wishes.
fn read(body: &[u8]) -> Option<Wish> {
    if body.trim_ascii().is_empty() {
        return Some(Wish::default());
    }
    let Body { reference, nickname, lifetime } = serde_json::from_slice(body).ok()?;
    Some(Wish { reference, nickname, lifetime })
}

/// The server of the address and the token shown for it.
fn keys(server: Option<ServerKey>, headers: &HeaderMap) -> Option<(ServerKey, ServerKey)> {
    let server = server?;
    let shown = headers.get(header::AUTHORIZATION).and_then(|value| value.to_str().ok());
    let shown = shown.and_then(|text| text.split_once(' '));
    let shown = shown.filter(|(scheme, _)| scheme.eq_ignore_ascii_case("bearer"));
    let token = match (shown, &server) {
        (Some((_, token)), _) => ServerKey::parse(token.trim())?,
        (None, token @ ServerKey::Token(_)) => token.clone(),
        (None, ServerKey::Id(_) | ServerKey::TokenOf { .. }) => return None,
    };
    matches!(token, ServerKey::Token(_)).then_some((server, token))
}

fn render(ticket: &Ticket, known: &KnownTicket) -> Value {
    let vote = known.vote_id.map(|id| {
        let voted_at = known.spent_at.map(|at| at.timestamp());
        json!({ "id": id, "username": known.voted_as, "voted_at": voted_at })
    });
    json!({
        "ticket": ticket.as_str(),
        "status": known.outcome,
        "reference": known.reference,
        "nickname": known.nickname,
        "expires_at": known.expires_at.map(|at| at.timestamp()),
        "vote": vote,
    })
}

fn deny(denied: Denied) -> Response {
    let (status, message, again) = match denied {
        Denied::NotYours => {
            (StatusCode::UNAUTHORIZED, "The server's own API token is needed", None)
        }
        Denied::Unknown => (StatusCode::NOT_FOUND, "Ticket not found", None),
        Denied::TooMany => {
            (StatusCode::TOO_MANY_REQUESTS, "Too many tickets of this server are open", Some(60))
        }
        Denied::Bad(message) => (StatusCode::BAD_REQUEST, message, None),
        Denied::TooOften { retry_after } => {
            (StatusCode::TOO_MANY_REQUESTS, "Too many requests", Some(retry_after))
        }
        Denied::Database(error) => {
            tracing::error!(%error, "the database failed a ticket");
            let away = error.is_unavailable().then_some(AGAIN_AFTER);
            let status = match away {
                Some(_) => StatusCode::SERVICE_UNAVAILABLE,
                None => StatusCode::INTERNAL_SERVER_ERROR,
            };
            (status, "Something went wrong on our side", away)
        }
    };
    let mut response = answer(status, &json!({ "success": false, "message": message }));
    if let Some(seconds) = again {
        response.headers_mut().insert(header::RETRY_AFTER, seconds.into());
    }
    response
}

/// Never kept: tickets are secrets, and what is said of them changes.
fn answer(status: StatusCode, body: &Value) -> Response {
    let mut response = compat_http::json(status, body);
    let no_store = HeaderValue::from_static("no-store");
    response.headers_mut().insert(header::CACHE_CONTROL, no_store);
    response
}
