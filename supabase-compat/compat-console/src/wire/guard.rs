//! The guards of the routes: from where a request comes, whether a console page sent it, and who is
//! signed in. They also write the audit log.

use std::net::SocketAddr;

use axum::extract::{ConnectInfo, Request, State};
use axum::middleware::Next;
use axum::response::{IntoResponse, Response};
use compat_http::{ClientIp, Peer};
use http::{Extensions, HeaderMap, HeaderValue, Method, StatusCode, header};
use tokio_util::sync::CancellationToken;

use crate::access::Arrival;
use crate::error::ConsoleError;
use crate::flow;
use crate::flow::permission;
use crate::model::{AuditEntry, Operator, Role};
use crate::state::ConsoleState;
use crate::wire::{cookie, services};

/// A header that the console's pages send with each change; an HTML form cannot send it.
const OWN_REQUEST: &str = "x-console-request";
/// The most characters of a path or a summary in the audit log.
const LONGEST_NOTE: usize = 500;

/// A summary of the change for the audit log; an extension of an answer.
#[derive(Clone)]
pub(crate) struct AuditSummary(pub String);

/// States that a request with a changing method has changed nothing, so that no audit entry is
/// written; an extension of an answer.
#[derive(Clone, Copy)]
pub(crate) struct NoChange;

/// The operator of a request without a session, for the audit log; an extension of an answer.
#[derive(Clone)]
pub(crate) struct AuditOperator(pub String);

/// Cancelled when the browser disconnects before the answer; an extension of a request that is
/// audited.
#[derive(Clone)]
pub(crate) struct DisconnectToken(pub CancellationToken);

/// Answers as if the console did not exist if the request must not reach it.
pub(crate) async fn admit(
    State(state): State<ConsoleState>,
    request: Request,
    next: Next,
) -> Response {
    let headers = request.headers();
    let arrival = Arrival {
        peer: peer(request.extensions()).map(|peer| peer.ip()),
        hosts: [
            headers.get(header::HOST).map(|host| host.to_str().unwrap_or_default()),
            request.uri().authority().map(|authority| authority.as_str()),
        ],
        is_forwarded: ["forwarded", "x-forwarded-for", "x-real-ip"]
            .into_iter()
            .any(|name| headers.contains_key(name)),
    };
    match state.config().access.admits(arrival) {
        true => with_safety_headers(next.run(request).await),
        false => StatusCode::NOT_FOUND.into_response(),
    }
}

/// The peer address of the connection itself, regardless of headers.
fn peer(extensions: &Extensions) -> Option<SocketAddr> {
    let lenient = extensions.get::<ConnectInfo<Peer>>().map(|info| info.0.0);
    lenient.or_else(|| extensions.get::<ConnectInfo<SocketAddr>>().map(|info| info.0))
}

/// Adds the security headers that every answer has.
fn with_safety_headers(mut response: Response) -> Response {
    let headers = response.headers_mut();
    headers.entry(header::CONTENT_SECURITY_POLICY).or_insert(HeaderValue::from_static(
        "default-src 'self'; img-src 'self' data: blob:; media-src 'self' blob:; \
         style-src 'self' 'unsafe-inline'; worker-src 'self' blob:; object-src 'none'; \
         base-uri 'none'; form-action 'self'; frame-ancestors 'none'",
    ));
    headers.insert(header::X_FRAME_OPTIONS, HeaderValue::from_static("DENY"));
    headers.insert(header::REFERRER_POLICY, HeaderValue::from_static("no-referrer"));
    headers.insert(header::X_CONTENT_TYPE_OPTIONS, HeaderValue::from_static("nosniff"));
    headers.insert("cross-origin-resource-policy", HeaderValue::from_static("same-origin"));
    response
}

/// Forbids caches to store the answer.
pub(crate) async fn keep_out_of_caches(request: Request, next: Next) -> Response {
    let mut response = next.run(request).await;
    let headers = response.headers_mut();
    headers.insert(header::CACHE_CONTROL, HeaderValue::from_static("no-store"));
    response
}

/// Refuses requests from pages of other sites.
pub(crate) async fn refuse_cross_site(request: Request, next: Next) -> Response {
    match is_own(request.method(), request.headers()) {
        true => next.run(request).await,
        false => ConsoleError::CrossSiteRequest.into_response(),
    }
}

fn is_own(method: &Method, headers: &HeaderMap) -> bool {
    let text = |name: &str| headers.get(name).map(|value| value.to_str().unwrap_or_default());
    let site = text("sec-fetch-site");
    let is_read = matches!(*method, Method::GET | Method::HEAD);
    if is_read {
        return !matches!(site, Some("cross-site" | "same-site"));
    }
    let host = text("host");
    let is_same = |origin: &str| origin.split_once("://").map(|(_, origin)| origin) == host;
    text(OWN_REQUEST) == Some("1")
        && site.is_none_or(|site| site == "same-origin")
        && text("origin").is_none_or(is_same)
}

