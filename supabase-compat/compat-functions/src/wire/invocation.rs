//! `/{name}` and everything below it, by any method.

use std::net::IpAddr;
use std::time::Instant;

use axum::body::{Body, HttpBody as _};
use axum::extract::{Request, State as Extract};
use axum::response::{IntoResponse, Response};
use compat_http::ClientIp;
use compat_token::Caller;
use http::request::Parts;
use http::{HeaderMap, HeaderValue};
use tracing::Instrument as _;

use crate::state::Entry;
use crate::{CallRefusal, Invocation, State, body, flow};

/// The header that a gateway sets for its functions; one that a client sends is removed.
const SB_API_KEY: &str = "sb-api-key";

/// One call, from request to answer.
pub(crate) async fn call(Extract(state): Extract<State>, request: Request) -> Response {
    answer(&state, request).await.unwrap_or_else(IntoResponse::into_response)
}

/// Refuses a path that names no function.
pub(crate) async fn unnamed() -> CallRefusal {
    CallRefusal::NotFound
}

async fn answer(state: &State, request: Request) -> Result<Response, CallRefusal> {
    let (name, _) = split(request.uri().path());
    let (name, entry) = (name.to_owned(), state.entry(name).ok_or(CallRefusal::NotFound)?);
    let started = Instant::now();
    let span = tracing::info_span!("functions.call", function = name);
    let answered = admitted(state, request, &entry).instrument(span).await;
    let response = answered.unwrap_or_else(IntoResponse::into_response);
    state.stats().note(
        &name,
        response.status(),
        state.environment().clock.now(),
        started.elapsed(),
    );
    Ok(response)
}

/// Handles a call of an existing function.
async fn admitted(state: &State, request: Request, entry: &Entry) -> Result<Response, CallRefusal> {
    let (parts, body) = request.into_parts();
    let caller =
        flow::admit::admit(state.environment(), &parts.method, &parts.headers, entry.verify_jwt)?;
    let client_ip = client_ip(&parts)?;
    let body = accept(body, state.config().max_body)?;
    let mut invocation = invocation(parts, body, caller, client_ip);
    stand_for_key(state, &mut invocation.headers);
    let limit = state.config().request_timeout;
    flow::invoke::invoke(entry.function.as_ref(), invocation, limit).await
}

/// Passes the token that an opaque `apikey` stands for to the function, as the gateway does.
fn stand_for_key(state: &State, headers: &mut HeaderMap) {
    headers.remove(SB_API_KEY);
    let key = headers.get("apikey").and_then(|key| key.to_str().ok());
    let token = key.and_then(|key| state.environment().authenticator.token_of(key));
    if let Some(token) = token.and_then(|token| HeaderValue::from_str(token).ok()) {
        headers.insert(SB_API_KEY, token);
    }
}

/// Refuses a body whose announced length exceeds the limit before the function is called.
fn accept(body: Body, limit: usize) -> Result<Body, CallRefusal> {
    if body.size_hint().lower() > limit as u64 {
        return Err(CallRefusal::BodyTooLarge { limit });
    }
    Ok(body::limited(body, limit))
}

fn invocation(parts: Parts, body: Body, caller: Option<Caller>, client_ip: IpAddr) -> Invocation {
    let Parts { method, uri, headers, mut extensions, .. } = parts;
    let path_rest = split(uri.path()).1.to_owned();
    let query = uri.query().unwrap_or_default().to_owned();
    let upgrade = extensions.remove();
    Invocation { method, path_rest, query, headers, body, caller, client_ip, upgrade }
}

/// `/name/rest` as (`name`, `/rest`).
fn split(path: &str) -> (&str, &str) {
    let path = path.strip_prefix('/').unwrap_or(path);
    path.split_at(path.find('/').unwrap_or(path.len()))
}

fn client_ip(parts: &Parts) -> Result<IpAddr, CallRefusal> {
    parts.extensions.get::<ClientIp>().map(|ip| ip.0).ok_or_else(|| {
        // A guessed address would make all clients look like one, so the call is refused instead.
        tracing::error!("functions/v1 is mounted without the layers of compat-http");
        CallRefusal::WorkerError
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
