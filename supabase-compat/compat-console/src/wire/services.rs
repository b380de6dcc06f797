//! `/services/…`: calls the project's services in this process, with a token of the console's own
//! in place of the browser's credentials.

use axum::Router;
use axum::body::Body;
use axum::extract::Request;
use axum::response::Response;
use compat_http::{ClientIp, RequestId};
use http::{HeaderMap, HeaderName, HeaderValue, Method, StatusCode, Uri, header};
use tower::ServiceExt as _;

use crate::error::ConsoleError;
use crate::flow::permission;
use crate::model::Operator;
use crate::state::ConsoleState;
use crate::wire::caller::{self, RequestedCaller, TokenClaims};
use crate::wire::guard::{NoChange, with_summary};

/// The prefix of these paths, below the console's routes.
pub(crate) const PREFIX: &str = "/services/";
/// The lifetime of a token in seconds. The service key itself is passed to no service, because a
/// function of the project could reveal it.
const TOKEN_SECONDS: i64 = 60;
const ROLE: HeaderName = HeaderName::from_static("x-console-role");
const USER: HeaderName = HeaderName::from_static("x-console-user");
/// The header by which storage/v1 reports that the last part of a file was received.
const COMPLETE: HeaderName = HeaderName::from_static("tus-complete");
/// The header with the operator, which only the project's own routes receive.
const OPERATOR: HeaderName = HeaderName::from_static("x-console-operator");

/// Request headers of the browser that are not forwarded.
pub(crate) const OF_THE_BROWSER: [&str; 13] = [
    "cookie",
    "authorization",
    "apikey",
    "x-api-key",
    "origin",
    "referer",
    "sec-fetch-site",
    "sec-fetch-mode",
    "sec-fetch-dest",
    "x-console-request",
    "x-console-role",
    "x-console-user",
    "x-console-operator",
];
/// Response headers of a service that are not forwarded, because the console answers under its own
/// name.
const OF_THE_SERVICE: [&str; 5] = [
    "set-cookie",
    "refresh",
    "clear-site-data",
    "service-worker-allowed",
    "access-control-allow-origin",
];

/// Forwards a request, and returns the service's answer.
pub(crate) async fn forward(
    state: &ConsoleState,
    services: &Router,
    operator: &Operator,
    request: Request,
) -> Result<Response, ConsoleError> {
    let (parts, body) = request.into_parts();
    // The path stays percent-encoded, because decoding it is up to the service.
    let path = parts.uri.path().strip_prefix(PREFIX).ok_or(ConsoleError::UnknownService)?;
    let place = permission::service_path(path)?;
    if !permission::may_call(operator.role, parts.method.as_str(), path) {
        return Err(ConsoleError::Forbidden);
    }
    let is_list = permission::is_list_of_files(parts.method.as_str(), path);
    let is_part = permission::is_part_of_file(parts.method.as_str(), path);
    let text =
        |name: &HeaderName| parts.headers.get(name).map(|value| value.to_str().unwrap_or_default());
    let requested = RequestedCaller { role: text(&ROLE), user: text(&USER) };
    let claims = caller::claims(state, services, operator, path, requested).await?;
    let target = match parts.uri.query() {
        Some(query) => format!("{place}?{query}"),
        None => place,
    };
    let mut headers = parts.headers.clone();
    OF_THE_BROWSER.into_iter().for_each(|name| drop(headers.remove(name)));
    sign(state, &claims, &mut headers)?;
    if path.starts_with(permission::PROJECT) {
        // The recipient of test mails; a stored address contains no whitespace or control
        // characters.
        let email = HeaderValue::from_bytes(operator.email.as_bytes());
        headers.extend(email.ok().map(|email| (OPERATOR, email)));
    }
    let mut inner = request_to(parts.method.clone(), &target, body)?;
    *inner.headers_mut() = headers;
    if let Some(client) = parts.extensions.get::<ClientIp>() {
        inner.extensions_mut().insert(*client);
    }
    if let Some(id) = parts.extensions.get::<RequestId>() {
        inner.extensions_mut().insert(*id);
    }
    let acts_as = claims.acts_as.as_ref().map(|role| format!("as {role}"));
    let mut response = with_summary(dispatch(services, inner).await, acts_as.unwrap_or_default());
    // A large file arrives in many parts: its first and its last request are logged, and refused
    // ones.
    let is_between =
        is_part && response.status().is_success() && !response.headers().contains_key(COMPLETE);
    if is_list || is_between {
        response.extensions_mut().insert(NoChange);
    }
    if response.status() == StatusCode::CREATED {
        lead_to_the_console(response.headers_mut());
    }
    let headers = response.headers_mut();
    OF_THE_SERVICE.into_iter().for_each(|name| drop(headers.remove(name)));
    // An uploaded file must not act as a page of the console, whatever it contains.
    let policy = HeaderValue::from_static("default-src 'none'; sandbox; frame-ancestors 'none'");
    headers.insert(header::CONTENT_SECURITY_POLICY, policy);
    Ok(response)
}

/// Rewrites the address of a created object to the console's path for it.
fn lead_to_the_console(headers: &mut HeaderMap) {
    let address = headers.get(header::LOCATION).and_then(|address| address.to_str().ok());
    let Some(path) = address.and_then(permission::console_path) else { return };
    if let Ok(address) = HeaderValue::try_from(format!("/console/api{PREFIX}{path}")) {
        headers.insert(header::LOCATION, address);
    }
}

/// Adds a short-lived token to a request.
pub(crate) fn sign(
    state: &ConsoleState,
    claims: &TokenClaims,
    headers: &mut HeaderMap,
) -> Result<(), ConsoleError> {
    let token = caller::token(state, claims, TOKEN_SECONDS)?;
    headers.insert(header::AUTHORIZATION, secret_value(format!("Bearer {token}"))?);
    headers.insert("apikey", secret_value(token)?);
    Ok(())
}

/// A header value that logs do not show.
pub(crate) fn secret_value(text: String) -> Result<HeaderValue, ConsoleError> {
    let mut value =
        HeaderValue::from_str(&text).map_err(|error| ConsoleError::Internal(error.to_string()))?;
    value.set_sensitive(true);
    Ok(value)
}

pub(crate) fn request_to(
    method: Method,
    target: &str,
    body: Body,
) -> Result<Request, ConsoleError> {
    let uri: Uri = target.parse().map_err(|_| ConsoleError::InvalidPath("it is no path"))?;
    let mut request = Request::new(body);
    (*request.method_mut(), *request.uri_mut()) = (method, uri);
    Ok(request)
}

pub(crate) async fn dispatch(services: &Router, request: Request) -> Response {
    match services.clone().oneshot(request).await {
        Ok(response) => response,
        Err(never) => match never {},
    }
}
