//! The audit log: who did what.

use serde_json::{Value, json};
use sqlx::PgConnection;

use crate::error::AuthError;
use crate::model::{RequestContext, User};
use crate::state::State;
use crate::store;

/// The actions that the audit log records.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Action {
    Login,
    Logout,
    UserSignedUp,
    UserInvited,
    UserDeleted,
    UserModified,
    RecoveryRequested,
    ReauthenticateRequested,
    ConfirmationRequested,
    RepeatedSignup,
    UpdatedPassword,
    TokenRevoked,
    TokenRefreshed,
    FactorInProgress,
    FactorUnenrolled,
    ChallengeCreated,
    VerificationAttempted,
    FactorDeleted,
    FactorUpdated,
    IdentityLinked,
    IdentityUnlinked,
    PasskeyCreated,
    PasskeyUpdated,
    PasskeyDeleted,
}

impl Action {
    fn name(self) -> &'static str {
        match self {
            Self::Login => "login",
            Self::Logout => "logout",
            Self::UserSignedUp => "user_signedup",
            Self::UserInvited => "user_invited",
            Self::UserDeleted => "user_deleted",
            Self::UserModified => "user_modified",
            Self::RecoveryRequested => "user_recovery_requested",
            Self::ReauthenticateRequested => "user_reauthenticate_requested",
            Self::ConfirmationRequested => "user_confirmation_requested",
            Self::RepeatedSignup => "user_repeated_signup",
            Self::UpdatedPassword => "user_updated_password",
            Self::TokenRevoked => "token_revoked",
            Self::TokenRefreshed => "token_refreshed",
            Self::FactorInProgress => "factor_in_progress",
            Self::FactorUnenrolled => "factor_unenrolled",
            Self::ChallengeCreated => "challenge_created",
            Self::VerificationAttempted => "verification_attempted",
            Self::FactorDeleted => "factor_deleted",
            Self::FactorUpdated => "factor_updated",
            Self::IdentityLinked => "identity_linked",
            Self::IdentityUnlinked => "identity_unlinked",
            Self::PasskeyCreated => "passkey_created",
            Self::PasskeyUpdated => "passkey_updated",
            Self::PasskeyDeleted => "passkey_deleted",
        }
    }

    fn log_type(self) -> &'static str {
        match self {
            Self::Login | Self::Logout => "account",
            Self::UserSignedUp | Self::UserInvited | Self::UserDeleted => "team",
            Self::TokenRevoked | Self::TokenRefreshed => "token",
            Self::FactorInProgress
            | Self::FactorUnenrolled
            | Self::ChallengeCreated
            | Self::VerificationAttempted
            | Self::FactorDeleted
            | Self::FactorUpdated => "factor",
            _ => "user",
        }
    }
}

/// Records that `user` did `action`.
pub async fn record(
    state: &State,
    conn: &mut PgConnection,
    context: &RequestContext,
    user: &User,
    action: Action,
    traits: Option<Value>,
) -> Result<(), AuthError> {
    let name = if user.email().is_empty() { user.phone() } else { user.email() };
    let mut payload = json!({
        "action": action.name(),
        "actor_id": user.id,
        "actor_username": name,
        "actor_via_sso": user.is_sso_user,
        "log_type": action.log_type(),
    });
    if let Some(full_name) = user.user_metadata().get("full_name") {
        payload["actor_name"] = full_name.clone();
    }
    if let Some(traits) = traits {
        payload["traits"] = traits;
    }
    write(state, conn, context, &payload).await
}

/// Records what an administrator, who has no account, did to `user`.
pub async fn record_by_admin(
    state: &State,
    conn: &mut PgConnection,
    context: &RequestContext,
    user: &User,
    action: Action,
) -> Result<(), AuthError> {
    let payload = json!({
        "action": action.name(),
        "actor_id": uuid::Uuid::nil(),
        "actor_username": "service_role",
        "actor_via_sso": false,
        "log_type": action.log_type(),
        "traits": {
            "user_email": user.email(),
            "user_id": user.id,
            "user_phone": user.phone(),
        },
    });
    write(state, conn, context, &payload).await
}

async fn write(
    state: &State,
    conn: &mut PgConnection,
    context: &RequestContext,
    payload: &Value,
) -> Result<(), AuthError> {
    if state.config.audit_log_disabled {
        return Ok(());
    }
    let ip = context.ip.to_string();
    store::audit::insert(conn, state.uuid(), payload, &ip, state.now()).await?;
    Ok(())
}
