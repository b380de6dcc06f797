//! `/{name}` and everything below it, by any method.

use std::net::IpAddr;

use axum::body::{Body, HttpBody as _};
use axum::extract::{Request, State as Extract};
use axum::response::{IntoResponse, Response};
use compat_http::ClientIp;
use compat_token::Caller;
use http::request::Parts;
use tracing::Instrument as _;

use crate::{Invocation, Refusal, State, body, flow};

/// Written by gateways for their workers; from a client it would be a forgery.
const SB_API_KEY: &str = "sb-api-key";

/// One call, from request to answer.
pub(crate) async fn call(Extract(state): Extract<State>, request: Request) -> Response {
    answer(&state, request).await.unwrap_or_else(IntoResponse::into_response)
}

/// A path that names nothing.
pub(crate) async fn unnamed() -> Refusal {
    Refusal::NotFound
}

async fn answer(state: &State, request: Request) -> Result<Response, Refusal> {
    let (parts, body) = request.into_parts();
    let (name, path_rest) = split(parts.uri.path());
    let entry = state.entry(name).ok_or(Refusal::NotFound)?;
    let span = tracing::info_span!("functions.call", function = name);
    let caller = flow::admit::admit(state.edge(), &parts.method, &parts.headers, entry.verify_jwt)?;
    let path_rest = path_rest.to_owned();
    let client_ip = client_ip(&parts)?;
    let body = accept(body, state.config().max_body)?;
    let invocation = invocation(parts, path_rest, body, caller, client_ip);
    let limit = state.config().request_timeout;
    flow::invoke::invoke(entry.function.as_ref(), invocation, limit).instrument(span).await
}

/// A body that says itself that it is too long is refused before anybody is called.
fn accept(body: Body, limit: usize) -> Result<Body, Refusal> {
    if body.size_hint().lower() > limit as u64 {
        return Err(Refusal::BodyTooLarge { limit });
    }
    Ok(body::limited(body, limit))
}

fn invocation(
    parts: Parts,
    path_rest: String,
    body: Body,
    caller: Option<Caller>,
    client_ip: IpAddr,
) -> Invocation {
    let Parts { method, uri, mut headers, .. } = parts;
    headers.remove(SB_API_KEY);
    let query = uri.query().unwrap_or_default().to_owned();
    Invocation { method, path_rest, query, headers, body, caller, client_ip }
}

/// `/name/rest` as (`name`, `/rest`).
fn split(path: &str) -> (&str, &str) {
    let path = path.strip_prefix('/').unwrap_or(path);
    path.split_at(path.find('/').unwrap_or(path.len()))
}

fn client_ip(parts: &Parts) -> Result<IpAddr, Refusal> {
    parts.extensions.get::<ClientIp>().map(|ip| ip.0).ok_or_else(|| {
        // Guessing an address would make all clients one; better to serve nobody and say why.
        tracing::error!("functions/v1 is mounted without the layers of compat-http");
        Refusal::WorkerError
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_path_falls_into_name_and_rest() {
        assert_eq!(split("/hello"), ("hello", ""));
        assert_eq!(split("/hello/"), ("hello", "/"));
        assert_eq!(split("/hello/a%2Fb/c"), ("hello", "/a%2Fb/c"));
        assert_eq!(split("/"), ("", ""));
    }
}
