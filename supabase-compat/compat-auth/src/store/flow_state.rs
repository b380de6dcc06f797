//! `auth.flow_state`: flows that end with a code.

use chrono::{DateTime, Utc};
use sqlx::PgConnection;
use uuid::Uuid;

use super::done;
use crate::model::{Challenge, ChallengeMethod};

/// A new flow.
pub struct NewRow<'a> {
    pub id: Uuid,
    pub user_id: Option<Uuid>,
    pub auth_code: Uuid,
    pub challenge: Option<&'a Challenge>,
    pub provider_type: &'a str,
    pub authentication_method: &'a str,
    pub referrer: &'a str,
    pub linking_target_id: Option<Uuid>,
    pub oauth_client_state_id: Option<Uuid>,
    pub now: DateTime<Utc>,
}

pub async fn insert(conn: &mut PgConnection, row: &NewRow<'_>) -> sqlx::Result<()> {
    done(
        sqlx::query(
            "insert into auth.flow_state (
                id, user_id, auth_code, code_challenge_method, code_challenge, provider_type,
                authentication_method, referrer, linking_target_id, oauth_client_state_id, created_at, updated_at
            )
            values ($1, $2, $3, $4::text::auth.code_challenge_method, $5, $6, $7, $8, $9, $10, $11, $11)",
        )
        .bind(row.id)
        .bind(row.user_id)
        .bind(row.auth_code.to_string())
        .bind(row.challenge.map(|challenge| challenge.method.as_str()))
        .bind(row.challenge.map(|challenge| challenge.value.as_str()))
        .bind(row.provider_type)
        .bind(row.authentication_method)
        .bind(row.referrer)
        .bind(row.linking_target_id)
        .bind(row.oauth_client_state_id)
        .bind(row.now),
        conn,
    )
    .await
}

/// A flow whose code is being exchanged.
#[derive(sqlx_macros::FromRow)]
pub struct FlowState {
    pub id: Uuid,
    pub user_id: Option<Uuid>,
    pub code_challenge: Option<String>,
    pub code_challenge_method: Option<String>,
    pub provider_access_token: Option<String>,
    pub provider_refresh_token: Option<String>,
    pub authentication_method: String,
    pub created_at: Option<DateTime<Utc>>,
    pub auth_code_issued_at: Option<DateTime<Utc>>,
}

impl FlowState {
    /// The client's PKCE challenge; rows from other programs may have none.
    pub fn challenge(&self) -> Option<Challenge> {
        let method = ChallengeMethod::parse(self.code_challenge_method.as_deref()?).ok()?;
        Some(Challenge { value: self.code_challenge.clone()?, method })
    }
}

/// Finds and locks the flow of a code, so that two concurrent exchanges cannot both succeed.
pub async fn by_code(conn: &mut PgConnection, code: &str) -> sqlx::Result<Option<FlowState>> {
    sqlx::query_as(
        "select
            id,
            user_id,
            code_challenge,
            code_challenge_method::text as code_challenge_method,
            provider_access_token,
            provider_refresh_token,
            authentication_method,
            created_at,
            auth_code_issued_at
        from auth.flow_state
        where auth_code = $1
        for update",
    )
    .bind(code)
    .fetch_optional(conn)
    .await
}

/// The code of the user's latest flow of these methods, marked as issued now.
pub async fn issue_latest(
    conn: &mut PgConnection,
    user_id: Uuid,
    methods: &[&str],
    now: DateTime<Utc>,
) -> sqlx::Result<Option<String>> {
    // A mailed token does not identify its flow, so the latest one is used.
    sqlx::query_scalar(
        "update auth.flow_state
        set auth_code_issued_at = $3, updated_at = $3
        where id = (
            select id
            from auth.flow_state
            where user_id = $1
                and authentication_method = any($2)
                and auth_code is not null
            order by created_at desc
            limit 1
        )
        returning auth_code",
    )
    .bind(user_id)
    .bind(methods)
    .bind(now)
    .fetch_optional(conn)
    .await
}

pub async fn delete(conn: &mut PgConnection, id: Uuid) -> sqlx::Result<()> {
    done(sqlx::query("delete from auth.flow_state where id = $1").bind(id), conn).await
}

/// A flow at which a provider's callback arrived.
#[derive(sqlx_macros::FromRow)]
pub struct ExternalFlow {
    pub id: Uuid,
    pub user_id: Option<Uuid>,
    pub auth_code: Option<String>,
    pub code_challenge: Option<String>,
    pub provider_type: String,
    pub referrer: Option<String>,
    pub linking_target_id: Option<Uuid>,
    pub created_at: Option<DateTime<Utc>>,
    pub code_verifier: Option<String>,
}

/// Finds and locks the flow of a provider's `state`, with our PKCE verifier for the provider.
pub async fn by_state(conn: &mut PgConnection, id: Uuid) -> sqlx::Result<Option<ExternalFlow>> {
    sqlx::query_as(
        "select
            flow_state.id,
            flow_state.user_id,
            flow_state.auth_code,
            flow_state.code_challenge,
            flow_state.provider_type,
            flow_state.referrer,
            flow_state.linking_target_id,
            flow_state.created_at,
            oauth_client_states.code_verifier
        from auth.flow_state
        left join auth.oauth_client_states on oauth_client_states.id = flow_state.oauth_client_state_id
        where flow_state.id = $1
        for update of flow_state",
    )
    .bind(id)
    .fetch_optional(conn)
    .await
}

/// Completes a flow whose person is known: its code can be exchanged, and the provider's tokens are
/// stored with it.
pub async fn complete(
    conn: &mut PgConnection,
    id: Uuid,
    user_id: Uuid,
    access_token: &str,
    refresh_token: Option<&str>,
    now: DateTime<Utc>,
) -> sqlx::Result<()> {
    sqlx::query(
        "update auth.flow_state
        set user_id = $2,
            provider_access_token = $3,
            provider_refresh_token = $4,
            auth_code_issued_at = $5,
            updated_at = $5
        where id = $1",
    )
    .bind(id)
    .bind(user_id)
    .bind(access_token)
    .bind(refresh_token)
    .bind(now)
    .execute(conn)
    .await?;
    Ok(())
}

/// Stores our PKCE verifier until the provider's callback.
pub async fn insert_verifier(
    conn: &mut PgConnection,
    id: Uuid,
    provider: &str,
    verifier: &str,
    now: DateTime<Utc>,
) -> sqlx::Result<()> {
    done(
        sqlx::query(
            "insert into auth.oauth_client_states (id, provider_type, code_verifier, created_at)
            values ($1, $2, $3, $4)",
        )
        .bind(id)
        .bind(provider)
        .bind(verifier)
        .bind(now),
        conn,
    )
    .await
}
