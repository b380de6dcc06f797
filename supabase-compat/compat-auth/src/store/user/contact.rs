//! The addresses of an account: finding it by an address, confirming and changing addresses.

use chrono::{DateTime, Utc};
use sqlx::PgConnection;
use uuid::Uuid;

use crate::model::Address;
use crate::store::done;

/// Locks an address: every other flow that may create an account for it waits until the transaction
/// ends.
pub async fn lock_address(conn: &mut PgConnection, address: &str) -> sqlx::Result<()> {
    done(
        sqlx::query("select pg_catalog.pg_advisory_xact_lock(pg_catalog.hashtextextended('auth.users ' || $1, 0))")
        .bind(address),
        conn,
    )
    .await
}

/// The account of an address of either kind, among those of one audience.
pub async fn id_by_address(
    conn: &mut PgConnection,
    address: &Address,
    aud: &str,
) -> sqlx::Result<Option<Uuid>> {
    match address {
        Address::Email(email) => id_by_email(conn, email.as_str(), aud).await,
        Address::Phone(phone) => id_by_phone(conn, phone.as_str(), aud).await,
    }
}

/// The account of an e-mail address, among those of one audience.
pub async fn id_by_email(
    conn: &mut PgConnection,
    email: &str,
    aud: &str,
) -> sqlx::Result<Option<Uuid>> {
    sqlx::query_scalar(
        "select users.id
        from auth.users
        where users.instance_id = '00000000-0000-0000-0000-000000000000'
            and lower(users.email) = $1
            and users.aud = $2
            and users.is_sso_user = false",
    )
    .bind(email)
    .bind(aud)
    .fetch_optional(conn)
    .await
}

/// The account of a telephone number, among those of one audience.
pub async fn id_by_phone(
    conn: &mut PgConnection,
    phone: &str,
    aud: &str,
) -> sqlx::Result<Option<Uuid>> {
    sqlx::query_scalar("select users.id from auth.users where users.phone = $1 and users.aud = $2")
        .bind(phone)
        .bind(aud)
        .fetch_optional(conn)
        .await
}

/// Confirms the e-mail address, clears its pending token and marks it as verified in the metadata.
pub async fn confirm_email(
    conn: &mut PgConnection,
    id: Uuid,
    now: DateTime<Utc>,
) -> sqlx::Result<()> {
    done(
        sqlx::query(
            "update auth.users
            set confirmation_token = '',
                email_confirmed_at = $2,
                raw_user_meta_data = case pg_catalog.jsonb_typeof(raw_user_meta_data)
                    when 'object' then raw_user_meta_data
                    else '{}'
                end || '{\"email_verified\": true}',
                updated_at = $2
            where id = $1",
        )
        .bind(id)
        .bind(now),
        conn,
    )
    .await
}

/// Like [`confirm_email`], for the telephone number.
pub async fn confirm_phone(
    conn: &mut PgConnection,
    id: Uuid,
    now: DateTime<Utc>,
) -> sqlx::Result<()> {
    done(
        sqlx::query(
            "update auth.users
            set confirmation_token = '',
                phone_confirmed_at = $2,
                raw_user_meta_data = case pg_catalog.jsonb_typeof(raw_user_meta_data)
                    when 'object' then raw_user_meta_data
                    else '{}'
                end || '{\"phone_verified\": true}',
                updated_at = $2
            where id = $1",
        )
        .bind(id)
        .bind(now),
        conn,
    )
    .await
}

/// Makes the pending address the account's confirmed address.
pub async fn apply_email_change(
    conn: &mut PgConnection,
    id: Uuid,
    email: &str,
    now: DateTime<Utc>,
) -> sqlx::Result<()> {
    // `||` gives null for null and an array for a scalar, so only an object is kept.
    done(
        sqlx::query(
            "update auth.users
            set email = $2,
                email_change = '',
                email_change_token_new = '',
                email_change_token_current = '',
                email_change_confirm_status = 0,
                email_confirmed_at = $3,
                raw_user_meta_data = case pg_catalog.jsonb_typeof(raw_user_meta_data)
                    when 'object' then raw_user_meta_data
                    else '{}'
                end || pg_catalog.jsonb_build_object('email', $2::varchar, 'email_verified', true),
                is_anonymous = false,
                updated_at = $3
            where id = $1",
        )
        .bind(id)
        .bind(email)
        .bind(now),
        conn,
    )
    .await
}

/// Makes the pending number the account's confirmed number.
pub async fn apply_phone_change(
    conn: &mut PgConnection,
    id: Uuid,
    phone: &str,
    now: DateTime<Utc>,
) -> sqlx::Result<()> {
    done(
        sqlx::query(
            "update auth.users
            set phone = $2,
                phone_change = '',
                phone_change_token = '',
                phone_confirmed_at = $3,
                is_anonymous = false,
                updated_at = $3
            where id = $1",
        )
        .bind(id)
        .bind(phone)
        .bind(now),
        conn,
    )
    .await
}

/// Sets the address without confirmation, for administrators.
pub async fn set_email(
    conn: &mut PgConnection,
    id: Uuid,
    email: Option<&str>,
    now: DateTime<Utc>,
) -> sqlx::Result<()> {
    done(
        sqlx::query("update auth.users set email = $2, updated_at = $3 where id = $1")
            .bind(id)
            .bind(email)
            .bind(now),
        conn,
    )
    .await
}

/// Sets the number without confirmation, for administrators.
pub async fn set_phone(
    conn: &mut PgConnection,
    id: Uuid,
    phone: Option<&str>,
    now: DateTime<Utc>,
) -> sqlx::Result<()> {
    done(
        sqlx::query("update auth.users set phone = $2, updated_at = $3 where id = $1")
            .bind(id)
            .bind(phone)
            .bind(now),
        conn,
    )
    .await
}