/// Requires a session, and writes changes to the audit log.
pub(crate) async fn require_session(
    State(state): State<ConsoleState>,
    ClientIp(client): ClientIp,
    mut request: Request,
    next: Next,
) -> Response {
    let known = match cookie::token(request.headers()) {
        Some(token) => flow::session::find(&state, token).await,
        None => Err(ConsoleError::NotSignedIn),
    };
    let operator = match known {
        Ok(operator) => operator,
        Err(refusal) => return refusal.into_response(),
    };
    request.extensions_mut().insert(operator.clone());
    match note_of(&state, &request, &client.to_string()) {
        Some(note) => {
            let disconnect = CancellationToken::new();
            request.extensions_mut().insert(DisconnectToken(disconnect.clone()));
            let _guard = disconnect.drop_guard();
            let work = async move {
                let response = next.run(request).await;
                state.session_changes().notify_waiters();
                write_down(&state, note, operator.email, response).await
            };
            to_its_end(work).await
        }
        None => next.run(request).await,
    }
}

/// Runs an audited request in a task of its own, to its end. When a browser disconnects, the
/// request's own task is dropped, and a change made until then would not be logged.
async fn to_its_end(work: impl Future<Output = Response> + Send + 'static) -> Response {
    match tokio::spawn(work).await {
        Ok(response) => response,
        Err(error) => ConsoleError::Internal(error.to_string()).into_response(),
    }
}

/// Writes successful and failed sign-ins to the audit log.
pub(crate) async fn record_sign_in(
    State(state): State<ConsoleState>,
    ClientIp(client): ClientIp,
    request: Request,
    next: Next,
) -> Response {
    let Some(note) = note_of(&state, &request, &client.to_string()) else {
        return next.run(request).await;
    };
    let work = async move {
        let response = next.run(request).await;
        match response.extensions().get::<AuditOperator>().cloned() {
            Some(AuditOperator(email)) => write_down(&state, note, email, response).await,
            None => response,
        }
    };
    to_its_end(work).await
}

/// The start of an audit entry; none for a request that changes nothing.
fn note_of(state: &ConsoleState, request: &Request, address: &str) -> Option<AuditEntry> {
    let method = request.method();
    let is_change = match request.uri().path().strip_prefix(services::PREFIX) {
        Some(path) => permission::is_change(method.as_str(), path),
        None => !matches!(*method, Method::GET | Method::HEAD),
    };
    if !is_change {
        return None;
    }
    Some(AuditEntry {
        id: 0,
        at: state.now(),
        operator: String::new(),
        method: short(method.as_str()),
        // Without the query, which may contain values of rows.
        path: short(request.uri().path()),
        summary: String::new(),
        status: 0,
        address: address.to_owned(),
    })
}

async fn write_down(
    state: &ConsoleState,
    note: AuditEntry,
    operator: String,
    mut response: Response,
) -> Response {
    if response.extensions_mut().remove::<NoChange>().is_some() {
        return response;
    }
    let summary = response.extensions_mut().remove::<AuditSummary>();
    let entry = AuditEntry {
        operator,
        summary: short(&summary.map(|AuditSummary(text)| text).unwrap_or_default()),
        status: i32::from(response.status().as_u16()),
        ..note
    };
    flow::audit::record(state, entry).await;
    response
}

/// An answer with a summary for the audit log.
pub(crate) fn with_summary(answer: impl IntoResponse, summary: String) -> Response {
    let mut response = answer.into_response();
    response.extensions_mut().insert(AuditSummary(summary));
    response
}

/// Shortens a text and removes NUL characters, which PostgreSQL cannot store in texts.
fn short(text: &str) -> String {
    text.chars().filter(|character| *character != '\0').take(LONGEST_NOTE).collect()
}

/// Refuses an operator with a lesser role.
pub(crate) fn require_role(operator: &Operator, least: Role) -> Result<(), ConsoleError> {
    match operator.role >= least {
        true => Ok(()),
        false => Err(ConsoleError::Forbidden),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn is_ours(method: Method, pairs: &[(&'static str, &'static str)]) -> bool {
        let pair = |(name, value): &(&'static str, &'static str)| {
            (http::HeaderName::from_static(name), HeaderValue::from_static(value))
        };
        is_own(&method, &pairs.iter().map(pair).collect())
    }

    #[test]
    fn requests_of_other_sites_are_seen() {
        let (host, own) = (("host", "localhost:54321"), ("x-console-request", "1"));
        let origin = ("origin", "http://localhost:54321");
        assert!(is_ours(Method::POST, &[host, own]));
        assert!(is_ours(Method::POST, &[host, own, origin, ("sec-fetch-site", "same-origin")]));
        for foreign in [
            &[host][..],
            &[host, origin],
            &[host, own, ("origin", "https://evil.example")],
            &[host, own, ("origin", "http://localhost:3000")],
            &[host, own, ("origin", "null")],
            &[host, own, ("sec-fetch-site", "cross-site")],
            &[host, own, ("sec-fetch-site", "same-site")],
            &[host, own, ("sec-fetch-site", "none")],
            &[host, ("x-console-request", "0")],
        ] {
            assert!(!is_ours(Method::POST, foreign), "{foreign:?}");
            assert!(!is_ours(Method::DELETE, foreign), "{foreign:?}");
        }
        assert!(is_ours(Method::GET, &[host]));
        assert!(is_ours(Method::GET, &[host, ("sec-fetch-site", "none")]));
        assert!(!is_ours(Method::GET, &[host, ("sec-fetch-site", "cross-site")]));
    }
}
