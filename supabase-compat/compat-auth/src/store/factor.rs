//! `auth.mfa_factors` and their challenges.

use std::net::IpAddr;

use super::done;

use chrono::{DateTime, Utc};
use serde_json::Value;
use sqlx::PgConnection;
use uuid::Uuid;

/// The data of a factor that verification needs.
#[derive(sqlx_macros::FromRow)]
pub struct FactorSecret {
    pub id: Uuid,
    pub factor_type: String,
    pub status: String,
    pub secret: Option<String>,
    pub phone: Option<String>,
    pub last_challenged_at: Option<DateTime<Utc>>,
    pub web_authn_credential: Option<Value>,
}

/// A new enrolment.
pub struct NewRow<'a> {
    pub id: Uuid,
    pub user_id: Uuid,
    pub friendly_name: &'a str,
    pub factor_type: &'a str,
    pub secret: Option<&'a str>,
    pub phone: Option<&'a str>,
    pub now: DateTime<Utc>,
}

pub async fn insert(conn: &mut PgConnection, row: &NewRow<'_>) -> sqlx::Result<()> {
    done(
        sqlx::query(
            "insert into auth.mfa_factors (
                id, user_id, friendly_name, factor_type, status, secret, phone, created_at, updated_at
            )
            values ($1, $2, $3, $4::text::auth.factor_type, 'unverified', $5, $6, $7, $7)",
        )
        .bind(row.id)
        .bind(row.user_id)
        .bind(row.friendly_name)
        .bind(row.factor_type)
        .bind(row.secret)
        .bind(row.phone)
        .bind(row.now),
        conn,
    )
    .await
}

pub async fn has_verified_phone(
    conn: &mut PgConnection,
    user_id: Uuid,
    phone: &str,
) -> sqlx::Result<bool> {
    sqlx::query_scalar(
        "select exists (
            select
            from auth.mfa_factors
            where user_id = $1
                and phone = $2
                and status = 'verified'
        )",
    )
    .bind(user_id)
    .bind(phone)
    .fetch_one(conn)
    .await
}

pub async fn delete_phone(conn: &mut PgConnection, user_id: Uuid, phone: &str) -> sqlx::Result<()> {
    done(
        sqlx::query("delete from auth.mfa_factors where user_id = $1 and phone = $2")
            .bind(user_id)
            .bind(phone),
        conn,
    )
    .await
}

/// Loads and locks a factor of this user.
pub async fn load(
    conn: &mut PgConnection,
    id: Uuid,
    user_id: Uuid,
) -> sqlx::Result<Option<FactorSecret>> {
    sqlx::query_as(
        "select
            id,
            factor_type::text as factor_type,
            status::text as status,
            secret,
            phone,
            last_challenged_at,
            web_authn_credential
        from auth.mfa_factors
        where id = $1
            and user_id = $2
        for update",
    )
    .bind(id)
    .bind(user_id)
    .fetch_optional(conn)
    .await
}

pub async fn set_verified(
    conn: &mut PgConnection,
    id: Uuid,
    now: DateTime<Utc>,
) -> sqlx::Result<()> {
    done(
        sqlx::query(
            "update auth.mfa_factors set status = 'verified', updated_at = $2 where id = $1",
        )
        .bind(id)
        .bind(now),
        conn,
    )
    .await
}

pub async fn set_name(
    conn: &mut PgConnection,
    id: Uuid,
    friendly_name: &str,
    now: DateTime<Utc>,
) -> sqlx::Result<()> {
    done(
        sqlx::query(
            "update auth.mfa_factors set friendly_name = $2, updated_at = $3 where id = $1",
        )
        .bind(id)
        .bind(friendly_name)
        .bind(now),
        conn,
    )
    .await
}

pub async fn delete(conn: &mut PgConnection, id: Uuid) -> sqlx::Result<()> {
    done(sqlx::query("delete from auth.mfa_factors where id = $1").bind(id), conn).await
}

pub async fn delete_of_user(conn: &mut PgConnection, user_id: Uuid) -> sqlx::Result<()> {
    sqlx::query("delete from auth.mfa_factors where user_id = $1")
        .bind(user_id)
        .execute(conn)
        .await?;
    Ok(())
}

/// Deletes the user's other unfinished enrolments of one type.
pub async fn delete_other_unverified(
    conn: &mut PgConnection,
    user_id: Uuid,
    factor_type: &str,
    factor_id: Uuid,
) -> sqlx::Result<()> {
    done(
        sqlx::query(
            "delete from auth.mfa_factors
            where user_id = $1
                and factor_type = $2::text::auth.factor_type
                and status = 'unverified'
                and id <> $3",
        )
        .bind(user_id)
        .bind(factor_type)
        .bind(factor_id),
        conn,
    )
    .await
}

