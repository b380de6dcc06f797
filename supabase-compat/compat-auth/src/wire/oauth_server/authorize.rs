//! `/oauth/authorize` and `/oauth/authorizations/{id}`

use axum::extract::{Path, Request, State as Extract};
use axum::response::Response;
use http::StatusCode;
use serde::Deserialize;
use serde_json::json;

use crate::error::AuthError;
use crate::flow::oauth_server::authorize::{AuthorizationRequest, ConsentView, ask, decide, view};
use crate::state::State;
use crate::wire::body::Body;
use crate::wire::extract::{SignedInUser, pairs};
use crate::wire::oauth::{redirect, value};

/// `GET /oauth/authorize`: redirects to the consent page, or back to the client with a refusal.
pub async fn get_authorize(
    Extract(state): Extract<State>,
    request: Request,
) -> Result<Response, AuthError> {
    let pairs = pairs(request.uri());
    let authorization = AuthorizationRequest {
        client_id: value(&pairs, "client_id"),
        redirect_uri: value(&pairs, "redirect_uri"),
        response_type: value(&pairs, "response_type"),
        scope: value(&pairs, "scope"),
        state: value(&pairs, "state"),
        code_challenge: value(&pairs, "code_challenge"),
        code_challenge_method: value(&pairs, "code_challenge_method"),
        nonce: value(&pairs, "nonce"),
        resource: value(&pairs, "resource"),
    };
    Ok(redirect(&ask(&state, authorization).await?))
}

/// `GET /oauth/authorizations/{id}`
pub async fn get(
    Extract(state): Extract<State>,
    SignedInUser(caller): SignedInUser,
    Path(id): Path<String>,
) -> Result<Response, AuthError> {
    let body = match view(&state, &caller, &id).await? {
        ConsentView::Redirect(url) => json!({"redirect_url": url}),
        ConsentView::Details { authorization, client } => json!({
            "authorization_id": authorization.authorization_id,
            "redirect_uri": authorization.redirect_uri,
            "client": {
                "id": client.id,
                "name": client.client_name.as_deref().unwrap_or_default(),
                "uri": client.client_uri.as_deref().unwrap_or_default(),
                "logo_uri": client.logo_uri.as_deref().unwrap_or_default(),
            },
            "user": {"id": caller.user.id, "email": caller.user.email()},
            "scope": authorization.scope,
        }),
    };
    Ok(compat_http::json(StatusCode::OK, &body))
}

#[derive(Debug, Deserialize)]
pub struct ConsentBody {
    action: Option<String>,
}

/// `POST /oauth/authorizations/{id}/consent`
pub async fn post_consent(
    Extract(state): Extract<State>,
    SignedInUser(caller): SignedInUser,
    Path(id): Path<String>,
    Body(body): Body<ConsentBody>,
) -> Result<Response, AuthError> {
    let action = body.action.as_deref().unwrap_or_default();
    let url = decide(&state, &caller, &id, action).await?;
    Ok(compat_http::json(StatusCode::OK, &json!({"redirect_url": url})))
}
