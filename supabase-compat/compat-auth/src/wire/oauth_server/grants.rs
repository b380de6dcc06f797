//! `/user/oauth/grants`: the consents that a person gave to applications.

use axum::extract::{Request, State as Extract};
use axum::response::{IntoResponse as _, Response};
use http::StatusCode;
use serde_json::{Value, json};

use crate::error::{AuthError, InvalidRequest};
use crate::flow::oauth_server::grants;
use crate::state::State;
use crate::wire::extract::{SignedInUser, query};

/// `GET /user/oauth/grants`
pub async fn list(
    Extract(state): Extract<State>,
    SignedInUser(caller): SignedInUser,
) -> Result<Response, AuthError> {
    let grants = grants::list(&state, &caller).await?;
    let body: Vec<Value> = grants
        .iter()
        .map(|grant| {
            json!({
                "client": {
                    "id": grant.client_id,
                    "name": grant.client_name.as_deref().unwrap_or_default(),
                    "uri": grant.client_uri.as_deref().unwrap_or_default(),
                    "logo_uri": grant.logo_uri.as_deref().unwrap_or_default(),
                },
                "scopes": grant.scopes.split(' ').collect::<Vec<_>>(),
                "granted_at": grant.granted_at,
            })
        })
        .collect();
    Ok(compat_http::json(StatusCode::OK, &body))
}

/// `DELETE /user/oauth/grants?client_id=…`
pub async fn delete(
    Extract(state): Extract<State>,
    SignedInUser(caller): SignedInUser,
    request: Request,
) -> Result<Response, AuthError> {
    let (parts, _) = request.into_parts();
    let client = query(&parts, "client_id").unwrap_or_default();
    let client = client.parse().map_err(|_| InvalidRequest::ClientId)?;
    grants::revoke(&state, &caller, client).await?;
    Ok(StatusCode::NO_CONTENT.into_response())
}
