//! A request through the five stages: parse, plan, render, execute, respond, each timed.

use std::convert::Infallible;
use std::time::Instant;

use axum::body::{Body, to_bytes};
use axum::extract::{Request, State as Extract};
use axum::response::Response;
use bytes::Bytes;
use compat_http::{ClientIp, RequestFacts};
use compat_rest_core::RawRequest;
use compat_token::Caller;
use futures_util::stream;
use http::request::Parts;
use http::{HeaderMap, Method, header};
use tracing::{Instrument as _, Span};

use crate::config::Config;
use crate::error::Error;
use crate::plan_cache;
use crate::query_execution::QueryExecution;
use crate::respond::{self, Timing};
use crate::state::{Snapshot, State};

/// Answers one request.
pub(crate) async fn handle(Extract(state): Extract<State>, request: Request) -> Response {
    let span = span(request.method(), request.uri().path());
    async {
        let (parts, body) = request.into_parts();
        let snapshot = state.snapshot();
        let config = snapshot.as_ref().map_or(state.base_config(), |snapshot| &snapshot.config);
        let answered = answer(&state, snapshot.as_deref(), config, &parts, body).await;
        if answered.as_ref().is_err_and(Error::is_pool_timeout) {
            state.count_pool_timeout();
        }
        let mut response =
            answered.unwrap_or_else(|error| error.into_response(config.terse_errors));
        respond::trace(&mut response, &parts.headers, config);
        respond::retry(&mut response);
        response
    }
    .instrument(span)
    .await
}

/// The span of a request, named after the kind of request.
fn span(method: &Method, path: &str) -> Span {
    match *method {
        _ if path.starts_with("/rpc/") => tracing::info_span!("rest.call"),
        _ if path == "/" => tracing::info_span!("rest.root"),
        Method::GET | Method::HEAD => tracing::info_span!("rest.read"),
        Method::OPTIONS => tracing::info_span!("rest.describe"),
        _ => tracing::info_span!("rest.write"),
    }
}

async fn answer(
    state: &State,
    snapshot: Option<&Snapshot>,
    config: &Config,
    parts: &Parts,
    body: Body,
) -> Result<Response, Error> {
    let mut timing = Timing::start(Instant::now());
    let caller = caller(state, config, &parts.headers)?;
    timing.done("jwt", Instant::now());
    let snapshot = snapshot.ok_or(Error::SchemaNotLoaded)?;
    let body = to_bytes(body, config.max_body).await.map_err(|_| Error::BodyTooLarge)?;

    let prefer = prefer(&parts.headers);
    let incoming = incoming(parts, &prefer, &body);
    let version = snapshot.schema.version;
    let parsed = plan_cache::parse(state.shapes(), &snapshot.request_rules, version, &incoming)
        .map_err(Error::Request)?;
    timing.done("parse", Instant::now());

    let planned = parsed.plan(&snapshot.schema, &snapshot.plan_rules).map_err(Error::Plan)?;
    let (cached, payload) = planned.render(state.shapes());
    if cached.may_refer_back && caller.is_anonymous() {
        return Err(Error::BackReference);
    }
    timing.done("plan", Instant::now());

    let facts = RequestFacts::from(parts);
    let (caller, facts, payload) = (&caller, &facts, payload.as_ref());
    let client = parts.extensions.get().map(|ClientIp(ip)| *ip);
    let execution =
        QueryExecution { state, snapshot, caller, facts, client, cached: &cached, payload };
    let result = execution.execute().await.map_err(|error| Error::database(error, caller))?;
    timing.done("transaction", Instant::now());

    let mut response = respond::respond(state, snapshot, &cached, result)?;
    if !caller.is_anonymous() {
        respond::keep_private(&mut response);
    }
    timing.done("response", Instant::now());
    if config.server_timing {
        timing.write(&mut response);
    }
    if parts.method == Method::HEAD {
        // A body that was never made has no `Content-Length`.
        *response.body_mut() = Body::from_stream(stream::empty::<Result<Bytes, Infallible>>());
    }
    Ok(response)
}

/// The caller, which is determined before anything else.
fn caller(state: &State, config: &Config, headers: &HeaderMap) -> Result<Caller, Error> {
    let caller = state.environment().caller_under(headers, &config.tokens).map_err(Error::Token)?;
    if caller.has_default_role() && config.anon_role.is_none() {
        return Err(Error::AnonymousDisabled);
    }
    Ok(caller)
}

fn prefer(headers: &HeaderMap) -> Vec<&str> {
    headers.get_all("prefer").iter().filter_map(|value| value.to_str().ok()).collect()
}

/// The parts of a request that the dialect reads.
fn incoming<'a>(parts: &'a Parts, prefer: &'a [&'a str], body: &'a [u8]) -> RawRequest<'a> {
    let text = |name: &str| parts.headers.get(name).and_then(|value| value.to_str().ok());
    RawRequest {
        method: parts.method.as_str(),
        path: parts.uri.path(),
        query: parts.uri.query().unwrap_or(""),
        accept: text(header::ACCEPT.as_str()),
        accept_profile: text("accept-profile"),
        content_profile: text("content-profile"),
        content_type: text(header::CONTENT_TYPE.as_str()),
        range: text(header::RANGE.as_str()),
        prefer,
        body,
    }
}
