//! `/realtime/websocket`: a listening socket of realtime/v1, for operators who are signed in.
//!
//! The console forwards the socket in this process with a token of its own, which no browser sees
//! and which is valid for the longest life of the socket. The socket ends with the session. It
//! cannot send: broadcasts are separate requests, so that each is checked for its role and has an
//! entry in the audit log.

use axum::Router;
use axum::extract::{MatchedPath, Query, Request};
use axum::response::Response;
use compat_http::ListenerTerms;
use http::{HeaderMap, Uri, header};
use serde::Deserialize;

use crate::error::ConsoleError;
use crate::flow::session::{LIFETIME, until_over};
use crate::model::Operator;
use crate::state::ConsoleState;
use crate::wire::caller::{self, RequestedCaller};
use crate::wire::cookie;
use crate::wire::services::{OF_THE_BROWSER, dispatch, secret_value};

/// The path of the socket for the rules of roles.
const PATH: &str = "realtime/v1/websocket";

#[derive(Deserialize)]
pub(crate) struct SocketQuery {
    vsn: Option<String>,
    role: Option<String>,
    user: Option<String>,
}

/// Opens a socket.
pub(crate) async fn open(
    state: &ConsoleState,
    services: &Router,
    operator: &Operator,
    request: Request,
) -> Result<Response, ConsoleError> {
    let (mut parts, body) = request.into_parts();
    // Browsers do not restrict WebSockets to the same origin, so the server has to check the
    // origin.
    if !is_of_own_page(&parts.headers) {
        return Err(ConsoleError::CrossSiteRequest);
    }
    let Query(query) = Query::<SocketQuery>::try_from_uri(&parts.uri)
        .map_err(|_| ConsoleError::InvalidRequest("a parameter is wrong".to_owned()))?;
    let session = cookie::token(&parts.headers).ok_or(ConsoleError::NotSignedIn)?.to_owned();
    let SocketQuery { vsn, role, user } = query;
    let stated = |text: Option<String>| text.filter(|text| !text.is_empty());
    let (role, user) = (stated(role), stated(user));
    let requested = RequestedCaller { role: role.as_deref(), user: user.as_deref() };
    let claims = caller::claims(state, services, operator, PATH, requested).await?;
    let token = caller::token(state, &claims, LIFETIME.num_seconds())?;
    parts.uri = target(vsn.as_deref())?;
    OF_THE_BROWSER.into_iter().for_each(|name| drop(parts.headers.remove(name)));
    parts.headers.insert("x-api-key", secret_value(token)?);
    parts.extensions.remove::<MatchedPath>();
    let terms = ListenerTerms::default();
    let (end, state, role) = (terms.end(), state.clone(), operator.role);
    parts.extensions.insert(terms);
    tokio::spawn(async move {
        if end.run_until_cancelled(until_over(&state, &session, role)).await.is_some() {
            end.cancel();
        }
    });
    Ok(dispatch(services, Request::from_parts(parts, body)).await)
}

/// Whether a page of the console opens the socket, by the headers of the browser.
fn is_of_own_page(headers: &HeaderMap) -> bool {
    let text = |name| headers.get(name).and_then(|value| value.to_str().ok());
    let origin = text(header::ORIGIN).and_then(|origin| origin.split_once("://"));
    origin.is_some_and(|(_, origin)| Some(origin) == text(header::HOST))
}

/// The service's address for sockets. Only a valid version is accepted, because it becomes part of
/// the address.
fn target(version: Option<&str>) -> Result<Uri, ConsoleError> {
    let version = version.unwrap_or("1.0.0");
    let is_version =
        version.len() <= 16 && version.bytes().all(|byte| byte.is_ascii_digit() || byte == b'.');
    let target = format!("/{PATH}?vsn={version}");
    is_version
        .then(|| target.parse().ok())
        .flatten()
        .ok_or_else(|| ConsoleError::InvalidRequest("vsn is no version".to_owned()))
}

#[cfg(test)]
mod tests {
    use http::HeaderValue;

    use super::*;

    #[test]
    fn sockets_of_other_pages_are_seen() {
        let is_own = |origin: Option<&'static str>| {
            let host = (header::HOST, HeaderValue::from_static("localhost:54321"));
            let origin = origin.map(|origin| (header::ORIGIN, HeaderValue::from_static(origin)));
            is_of_own_page(&[host].into_iter().chain(origin).collect())
        };
        assert!(is_own(Some("http://localhost:54321")));
        for foreign in
            [None, Some("null"), Some("http://localhost:3000"), Some("https://evil.test")]
        {
            assert!(!is_own(foreign), "{foreign:?}");
        }
    }

    #[test]
    fn no_version_adds_a_parameter() {
        assert!(target(Some("2.0.0")).is_ok() && target(None).is_ok());
        assert!(target(Some("2&apikey=x")).is_err() && target(Some("2#")).is_err());
    }
}
