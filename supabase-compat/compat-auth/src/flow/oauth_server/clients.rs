//! Managing OAuth clients, applications that sign people in through this service.

use base64::Engine as _;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use uuid::Uuid;

use super::check_enabled;
use crate::error::{AuthError, ClientRefusal, InvalidRequest};
use crate::model::client::{Client, check_redirect_uris, hash_secret};
use crate::state::State;
use crate::store;

/// The fields of a client. On creation absent fields have their defaults; on change they keep their
/// values.
#[derive(Debug, Default)]
pub struct ClientAttributes {
    pub client_name: Option<String>,
    pub client_uri: Option<String>,
    pub logo_uri: Option<String>,
    pub redirect_uris: Option<Vec<String>>,
    pub grant_types: Option<Vec<String>>,
    pub client_type: Option<String>,
    pub token_endpoint_auth_method: Option<String>,
}

/// Creates a client. Its secret is returned only this once.
///
/// # Errors
/// `DisabledFeature::OauthServer`, or malformed fields.
pub async fn create(
    state: &State,
    fields: ClientAttributes,
    registration_type: &str,
) -> Result<(Client, Option<String>), AuthError> {
    check_enabled(state)?;
    let now = state.now();
    let method = fields.token_endpoint_auth_method.clone();
    let public =
        fields.client_type.as_deref() == Some("public") || method.as_deref() == Some("none");
    let default_method = if public { "none" } else { "client_secret_basic" };
    let secret = (!public).then(|| URL_SAFE_NO_PAD.encode(state.environment.entropy.bytes::<32>()));
    let mut client = Client {
        id: state.uuid(),
        client_secret_hash: secret.as_deref().map(hash_secret),
        registration_type: registration_type.to_owned(),
        redirect_uris: String::new(),
        grant_types: "authorization_code,refresh_token".to_owned(),
        client_name: None,
        client_uri: None,
        logo_uri: None,
        client_type: if public { "public" } else { "confidential" }.to_owned(),
        token_endpoint_auth_method: default_method.to_owned(),
        created_at: now,
        updated_at: now,
    };
    // `set_fields` checks the addresses that are given; a new client must have some.
    check_redirect_uris(fields.redirect_uris.as_deref().unwrap_or_default())?;
    set_fields(&mut client, fields)?;
    let mut tx = state.begin().await?;
    store::client::insert(&mut tx, &client).await?;
    tx.commit().await?;
    Ok((client, secret))
}

fn set_fields(client: &mut Client, fields: ClientAttributes) -> Result<(), InvalidRequest> {
    if let Some(uris) = fields.redirect_uris {
        check_redirect_uris(&uris)?;
        client.redirect_uris = uris.join(",");
    }
    if let Some(grants) = fields.grant_types {
        let known =
            |grant: &String| matches!(grant.as_str(), "authorization_code" | "refresh_token");
        if grants.is_empty() || !grants.iter().all(known) {
            return Err(InvalidRequest::GrantTypes);
        }
        client.grant_types = grants.join(",");
    }
    if let Some(method) = fields.token_endpoint_auth_method {
        let fits = match method.as_str() {
            "none" => client.is_public(),
            "client_secret_basic" | "client_secret_post" => !client.is_public(),
            _ => false,
        };
        if !fits {
            return Err(InvalidRequest::ClientAuthMethod);
        }
        client.token_endpoint_auth_method = method;
    }
    if fields.client_name.as_ref().is_some_and(|name| name.chars().count() > 1024) {
        return Err(InvalidRequest::ClientName);
    }
    client.client_name = fields.client_name.or(client.client_name.take());
    client.client_uri = fields.client_uri.or(client.client_uri.take());
    client.logo_uri = fields.logo_uri.or(client.logo_uri.take());
    Ok(())
}

/// # Errors
/// [`ClientRefusal::NotFound`].
pub async fn find(state: &State, id: Uuid) -> Result<Client, AuthError> {
    check_enabled(state)?;
    let mut tx = state.begin().await?;
    store::client::load(&mut tx, id).await?.ok_or(AuthError::Client(ClientRefusal::NotFound))
}

/// One page of clients, and the number of all clients.
pub async fn page(state: &State, limit: i64, offset: i64) -> Result<(Vec<Client>, i64), AuthError> {
    check_enabled(state)?;
    let mut tx = state.begin().await?;
    Ok(store::client::page(&mut tx, limit, offset).await?)
}

/// # Errors
/// [`ClientRefusal::NotFound`], or malformed fields.
pub async fn change(
    state: &State,
    id: Uuid,
    fields: ClientAttributes,
) -> Result<Client, AuthError> {
    let mut client = find(state, id).await?;
    set_fields(&mut client, fields)?;
    client.updated_at = state.now();
    let mut tx = state.begin().await?;
    store::client::update(&mut tx, &client).await?;
    tx.commit().await?;
    Ok(client)
}

/// Replaces the client's secret; the old one is invalid at once.
///
/// # Errors
/// [`ClientRefusal::NotFound`], or the client is public.
pub async fn regenerate_secret(
    state: &State,
    id: Uuid,
) -> Result<(Client, Option<String>), AuthError> {
    let mut client = find(state, id).await?;
    if client.is_public() {
        return Err(InvalidRequest::PublicClientSecret.into());
    }
    let secret = URL_SAFE_NO_PAD.encode(state.environment.entropy.bytes::<32>());
    client.client_secret_hash = Some(hash_secret(&secret));
    client.updated_at = state.now();
    let mut tx = state.begin().await?;
    store::client::update(&mut tx, &client).await?;
    tx.commit().await?;
    Ok((client, Some(secret)))
}

/// # Errors
/// [`ClientRefusal::NotFound`].
pub async fn delete(state: &State, id: Uuid) -> Result<(), AuthError> {
    find(state, id).await?;
    let mut tx = state.begin().await?;
    store::client::delete(&mut tx, id, state.now()).await?;
    tx.commit().await?;
    Ok(())
}
