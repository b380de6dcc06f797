//! `POST /api/v1/servers/{token_or_uuid}/tickets` and `GET …/tickets/{ticket}`: a server's own site
//! creates a ticket for a voter, and asks for its outcome. The server's token is in the URL or in
//! `Authorization: Bearer`; the latter is required when the URL has a uuid.
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
use crate::error::RETRY_AFTER;
use crate::flow::vote_ticket::{self, TicketError, TicketRequest};
use crate::model::server_key::ServerKey;
use crate::model::ticket::{Holder, Ticket, TicketStatus};

#[derive(Deserialize)]
struct Body {
    reference: Option<String>,
    nickname: Option<String>,
    lifetime: Option<u64>,
}

/// Creates a ticket.
pub(crate) async fn issue(
    Axum(state): Axum<State>,
    ClientIp(client): ClientIp,
    path: Result<Path<String>, PathRejection>,
    headers: HeaderMap,
    body: Result<Bytes, BytesRejection>,
) -> Response {
    let server = path.ok().and_then(|Path(server)| ServerKey::parse(&server));
    let Some((server, token)) = keys(server, &headers) else {
        return refuse(TicketError::Unauthorized);
    };
    let Some(request) = body.ok().as_deref().and_then(read) else {
        let message = "The body must be JSON with reference, nickname and lifetime, all optional";
        return refuse(TicketError::BadRequest(message));
    };
    let holder = Holder { server: &server, token: &token };
    match vote_ticket::issue(&state, holder, request, client).await {
        Ok(issued) => {
            let data = json!({
                "ticket": issued.ticket.as_str(),
                "url": issued.url,
                "expires_at": issued.expires_at.timestamp(),
            });
            answer(StatusCode::CREATED, &json!({ "success": true, "data": data }))
        }
        Err(error) => refuse(error),
    }
}

/// Answers with the status of a ticket.
pub(crate) async fn show(
    Axum(state): Axum<State>,
    ClientIp(client): ClientIp,
    path: Result<Path<(String, String)>, PathRejection>,
    headers: HeaderMap,
) -> Response {
    let Ok(Path((server, ticket))) = path else { return refuse(TicketError::Unknown) };
    let Some((server, token)) = keys(ServerKey::parse(&server), &headers) else {
        return refuse(TicketError::Unauthorized);
    };
    let Some(ticket) = Ticket::parse(&ticket) else { return refuse(TicketError::Unknown) };
    let holder = Holder { server: &server, token: &token };
    match vote_ticket::find(&state, holder, &ticket, client).await {
        Ok(status) => {
            let data = render(&ticket, &status);
            answer(StatusCode::OK, &json!({ "success": true, "data": data }))
        }
        Err(error) => refuse(error),
    }
}

/// Parses the body; an empty one means the defaults.
fn read(body: &[u8]) -> Option<TicketRequest> {
    if body.trim_ascii().is_empty() {
        return Some(TicketRequest::default());
    }
    let Body { reference, nickname, lifetime } = serde_json::from_slice(body).ok()?;
    Some(TicketRequest { reference, nickname, lifetime })
}

/// The server in the URL, and the token that proves its ownership.
fn keys(server: Option<ServerKey>, headers: &HeaderMap) -> Option<(ServerKey, ServerKey)> {
    let server = server?;
    let credentials = headers.get(header::AUTHORIZATION).and_then(|value| value.to_str().ok());
    let credentials = credentials.and_then(|text| text.split_once(' '));
    let credentials = credentials.filter(|(scheme, _)| scheme.eq_ignore_ascii_case("bearer"));
    let token = match (credentials, &server) {
        (Some((_, token)), _) => ServerKey::parse(token.trim())?,
        (None, token @ ServerKey::Token(_)) => token.clone(),
        (None, ServerKey::Id(_) | ServerKey::TokenOf { .. }) => return None,
    };
    matches!(token, ServerKey::Token(_)).then_some((server, token))
}

fn render(ticket: &Ticket, status: &TicketStatus) -> Value {
    let vote = status.vote_id.map(|id| {
        let voted_at = status.spent_at.map(|at| at.timestamp());
        json!({ "id": id, "username": status.voted_as, "voted_at": voted_at })
    });
    json!({
        "ticket": ticket.as_str(),
        "status": status.outcome,
        "reference": status.reference,
        "nickname": status.nickname,
        "expires_at": status.expires_at.map(|at| at.timestamp()),
        "vote": vote,
    })
}

fn refuse(error: TicketError) -> Response {
    let (status, message, again) = match error {
        TicketError::Unauthorized => {
            (StatusCode::UNAUTHORIZED, "The server's own API token is needed", None)
        }
        TicketError::Unknown => (StatusCode::NOT_FOUND, "Ticket not found", None),
        TicketError::TooMany => {
            (StatusCode::TOO_MANY_REQUESTS, "Too many tickets of this server are open", Some(60))
        }
        TicketError::BadRequest(message) => (StatusCode::BAD_REQUEST, message, None),
        TicketError::TooManyRequests { retry_after } => {
            (StatusCode::TOO_MANY_REQUESTS, "Too many requests", Some(retry_after))
        }
        TicketError::Database(error) => {
            tracing::error!(%error, "ticket request failed: database error");
            let away = error.is_unavailable().then_some(RETRY_AFTER);
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

/// A response that is never cached, because tickets are secret and their status changes.
fn answer(status: StatusCode, body: &Value) -> Response {
    let mut response = compat_http::json(status, body);
    let no_store = HeaderValue::from_static("no-store");
    response.headers_mut().insert(header::CACHE_CONTROL, no_store);
    response
}
