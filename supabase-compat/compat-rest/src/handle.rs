//! A request through the five stages: parse, plan, render, execute, respond, each timed.

use std::convert::Infallible;
use std::sync::Arc;
use std::time::Instant;

use axum::body::{Body, to_bytes};
use axum::extract::{Request, State as Extract};
use axum::response::Response;
use bytes::Bytes;
use compat_http::RequestFacts;
use compat_rest_core::request::payload::Payload;
use compat_rest_core::request::prefer::TransactionEnd as Asked;
use compat_rest_core::{ApiRequest, Incoming, Plan, Statement};
use compat_token::Caller;
use futures_util::stream;
use http::request::Parts;
use http::{HeaderMap, Method, header};
use tracing::Instrument as _;

use crate::config::Config;
use crate::error::Error;
use crate::execute::{self, ResultSet, Run};
use crate::openapi;
use crate::respond::{self, Timing};
use crate::shape::{self, Shape};
use crate::state::{Snapshot, State};

/// Answers one request.
pub(crate) async fn handle(Extract(state): Extract<State>, request: Request) -> Response {
    let span = tracing::info_span!("rest.request");
    async {
        let (parts, body) = request.into_parts();
        let terse =
            state.snapshot().map_or(state.base_config().terse_errors, |s| s.config.terse_errors);
        let answered = answer(&state, &parts, body).await;
        if answered.as_ref().is_err_and(Error::is_pool_timeout) {
            state.count_pool_timeout();
        }
        let mut response = answered.unwrap_or_else(|error| error.into_response(terse));
        respond::trace(&mut response, &parts.headers, state.base_config());
        respond::retry(&mut response);
        response
    }
    .instrument(span)
    .await
}

async fn answer(state: &State, parts: &Parts, body: Body) -> Result<Response, Error> {
    let mut timing = Timing::start(Instant::now());
    let snapshot = state.snapshot();
    let config = snapshot.as_ref().map_or(state.base_config(), |snapshot| &snapshot.config);
    let caller = caller(state, config, &parts.headers)?;
    timing.done("jwt", Instant::now());
    let snapshot = snapshot.ok_or(Error::SchemaNotLoaded)?;
    let body = to_bytes(body, snapshot.config.max_body).await.map_err(|_| Error::BodyTooLarge)?;
    let (shape, payload) = shape(state, &snapshot, parts, &body, &mut timing)?;
    let facts = RequestFacts::from(parts);
    let exchange = Exchange {
        state,
        snapshot: &snapshot,
        caller: &caller,
        facts: &facts,
        shape: &shape,
        payload: payload.as_ref(),
    };
    let result = exchange.execute().await.map_err(|error| Error::database(error, &caller))?;
    timing.done("transaction", Instant::now());
    let mut response = match &shape.plan {
        Plan::Root { head } => openapi::respond(&exchange, *head).await?,
        Plan::Info(methods) => respond::methods(methods),
        _ => respond::respond(&shape.request, &shape.plan, result, snapshot.config.terse_errors)?,
    };
    respond::vary(&mut response);
    timing.done("response", Instant::now());
    if snapshot.config.server_timing {
        timing.write(&mut response);
    }
    if parts.method == Method::HEAD {
        // No length is told of a body that was never made.
        *response.body_mut() = Body::from_stream(stream::empty::<Result<Bytes, Infallible>>());
    }
    Ok(response)
}

/// Who asks; decided before anything else is looked at.
fn caller(state: &State, config: &Config, headers: &HeaderMap) -> Result<Caller, Error> {
    let caller = state.edge().caller_under(headers, &config.tokens).map_err(Error::Token)?;
    if caller.has_default_role() && config.anon_role.is_none() {
        return Err(Error::AnonymousDisabled);
    }
    Ok(caller)
}

