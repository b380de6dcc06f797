//! `GET /servers/{token_or_uuid}/votes/{ip}` and the same under `/api/v1`: what the plugins of
//! game servers and the sites of their owners ask.
//!
//! "No" is 200 with `success: false`, since plugins read the body and many clients throw on any
//! other status. Only a request that cannot be understood is 400, an unknown server 404, and too
//! many questions from one address 429.

use std::net::IpAddr;

use axum::extract::rejection::PathRejection;
use axum::extract::{Path, State as Axum};
use axum::response::Response;
use compat_http::ClientIp;
use compat_pg::PgError;
use http::{HeaderValue, StatusCode, header};
use serde_json::{Value, json};

use crate::State;
use crate::error::AGAIN_AFTER;
use crate::flow::check_vote::{KnownVote, Question, VoteCheck, check_vote};
use crate::model::server_key::ServerKey;

/// One question.
pub(crate) async fn show(
    Axum(state): Axum<State>,
    ClientIp(asker): ClientIp,
    path: Result<Path<(String, String)>, PathRejection>,
) -> Response {
    let (server, ip) = match read(path) {
        Ok(asked) => asked,
        Err(message) => return answer(StatusCode::BAD_REQUEST, &failure(message)),
    };
    match check_vote(&state, &Question { server, ip, asker }).await {
        Ok(VoteCheck::Voted(vote)) => answer(StatusCode::OK, &success(&vote)),
        Ok(VoteCheck::NotVoted) => answer(StatusCode::OK, &failure("No vote found for this IP")),
        Ok(VoteCheck::UnknownServer) => answer(StatusCode::NOT_FOUND, &failure("Server not found")),
        Ok(VoteCheck::TooOften { retry_after }) => {
            later(StatusCode::TOO_MANY_REQUESTS, "Too many requests", retry_after)
        }
        Err(error) => fault(&error),
    }
}

/// Any other method: asking changes nothing, and there is nothing else to do here.
pub(crate) async fn refuse_method() -> Response {
    let body = failure("Only GET is answered here");
    let mut response = answer(StatusCode::METHOD_NOT_ALLOWED, &body);
    response.headers_mut().insert(header::ALLOW, HeaderValue::from_static("GET, HEAD"));
    response
}

fn read(
    path: Result<Path<(String, String)>, PathRejection>,
) -> Result<(ServerKey, IpAddr), &'static str> {
    let Path((server, ip)) = path.map_err(|_| "The address is not valid text")?;
    let server = ServerKey::parse(&server).ok_or("Invalid server token")?;
    let ip = ip.parse().map_err(|_| "Invalid IP address")?;
    Ok((server, ip))
}

fn success(KnownVote { vote, next_vote_seconds }: &KnownVote) -> Value {
    json!({
        "success": true,
        "data": {
            "username": vote.username,
            "voted_at": vote.voted_at.timestamp(),
            "next_vote_seconds": next_vote_seconds,
            "is_connected": vote.is_connected,
            "is_subscriber": vote.is_subscriber,
            "server_name": vote.server_name,
        },
    })
}

fn failure(message: &str) -> Value {
    json!({ "success": false, "message": message })
}

fn fault(error: &PgError) -> Response {
    tracing::error!(%error, "the database failed a vote check");
    let message = "Something went wrong on our side";
    match error.is_unavailable() {
        true => later(StatusCode::SERVICE_UNAVAILABLE, message, AGAIN_AFTER),
        false => answer(StatusCode::INTERNAL_SERVER_ERROR, &failure(message)),
    }
}

/// A refusal that ends after so many seconds.
fn later(status: StatusCode, message: &str, seconds: u64) -> Response {
    let mut response = answer(status, &failure(message));
    response.headers_mut().insert(header::RETRY_AFTER, seconds.into());
    response
}

/// Open to every origin, and never kept: the answer changes with the next vote.
fn answer(status: StatusCode, body: &Value) -> Response {
    let mut response = compat_http::json(status, body);
    let headers = response.headers_mut();
    headers.insert(header::ACCESS_CONTROL_ALLOW_ORIGIN, HeaderValue::from_static("*"));
    headers.insert(header::CACHE_CONTROL, HeaderValue::from_static("no-store"));
    response
}
