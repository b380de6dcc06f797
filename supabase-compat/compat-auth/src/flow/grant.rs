//! Opening sessions and signing access tokens.

use serde::Serialize;
use serde_json::Value;
use uuid::Uuid;

use crate::account::CreatedAccount;
use crate::error::{AccountRefusal, AuthError};
use crate::hook;
use crate::model::metadata::Metadata;
use crate::model::{Amr, RequestContext, Session, User, session};
use crate::state::State;
use crate::store;
use crate::unit_of_work::UnitOfWork;

/// The tokens and data that a person receives after authentication.
pub struct Grant {
    pub access_token: String,
    pub expires_in: i64,
    pub expires_at: i64,
    pub refresh_token: String,
    pub session_id: Uuid,
    pub user: User,
    /// The scope of an application's session; `None` for our own sessions.
    pub scope: Option<String>,
    pub provider_token: Option<String>,
    pub provider_refresh_token: Option<String>,
    /// Set if the password is correct but breaks today's rules: the message and the reasons.
    pub weak_password: Option<(String, Vec<&'static str>)>,
}

/// A new or continued session in a transaction that is not committed yet.
#[must_use = "a session is handed out after the commit"]
pub struct OpenSession {
    user: User,
    session: Session,
    claims: Value,
    expires_at: i64,
    /// The last authentication method of the session.
    method: String,
    refresh_token: String,
    /// Whether the session is new, so that it ends again if its token cannot be signed.
    is_new: bool,
}

/// Opens a session for `user`, authenticated by `method`.
///
/// # Errors
/// The account was deleted, or a hook refuses.
pub async fn open(
    work: &mut UnitOfWork<'_>,
    user: Uuid,
    method: &str,
) -> Result<OpenSession, AuthError> {
    open_for(work, user, method, None).await
}

/// Like [`open`], for an application with its scopes.
///
/// # Errors
/// As [`open`].
pub async fn open_for(
    work: &mut UnitOfWork<'_>,
    user: Uuid,
    method: &str,
    client: Option<(Uuid, &str)>,
) -> Result<OpenSession, AuthError> {
    let (state, context, now) = (work.state, work.context, work.now());
    let refresh_token = state.environment.entropy.alphanumeric_lower(12);
    let new = store::session::NewSession {
        id: state.uuid(),
        user_id: user,
        user_agent: &context.user_agent,
        ip: context.ip,
        client,
        method_id: state.uuid(),
        method,
        refresh_token: &refresh_token,
        now,
    };
    store::session::open(&mut work.tx, &new).await?;
    // Built from the written values: reading the row back would cost a round trip.
    let session = Session {
        id: new.id,
        user_id: user,
        created_at: Some(now),
        aal: Some("aal1".to_owned()),
        not_after: None,
        refreshed_at: None,
        oauth_client_id: client.map(|(id, _)| id),
        scopes: client.map(|(_, scopes)| scopes.to_owned()),
    };
    let user = store::user::sign_in(&mut work.tx, user, now).await?;
    let user = user.ok_or(AccountRefusal::UserNotFound)?;
    let amr = [Amr { authentication_method: method.to_owned(), updated_at: now }];
    let going_on = go_on(work, user, session, &amr, refresh_token).await?;
    Ok(OpenSession { is_new: true, ..going_on })
}

/// Continues `session` with a new refresh token.
///
/// # Errors
/// A hook refuses.
pub async fn go_on(
    work: &mut UnitOfWork<'_>,
    user: User,
    session: Session,
    amr: &[Amr],
    refresh_token: String,
) -> Result<OpenSession, AuthError> {
    let (claims, expires_at) = claims(work.state, &user, &session, amr)?;
    let method = amr.first().map_or("token_refresh", |entry| entry.authentication_method.as_str());
    let claims = hook::custom_access_token_within(work, claims, method).await?;
    let method = method.to_owned();
    Ok(OpenSession { user, session, claims, expires_at, method, refresh_token, is_new: false })
}

impl OpenSession {
    /// Commits, calls the hooks that run after the commit, and signs the access token.
    ///
    /// # Errors
    /// A hook refuses or fails. A new session then ends again; everything else that was committed
    /// stays.
    pub async fn issue_grant(
        self,
        work: UnitOfWork<'_>,
        new_account: Option<CreatedAccount>,
    ) -> Result<Grant, AuthError> {
        let (state, context) = (work.state, work.context);
        let (session, is_new) = (self.session.id, self.is_new);
        work.commit().await?;
        let signed = async {
            if let Some(new_account) = new_account {
                new_account.notify_hooks(state, context).await?;
            }
            self.sign(state, context).await
        };
        let signed = signed.await;
        if signed.is_err() && is_new {
            let mut tx = state.begin().await?;
            store::session::delete(&mut tx, session).await?;
            tx.commit().await?;
        }
        signed
    }

    async fn sign(self, state: &State, context: &RequestContext) -> Result<Grant, AuthError> {
        let claims = hook::custom_access_token(state, context, self.claims, &self.method).await?;
        Ok(Grant {
            access_token: state.keys.sign(&claims).map_err(AuthError::internal)?,
            expires_in: state.config.jwt_exp,
            expires_at: self.expires_at,
            refresh_token: self.refresh_token,
            session_id: self.session.id,
            scope: self.session.scopes,
            user: self.user,
            provider_token: None,
            provider_refresh_token: None,
            weak_password: None,
        })
    }
}

/// The claims of an access token, in the original's order.
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
    let now = state.environment.clock.unix();
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
