//! `/services/…`: the project's services, asked in this process with a token of our own in place of what
//! the browser shows.

use axum::Router;
use axum::body::{Body, to_bytes};
use axum::extract::Request;
use axum::response::Response;
use compat_http::{ClientIp, RequestId};
use http::{HeaderMap, HeaderName, HeaderValue, Method, Uri, header};
use serde_json::{Map, Value, json};
use tower::ServiceExt as _;
use uuid::Uuid;

use crate::error::ConsoleError;
use crate::flow::permission;
use crate::model::{Operator, Role};
use crate::state::ConsoleState;
use crate::wire::guard::{NoChange, noted, require_role};

/// What the path of such a request begins with, below the console's routes.
const PREFIX: &str = "/services/";
/// Seconds that a token of ours is good for. The service key itself is passed to no service: a function of
/// the project could give it back.
const TOKEN_SECONDS: i64 = 60;
/// Bytes of a user as auth/v1 describes them.
const LARGEST_USER: usize = 1024 * 1024;
const ROLE: HeaderName = HeaderName::from_static("x-console-role");
const USER: HeaderName = HeaderName::from_static("x-console-user");

/// What the browser says of itself is not passed on.
const OF_THE_BROWSER: [&str; 12] = [
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
    let claims = claims(state, services, operator, path, &parts.headers).await?;
    let target = match parts.uri.query() {
        Some(query) => format!("{place}?{query}"),
        None => place,
    };
    let mut headers = parts.headers.clone();
    OF_THE_BROWSER.into_iter().for_each(|name| drop(headers.remove(name)));
    sign(state, &claims, &mut headers)?;
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
    if is_list {
        response.extensions_mut().insert(NoChange);
    }
    let headers = response.headers_mut();
    OF_THE_SERVICE.into_iter().for_each(|name| drop(headers.remove(name)));
    // What somebody uploaded is no page of the console, whatever it contains.
    let policy = HeaderValue::from_static("default-src 'none'; sandbox; frame-ancestors 'none'");
    headers.insert(header::CONTENT_SECURITY_POLICY, policy);
    Ok(response)
}

/// What a token of ours says.
struct TokenClaims {
    values: Map<String, Value>,
    /// In words, where it is not the service.
    acts_as: Option<String>,
}

impl TokenClaims {
    fn of_role(role: &str) -> Self {
        let mut values = Map::new();
        values.insert("role".to_owned(), role.into());
        Self { values, acts_as: None }
    }
}

/// As whom a request is made: the service, or whom the operator asks for.
async fn claims(
    state: &ConsoleState,
    services: &Router,
    operator: &Operator,
    path: &str,
    headers: &HeaderMap,
) -> Result<TokenClaims, ConsoleError> {
    let text =
        |name: &HeaderName| headers.get(name).map(|value| value.to_str().unwrap_or_default());
    let (role, user) = (text(&ROLE), text(&USER));
    if role.is_none() && user.is_none() {
        return Ok(TokenClaims::of_role("service_role"));
    }
    require_role(operator, Role::Developer)?;
    let wrong = |what: &str| ConsoleError::InvalidRequest(what.to_owned());
    if !permission::may_act_in(path) {
        return Err(wrong("only rest, storage and functions are asked as another role"));
    }
    match (role, user) {
        (Some("anon"), None) => {
            Ok(TokenClaims { acts_as: Some("anon".to_owned()), ..TokenClaims::of_role("anon") })
        }
        (None | Some("authenticated"), Some(user)) => {
            let id = user.parse().map_err(|_| wrong("x-console-user is no UUID"))?;
            claims_of_user(state, services, id).await
        }
        (Some("authenticated"), None) => Ok(TokenClaims {
            acts_as: Some("authenticated".to_owned()),
            ..TokenClaims::of_role("authenticated")
        }),
        _ => Err(wrong("x-console-role is anon or authenticated")),
    }
}

/// The claims that auth/v1 would give a user now.
async fn claims_of_user(
    state: &ConsoleState,
    services: &Router,
    id: Uuid,
) -> Result<TokenClaims, ConsoleError> {
    let target = format!("/auth/v1/admin/users/{id}");
    let mut request = request_to(Method::GET, &target, Body::empty())?;
    sign(state, &TokenClaims::of_role("service_role"), request.headers_mut())?;
    let response = dispatch(services, request).await;
    if !response.status().is_success() {
        return Err(ConsoleError::NoUser);
    }
    let body = to_bytes(response.into_body(), LARGEST_USER).await;
    let user: Value = body
        .ok()
        .and_then(|body| serde_json::from_slice(&body).ok())
        .ok_or(ConsoleError::NoUser)?;
    let mut claims = TokenClaims::of_role("authenticated");
    claims.acts_as = Some(format!("user {id}"));
    claims.values.insert("sub".to_owned(), json!(id));
    claims.values.insert("aud".to_owned(), "authenticated".into());
    claims.values.insert("aal".to_owned(), "aal1".into());
    for name in ["role", "email", "phone", "app_metadata", "user_metadata", "is_anonymous"] {
        if let Some(value) = user.get(name).filter(|value| !value.is_null()) {
            claims.values.insert(name.to_owned(), value.clone());
        }
    }
    // A user whose role was set to the service's would be more than a user.
    let role = user.get("role").and_then(Value::as_str).filter(|role| !role.is_empty());
    if role.is_none_or(|role| role == "service_role") {
        claims.values.insert("role".to_owned(), "authenticated".into());
    }
    Ok(claims)
}

/// Puts a short-lived token on.
fn sign(
    state: &ConsoleState,
    claims: &TokenClaims,
    headers: &mut HeaderMap,
) -> Result<(), ConsoleError> {
    let environment = &state.config().environment;
    let now = environment.clock.unix();
    let mut values = claims.values.clone();
    values.insert("iss".to_owned(), format!("{}/auth/v1", environment.public_url).into());
    values.insert("iat".to_owned(), now.into());
    values.insert("exp".to_owned(), (now + TOKEN_SECONDS).into());
    let token = environment.authenticator.keys().sign(&Value::from(values));
    let token = token.map_err(|error| ConsoleError::Internal(error.to_string()))?;
    let value = |text: String| {
        let mut value = HeaderValue::from_str(&text)
            .map_err(|error| ConsoleError::Internal(error.to_string()))?;
        value.set_sensitive(true);
        Ok::<_, ConsoleError>(value)
    };
    headers.insert(header::AUTHORIZATION, value(format!("Bearer {token}"))?);
    headers.insert("apikey", value(token)?);
    Ok(())
}

fn request_to(method: Method, target: &str, body: Body) -> Result<Request, ConsoleError> {
    let uri: Uri = target.parse().map_err(|_| ConsoleError::InvalidPath("it is no path"))?;
    let mut request = Request::new(body);
    (*request.method_mut(), *request.uri_mut()) = (method, uri);
    Ok(request)
}

async fn dispatch(services: &Router, request: Request) -> Response {
    match services.clone().oneshot(request).await {
        Ok(response) => response,
        Err(never) => match never {},
    }
}
