//! `auth.flow_state`: flows that will come back with a code.

use chrono::{DateTime, Utc};
use sqlx::PgConnection;
use uuid::Uuid;

use crate::model::{Challenge, ChallengeMethod};

/// A flow as it begins.
pub struct NewRow<'a> {
    pub id: Uuid,
    pub user_id: Option<Uuid>,
    pub auth_code: Uuid,
    pub challenge: Option<&'a Challenge>,
    pub provider_type: &'a str,
    pub authentication_method: &'a str,
    pub referrer: &'a str,
    pub linking_target_id: Option<Uuid>,
    pub now: DateTime<Utc>,
}

pub async fn insert(conn: &mut PgConnection, row: &NewRow<'_>) -> sqlx::Result<()> {
    sqlx::query(
        "insert into auth.flow_state (
            id, user_id, auth_code, code_challenge_method, code_challenge, provider_type,
            authentication_method, referrer, linking_target_id, created_at, updated_at
        )
        values ($1, $2, $3, $4::text::auth.code_challenge_method, $5, $6, $7, $8, $9, $10, $10)",
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
    .bind(row.now)
    .execute(conn)
    .await?;
    Ok(())
}

/// A flow whose code is being exchanged.
#[derive(sqlx::FromRow)]
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
    /// What the client has to prove; rows of other origin may hold none.
    pub fn challenge(&self) -> Option<Challenge> {
        let method = ChallengeMethod::parse(self.code_challenge_method.as_deref()?).ok()?;
        Some(Challenge { value: self.code_challenge.clone()?, method })
    }
}

/// Finds and locks the flow of a code, so that two exchanges of it cannot both succeed.
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

/// The code of the user's latest flow of these methods, stamped as handed out now.
pub async fn issue_latest(
    conn: &mut PgConnection,
    user_id: Uuid,
    methods: &[&str],
    now: DateTime<Utc>,
) -> sqlx::Result<Option<String>> {
    sqlx::query_scalar(
        "update auth.flow_state
        set auth_code_issued_at = $3, updated_at = $3
        where id = (
            select id
            from auth.flow_state
            where user_id = $1
                and authentication_method = any($2)
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
    sqlx::query("delete from auth.flow_state where id = $1").bind(id).execute(conn).await?;
    Ok(())
}