/// Deletes the user's enrolments that began before `before` and were never challenged.
pub async fn delete_abandoned(
    conn: &mut PgConnection,
    user_id: Uuid,
    before: DateTime<Utc>,
) -> sqlx::Result<()> {
    done(
        sqlx::query(
            "delete from auth.mfa_factors
            where user_id = $1
                and status = 'unverified'
                and created_at < $2
                and last_challenged_at is null",
        )
        .bind(user_id)
        .bind(before),
        conn,
    )
    .await
}

/// The data of a challenge with which its response is verified.
#[derive(Default)]
pub struct ChallengeState {
    /// The hash of a code by text message.
    pub code: Option<String>,
    pub ceremony: Option<Value>,
}

/// Inserts a challenge; `last_challenged_at` is unique, so a factor is challenged once per moment.
pub async fn insert_challenge(
    conn: &mut PgConnection,
    id: Uuid,
    factor_id: Uuid,
    ip: IpAddr,
    state: &ChallengeState,
    now: DateTime<Utc>,
) -> sqlx::Result<()> {
    sqlx::query(
        "insert into auth.mfa_challenges (
            id, factor_id, ip_address, otp_code, web_authn_session_data, created_at
        )
        values ($1, $2, $3::text::inet, $4, $5, $6)",
    )
    .bind(id)
    .bind(factor_id)
    .bind(ip.to_string())
    .bind(state.code.as_deref())
    .bind(state.ceremony.as_ref())
    .bind(now)
    .execute(&mut *conn)
    .await?;
    // The column is unique: of two factors challenged at the same moment, the later keeps its old
    // time.
    sqlx::query(
        "update auth.mfa_factors
        set last_challenged_at = $2
        where id = $1
            and not exists (select from auth.mfa_factors as other where other.last_challenged_at = $2)",
    )
    .bind(factor_id)
    .bind(now)
    .execute(conn)
    .await?;
    Ok(())
}

/// A challenge of a factor.
#[derive(sqlx_macros::FromRow)]
pub struct FactorChallenge {
    pub created_at: DateTime<Utc>,
    pub verified_at: Option<DateTime<Utc>>,
    pub ip_address: String,
    pub otp_code: Option<String>,
    pub web_authn_session_data: Option<Value>,
}

pub async fn challenge(
    conn: &mut PgConnection,
    id: Uuid,
    factor_id: Uuid,
) -> sqlx::Result<Option<FactorChallenge>> {
    sqlx::query_as(
        "select
            created_at,
            verified_at,
            host(ip_address) as ip_address,
            otp_code,
            web_authn_session_data
        from auth.mfa_challenges
        where id = $1
            and factor_id = $2",
    )
    .bind(id)
    .bind(factor_id)
    .fetch_optional(conn)
    .await
}

/// Marks an open challenge as used; false if it was used before.
pub async fn take_challenge(
    conn: &mut PgConnection,
    id: Uuid,
    now: DateTime<Utc>,
) -> sqlx::Result<bool> {
    let done = sqlx::query(
        "update auth.mfa_challenges set verified_at = $2 where id = $1 and verified_at is null",
    )
    .bind(id)
    .bind(now)
    .execute(conn)
    .await?;
    Ok(done.rows_affected() == 1)
}

/// Stores a factor's credential: at first, and whenever its counter changed.
pub async fn set_credential(
    conn: &mut PgConnection,
    id: Uuid,
    credential: &Value,
    aaguid: Option<Uuid>,
    now: DateTime<Utc>,
) -> sqlx::Result<()> {
    done(
        sqlx::query(
            "update auth.mfa_factors
            set web_authn_credential = $2,
                web_authn_aaguid = $3,
                updated_at = $4
            where id = $1",
        )
        .bind(id)
        .bind(credential)
        .bind(aaguid)
        .bind(now),
        conn,
    )
    .await
}

pub async fn set_phone(
    conn: &mut PgConnection,
    id: Uuid,
    phone: &str,
    now: DateTime<Utc>,
) -> sqlx::Result<()> {
    done(
        sqlx::query("update auth.mfa_factors set phone = $2, updated_at = $3 where id = $1")
            .bind(id)
            .bind(phone)
            .bind(now),
        conn,
    )
    .await
}
