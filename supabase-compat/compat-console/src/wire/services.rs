//! `/services/…`: the project's services, asked in this process with a token of our own in place of what
//! the browser shows.

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
use crate::wire::guard::{NoChange, noted};

/// What the path of such a request begins with, below the console's routes.
pub(crate) const PREFIX: &str = "/services/";
/// Seconds that a token of ours is good for. The service key itself is passed to no service: a function of
/// the project could give it back.
const TOKEN_SECONDS: i64 = 60;
const ROLE: HeaderName = HeaderName::from_static("x-console-role");
const USER: HeaderName = HeaderName::from_static("x-console-user");
/// What storage/v1 says behind the last part of a file.
const COMPLETE: HeaderName = HeaderName::from_static("tus-complete");
/// Who asks; told to the project's own parts alone.
const OPERATOR: HeaderName = HeaderName::from_static("x-console-operator");

/// What the browser says of itself is not passed on.
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
/// What a service says to browsers is not passed on: the console answers under its own name.
const OF_THE_SERVICE: [&str; 5] = [
    "set-cookie",
    "refresh",
    "clear-site-data",
    "service-worker-allowed",
    "access-control-allow-origin",
];

/// Passes a request on, and its answer back.
pub(crate) async fn forward(
    state: &ConsoleState,
    services: &Router,
    operator: &Operator,
    request: Request,
) -> Result<Response, ConsoleError> {
    let (parts, body) = request.into_parts();
    // As it is written: what it stands for decoded is the service's to read.
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
        // To whom a test mail goes; an address is stored without whitespace and control characters.
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
    let mut response = noted(dispatch(services, inner).await, acts_as.unwrap_or_default());
    // A large file comes in many parts: its begin and its end are written down, and whatever is refused.
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
    // What somebody uploaded is no page of the console, whatever it contains.
    let policy = HeaderValue::from_static("default-src 'none'; sandbox; frame-ancestors 'none'");
    headers.insert(header::CONTENT_SECURITY_POLICY, policy);
    Ok(response)
}

/// What was made is asked for by way of the console, where it was made.
fn lead_to_the_console(headers: &mut HeaderMap) {
    let address = headers.get(header::LOCATION).and_then(|address| address.to_str().ok());
    let Some(path) = address.and_then(permission::console_path) else { return };
    if let Ok(address) = HeaderValue::try_from(format!("/console/api{PREFIX}{path}")) {
        headers.insert(header::LOCATION, address);
    }
}

/// Puts a short-lived token on.
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

/// A header's value that no log shows.
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