/// The first three stages, or what is remembered of them.
fn shape(
    state: &State,
    snapshot: &Snapshot,
    parts: &Parts,
    body: &Bytes,
    timing: &mut Timing,
) -> Result<(Arc<Shape>, Option<Payload>), Error> {
    let text = |name: &str| parts.headers.get(name).and_then(|value| value.to_str().ok());
    let prefer: Vec<&str> =
        parts.headers.get_all("prefer").iter().filter_map(|value| value.to_str().ok()).collect();
    let incoming = Incoming {
        method: parts.method.as_str(),
        path: parts.uri.path(),
        query: parts.uri.query().unwrap_or(""),
        accept: text(header::ACCEPT.as_str()),
        accept_profile: text("accept-profile"),
        content_profile: text("content-profile"),
        content_type: text(header::CONTENT_TYPE.as_str()),
        range: text(header::RANGE.as_str()),
        prefer: &prefer,
        body,
    };
    let key = shape::head_key(&incoming, snapshot.schema.version);
    if let Some(shape) = known_without_body(state, &incoming, key.as_deref()) {
        timing.done("parse", Instant::now());
        timing.done("plan", Instant::now());
        return Ok((shape, None));
    }
    let head = head(state, snapshot, &incoming, key.as_deref())?;
    let payload = head.parse_body(body).map_err(Error::Request)?;
    timing.done("parse", Instant::now());
    let key = shape::shape_key(key, payload.as_ref());
    let known = key.as_deref().filter(|_| payload.is_some());
    if let Some(shape) = known.and_then(|key| state.shapes().get(key)) {
        timing.done("plan", Instant::now());
        return Ok((shape, payload));
    }
    let request = ApiRequest { payload, ..(*head).clone() };
    let plan = Plan::new(&request, &snapshot.schema, &snapshot.plan_rules).map_err(Error::Plan)?;
    let (statement, estimate) = (Statement::new(&plan), Statement::estimate(&plan));
    timing.done("plan", Instant::now());
    let shape = Arc::new(Shape { request: head, plan, statement, estimate });
    if let Some(key) = key {
        state.shapes().put(key, shape.clone());
    }
    Ok((shape, request.payload))
}

/// The remembered shape of a request that has no body to look at.
fn known_without_body(
    state: &State,
    incoming: &Incoming<'_>,
    key: Option<&str>,
) -> Option<Arc<Shape>> {
    let bodiless = matches!(incoming.method, "GET" | "HEAD" | "DELETE" | "OPTIONS");
    key.filter(|_| bodiless).and_then(|key| state.shapes().get(key))
}

/// The request without its body, read or remembered.
fn head(
    state: &State,
    snapshot: &Snapshot,
    incoming: &Incoming<'_>,
    key: Option<&str>,
) -> Result<Arc<ApiRequest>, Error> {
    if let Some(head) = key.and_then(|key| state.shapes().head(key)) {
        return Ok(head);
    }
    let head = ApiRequest::parse_head(incoming, &snapshot.request_rules).map_err(Error::Request)?;
    let head = Arc::new(head);
    if let Some(key) = key {
        state.shapes().put_head(key, head.clone());
    }
    Ok(head)
}

/// Everything a request has become by the time it meets the database.
pub(crate) struct Exchange<'a> {
    pub state: &'a State,
    pub snapshot: &'a Snapshot,
    pub caller: &'a Caller,
    pub facts: &'a RequestFacts,
    pub shape: &'a Shape,
    pub payload: Option<&'a Payload>,
}

impl Exchange<'_> {
    async fn execute(&self) -> Result<ResultSet, compat_pg::PgError> {
        let Some(statement) = &self.shape.statement else { return Ok(ResultSet::default()) };
        let run = self.run(self.payload.map_or("", Payload::text));
        let explained = self.shape.plan.output().is_some_and(|output| output.explain.is_some());
        if explained {
            let body = execute::explain(self.state, self.snapshot, statement, &run).await?;
            return Ok(ResultSet { body, ..ResultSet::default() });
        }
        let mut result = execute::run(self.state, self.snapshot, statement, &run).await?;
        if let Some(estimate) = self.shape.estimate.as_ref().filter(|_| self.needs_guess(&result)) {
            let guess = execute::explain(self.state, self.snapshot, estimate, &run).await?;
            let guess = respond::planned_rows(&guess);
            result.total = result.total.max(guess);
        }
        Ok(result)
    }

    /// A planned count is always a guess; an estimated one where rows beyond `max-rows` were not
    /// counted, or where no bound says up to where counting is worth it.
    fn needs_guess(&self, result: &ResultSet) -> bool {
        match (result.total, self.snapshot.config.max_rows) {
            (Some(counted), Some(most)) => counted > most,
            (None, _) | (Some(_), None) => true,
        }
    }

    /// How statements of this request are run.
    pub(crate) fn run<'r>(&'r self, body: &'r str) -> Run<'r> {
        let preferences = &self.shape.request.preferences;
        let end = self.snapshot.config.transaction_end;
        let commit = match preferences.transaction {
            Some(Asked::Commit) => true,
            Some(Asked::Rollback) => false,
            None => end.commits(),
        };
        Run {
            caller: self.caller,
            facts: self.facts,
            schema: &self.shape.request.schema,
            read_only: self.shape.plan.read_only(),
            commit,
            timezone: preferences.timezone.as_deref(),
            function_settings: match &self.shape.plan {
                Plan::Call(call) => &call.routine.settings,
                _ => &[],
            },
            body,
        }
    }
}
