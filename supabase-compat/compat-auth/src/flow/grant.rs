//! Opening sessions and signing access tokens.

use compat_pg::Owner;
use serde::Serialize;
use serde_json::Value;
use sqlx::PgConnection;
use uuid::Uuid;

use super::{Visit, hook};
use crate::error::{AccountRefusal, AskerRefusal, AuthError};
use crate::model::metadata::Metadata;
use crate::model::{Amr, Session, User, session};
use crate::state::State;
use crate::store;

/// Everything a person who just proved themself is given.
pub struct Grant {
    pub access_token: String,
    pub expires_in: i64,
    pub expires_at: i64,
    pub refresh_token: String,
    pub session_id: Uuid,
    pub user: User,
    /// What an application's session may see; none for our own.
    pub scope: Option<String>,
    pub provider_token: Option<String>,
    pub provider_refresh_token: Option<String>,
    /// The password was right and breaks today's rules: their texts and reasons.
    pub weak_password: Option<(String, Vec<&'static str>)>,
}

/// Opens a session for `user`, authenticated by `method`, and signs its first tokens.
pub async fn open(
    state: &State,
    tx: &mut Owner,
    visit: &Visit,
    user: Uuid,
    method: &str,
) -> Result<Grant, AuthError> {
    open_for(state, tx, visit, user, method, None).await
}

/// The same for an application, within its scopes.
pub async fn open_for(
    state: &State,
    tx: &mut Owner,
    visit: &Visit,
    user: Uuid,
    method: &str,
    client: Option<(Uuid, &str)>,
) -> Result<Grant, AuthError> {
    let now = state.now();
    let session_id = state.uuid();
    let token = state.edge.entropy.alphanumeric_lower(12);
    store::session::insert(tx, session_id, user, &visit.user_agent, visit.ip, now).await?;
    if let Some((client, scopes)) = client {
        store::oauth_server::bind_session(tx, session_id, client, scopes).await?;
    }
    store::session::add_amr(tx, state.uuid(), session_id, method, now).await?;
    store::refresh_token::insert(tx, &token, user, session_id, None, now).await?;
    store::user::set_last_sign_in(tx, user, now).await?;
    with_refresh_token(state, tx, user, session_id, token).await
}

/// Signs an access token of an open session and hands it out with `refresh_token`.
pub async fn with_refresh_token(
    state: &State,
    conn: &mut PgConnection,
    user: Uuid,
    session_id: Uuid,
    refresh_token: String,
) -> Result<Grant, AuthError> {
    let user = store::user::load(conn, user).await?.ok_or(AccountRefusal::UserNotFound)?;
    let session = store::session::load(conn, session_id).await?.ok_or(AskerRefusal::SessionGone)?;
    let amr = store::session::amr(conn, session_id).await?;
    let (claims, expires_at) = claims(state, &user, &session, &amr)?;
    let method = amr.first().map_or("token_refresh", |entry| entry.authentication_method.as_str());
    let claims = hook::custom_access_token(state, conn, claims, method).await?;
    let access_token = state.keys.sign(&claims).map_err(AuthError::internal)?;
    Ok(Grant {
        access_token,
        expires_in: state.config.jwt_exp,
        expires_at,
        refresh_token,
        session_id,
        scope: session.scopes,
        user,
        provider_token: None,
        provider_refresh_token: None,
        weak_password: None,
    })
}

/// The claims, in the original's order.
#[derive(Serialize)]
struct AccessClaims<'a> {
    iss: String,
    sub: Uuid,
    aud: &'a str,
    exp: i64,
    iat: i64,
    email: &'a str,
    phone: &'a str,
    app_metadata: Metadata,
    user_metadata: Metadata,
    role: &'a str,
    aal: &'static str,
    amr: Value,
    session_id: Uuid,
    is_anonymous: bool,
    #[serde(skip_serializing_if = "Option::is_none")]
    client_id: Option<Uuid>,
    #[serde(skip_serializing_if = "Option::is_none")]
    scope: Option<&'a str>,
}

fn claims(
    state: &State,
    user: &User,
    opened: &Session,
    amr: &[Amr],
) -> Result<(Value, i64), AuthError> {
    let now = state.edge.clock.unix();
    let exp = now + state.config.jwt_exp;
    let claims = AccessClaims {
        iss: state.issuer(),
        sub: user.id,
        aud: user.aud.as_deref().unwrap_or_default(),
        exp,
        iat: now,
        email: user.email(),
        phone: user.phone(),
        app_metadata: user.app_metadata(),
        user_metadata: user.user_metadata(),
        role: user.role.as_deref().unwrap_or_default(),
        aal: session::aal(amr),
        amr: session::amr_claim(amr),
        session_id: opened.id,
        is_anonymous: user.is_anonymous,
        client_id: opened.oauth_client_id,
        scope: opened.scopes.as_deref(),
    };
    Ok((serde_json::to_value(&claims).map_err(AuthError::internal)?, exp))
}
