//! The role or user in whose name a service is called, and the token for it.

use axum::Router;
use axum::body::{Body, to_bytes};
use http::Method;
use serde_json::{Map, Value, json};
use uuid::Uuid;

use crate::error::ConsoleError;
use crate::flow::permission;
use crate::model::{Operator, Role};
use crate::state::ConsoleState;
use crate::wire::guard::require_role;
use crate::wire::services::{dispatch, request_to, sign};

/// The largest description of a user by auth/v1, in bytes.
const LARGEST_USER: usize = 1024 * 1024;

/// The claims of a token that the console issues.
pub(crate) struct TokenClaims {
    pub values: Map<String, Value>,
    /// The role or user as text for the audit log; none for the service role.
    pub acts_as: Option<String>,
}

impl TokenClaims {
    fn of_role(role: &str) -> Self {
        let mut values = Map::new();
        values.insert("role".to_owned(), role.into());
        Self { values, acts_as: None }
    }
}

/// The role or user that an operator requests; neither means the service role.
#[derive(Clone, Copy, Default)]
pub(crate) struct RequestedCaller<'a> {
    pub role: Option<&'a str>,
    pub user: Option<&'a str>,
}

/// The claims for a request to this path.
pub(crate) async fn claims(
    state: &ConsoleState,
    services: &Router,
    operator: &Operator,
    path: &str,
    requested: RequestedCaller<'_>,
) -> Result<TokenClaims, ConsoleError> {
    let RequestedCaller { role, user } = requested;
    if role.is_none() && user.is_none() {
        return Ok(TokenClaims::of_role("service_role"));
    }
    require_role(operator, Role::Developer)?;
    let wrong = |message: &str| ConsoleError::InvalidRequest(message.to_owned());
    if !permission::may_act_in(path) {
        return Err(wrong("only rest, storage, functions and realtime are asked as another role"));
    }
    match (role, user) {
        (Some("anon"), None) => {
            Ok(TokenClaims { acts_as: Some("anon".to_owned()), ..TokenClaims::of_role("anon") })
        }
        (None | Some("authenticated"), Some(user)) => {
            let id = user.parse().map_err(|_| wrong("the user is no UUID"))?;
            claims_of_user(state, services, id).await
        }
        (Some("authenticated"), None) => Ok(TokenClaims {
            acts_as: Some("authenticated".to_owned()),
            ..TokenClaims::of_role("authenticated")
        }),
        _ => Err(wrong("the role is anon or authenticated")),
    }
}

/// The claims that auth/v1 would currently issue to a user.
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
    // A user with the role `service_role` would have all rights.
    let role = user.get("role").and_then(Value::as_str).filter(|role| !role.is_empty());
    if role.is_none_or(|role| role == "service_role") {
        claims.values.insert("role".to_owned(), "authenticated".into());
    }
    Ok(claims)
}

/// A token with these claims, valid for this time.
pub(crate) fn token(
    state: &ConsoleState,
    claims: &TokenClaims,
    seconds: i64,
) -> Result<String, ConsoleError> {
    let environment = &state.config().environment;
    let now = environment.clock.unix();
    let mut values = claims.values.clone();
    values.insert("iss".to_owned(), format!("{}/auth/v1", environment.public_url).into());
    values.insert("iat".to_owned(), now.into());
    values.insert("exp".to_owned(), (now + seconds).into());
    let token = environment.authenticator.keys().sign(&Value::from(values));
    token.map_err(|error| ConsoleError::Internal(error.to_string()))
}
