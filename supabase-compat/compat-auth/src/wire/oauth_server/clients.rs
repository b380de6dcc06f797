//! `/admin/oauth/clients` and `POST /oauth/clients/register`

use axum::extract::{Path, Request, State as Extract};
use axum::response::{IntoResponse as _, Response};
use http::StatusCode;
use serde::Deserialize;
use serde_json::{Value, json};

use crate::error::{AuthError, ClientRefusal};
use crate::flow::oauth_server::clients::{self, ClientAttributes};
use crate::model::client::Client;
use crate::state::State;
use crate::wire::admin::page::Page;
use crate::wire::admin::users::id;
use crate::wire::body::Body;
use crate::wire::extract::Admin;

#[derive(Debug, Deserialize)]
pub struct ClientBody {
    client_name: Option<String>,
    client_uri: Option<String>,
    logo_uri: Option<String>,
    redirect_uris: Option<Vec<String>>,
    grant_types: Option<Vec<String>>,
    client_type: Option<String>,
    token_endpoint_auth_method: Option<String>,
}

impl From<ClientBody> for ClientAttributes {
    fn from(body: ClientBody) -> Self {
        Self {
            client_name: body.client_name,
            client_uri: body.client_uri,
            logo_uri: body.logo_uri,
            redirect_uris: body.redirect_uris,
            grant_types: body.grant_types,
            client_type: body.client_type,
            token_endpoint_auth_method: body.token_endpoint_auth_method,
        }
    }
}

/// The JSON of a client; it contains the secret only right after the secret was created.
fn client_json(client: &Client, secret: Option<&str>) -> Value {
    let mut body = json!({
        "client_id": client.id,
        "client_type": client.client_type,
        "redirect_uris": client.redirect_uris(),
        "token_endpoint_auth_method": client.token_endpoint_auth_method,
        "grant_types": client.grant_types(),
        "response_types": ["code"],
        "client_name": client.client_name.as_deref().unwrap_or_default(),
        "registration_type": client.registration_type,
        "created_at": client.created_at,
        "updated_at": client.updated_at,
    });
    let optional = [
        ("client_secret", secret),
        ("client_uri", client.client_uri.as_deref()),
        ("logo_uri", client.logo_uri.as_deref()),
    ];
    for (name, value) in optional {
        if let Some(value) = value.filter(|value| !value.is_empty()) {
            body[name] = json!(value);
        }
    }
    body
}

/// `GET /admin/oauth/clients`
pub async fn list(
    Extract(state): Extract<State>,
    _: Admin,
    request: Request,
) -> Result<Response, AuthError> {
    let (parts, _) = request.into_parts();
    let page = Page::requested(&parts)?;
    let (clients, total) = clients::page(&state, page.size, page.offset()).await?;
    let clients: Vec<Value> = clients.iter().map(|client| client_json(client, None)).collect();
    let body = json!({"clients": clients, "aud": state.config.jwt_aud});
    let answer = compat_http::json(StatusCode::OK, &body);
    Ok(page.describe(answer, "/admin/oauth/clients", total))
}

/// `POST /admin/oauth/clients`
pub async fn create(
    Extract(state): Extract<State>,
    _: Admin,
    Body(body): Body<ClientBody>,
) -> Result<Response, AuthError> {
    let (client, secret) = clients::create(&state, body.into(), "manual").await?;
    Ok(compat_http::json(StatusCode::CREATED, &client_json(&client, secret.as_deref())))
}

/// `POST /oauth/clients/register` (RFC 7591), if dynamic registration is enabled.
pub async fn register(
    Extract(state): Extract<State>,
    Body(body): Body<ClientBody>,
) -> Result<Response, AuthError> {
    if !state.config.oauth_server.allow_dynamic_registration {
        return Err(ClientRefusal::RegistrationDisabled.into());
    }
    let (client, secret) = clients::create(&state, body.into(), "dynamic").await?;
    Ok(compat_http::json(StatusCode::CREATED, &client_json(&client, secret.as_deref())))
}

/// `GET /admin/oauth/clients/{id}`
pub async fn get(
    Extract(state): Extract<State>,
    _: Admin,
    Path(client_id): Path<String>,
) -> Result<Response, AuthError> {
    let client = clients::find(&state, id("client_id", &client_id)?).await?;
    Ok(compat_http::json(StatusCode::OK, &client_json(&client, None)))
}

/// `PUT /admin/oauth/clients/{id}`
pub async fn put(
    Extract(state): Extract<State>,
    _: Admin,
    Path(client_id): Path<String>,
    Body(body): Body<ClientBody>,
) -> Result<Response, AuthError> {
    let client = clients::change(&state, id("client_id", &client_id)?, body.into()).await?;
    Ok(compat_http::json(StatusCode::OK, &client_json(&client, None)))
}

/// `DELETE /admin/oauth/clients/{id}`
pub async fn delete(
    Extract(state): Extract<State>,
    _: Admin,
    Path(client_id): Path<String>,
) -> Result<Response, AuthError> {
    clients::delete(&state, id("client_id", &client_id)?).await?;
    Ok(StatusCode::NO_CONTENT.into_response())
}

/// `POST /admin/oauth/clients/{id}/regenerate_secret`
pub async fn regenerate_secret(
    Extract(state): Extract<State>,
    _: Admin,
    Path(client_id): Path<String>,
) -> Result<Response, AuthError> {
    let id = id("client_id", &client_id)?;
    let (client, secret) = clients::regenerate_secret(&state, id).await?;
    Ok(compat_http::json(StatusCode::OK, &client_json(&client, secret.as_deref())))
}
