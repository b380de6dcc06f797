//! `auth.users`: finding and changing accounts. Each change names its columns, so that triggers on
//! columns see what changed.

use chrono::{DateTime, Utc};
use sqlx::PgConnection;
use uuid::Uuid;

use super::done;
use crate::model::metadata::Metadata;
use crate::model::{Address, User};

/// A new account as it is first written, before anything confirms it.
pub struct NewRow<'a> {
    pub id: Uuid,
    pub aud: &'a str,
    pub email: Option<&'a str>,
    pub phone: Option<&'a str>,
    pub encrypted_password: Option<&'a str>,
    pub app_metadata: &'a Metadata,
    pub user_metadata: &'a Metadata,
    pub is_anonymous: bool,
    pub now: DateTime<Utc>,
}

/// Writes a new account; triggers on the table run here, inside the caller's transaction.
pub async fn insert(conn: &mut PgConnection, row: &NewRow<'_>) -> sqlx::Result<()> {
    // The original cannot read null in the last four columns (supabase/auth#1940).
    done(
        sqlx::query(
            "insert into auth.users (
                instance_id, id, aud, email, phone, encrypted_password,
                raw_app_meta_data, raw_user_meta_data, is_anonymous, created_at, updated_at,
                confirmation_token, recovery_token, email_change_token_new, email_change
            )
            values (
                '00000000-0000-0000-0000-000000000000', $1, $2, $3, $4, $5,
                $6, $7, $8, $9, $9,
                '', '', '', ''
            )",
        )
        .bind(row.id)
        .bind(row.aud)
        .bind(row.email)
        .bind(row.phone)
        .bind(row.encrypted_password)
        .bind(sqlx::types::Json(row.app_metadata))
        .bind(sqlx::types::Json(row.user_metadata))
        .bind(row.is_anonymous)
        .bind(row.now),
        conn,
    )
    .await
}

/// The account with its identities and factors.
pub async fn load(conn: &mut PgConnection, id: Uuid) -> sqlx::Result<Option<User>> {
    sqlx::query_as::<_, User>(
        "select
            users.*,
            (
                select coalesce(jsonb_agg(to_jsonb(identities) order by identities.created_at, identities.id), '[]')
                from auth.identities
                where identities.user_id = users.id
            ) as identities,
            (
                select coalesce(jsonb_agg(to_jsonb(mfa_factors) - 'secret' order by mfa_factors.created_at, mfa_factors.id), '[]')
                from auth.mfa_factors
                where mfa_factors.user_id = users.id
            ) as factors
        from auth.users
        where users.id = $1",
    )
    .bind(id)
    .fetch_optional(conn)
    .await
}

/// Makes every other flow on this account wait until the transaction ends.
pub async fn lock(conn: &mut PgConnection, id: Uuid) -> sqlx::Result<()> {
    done(sqlx::query("select 1 from auth.users where users.id = $1 for update").bind(id), conn)
        .await
}

/// Makes every other flow that may create an account for this address wait until the transaction
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

/// Sets the database role.
pub async fn set_role(
    conn: &mut PgConnection,
    id: Uuid,
    role: &str,
    now: DateTime<Utc>,
) -> sqlx::Result<()> {
    done(
        sqlx::query("update auth.users set role = $2, updated_at = $3 where id = $1")
            .bind(id)
            .bind(role)
            .bind(now),
        conn,
    )
    .await
}

/// Replaces what the user says of themself.
pub async fn set_user_metadata(
    conn: &mut PgConnection,
    id: Uuid,
    metadata: &Metadata,
    now: DateTime<Utc>,
) -> sqlx::Result<()> {
    done(
        sqlx::query("update auth.users set raw_user_meta_data = $2, updated_at = $3 where id = $1")
            .bind(id)
            .bind(sqlx::types::Json(metadata))
            .bind(now),
        conn,
    )
    .await
}

/// The same, and gives the account as it stands then.
pub async fn replace_user_metadata(
    conn: &mut PgConnection,
    id: Uuid,
    metadata: &Metadata,
    now: DateTime<Utc>,
) -> sqlx::Result<Option<User>> {
    // The account was made a moment ago and has no factors yet.
    sqlx::query_as::<_, User>(
        "update auth.users
        set raw_user_meta_data = $2, updated_at = $3
        where users.id = $1
        returning
            users.*,
            (
                select coalesce(jsonb_agg(to_jsonb(identities) order by identities.created_at, identities.id), '[]')
                from auth.identities
                where identities.user_id = users.id
            ) as identities,
            '[]'::jsonb as factors",
    )
    .bind(id)
    .bind(sqlx::types::Json(metadata))
    .bind(now)
    .fetch_optional(conn)
    .await
}

/// Replaces what the installation says of the user.
pub async fn set_app_metadata(
    conn: &mut PgConnection,
    id: Uuid,
    metadata: &Metadata,
    now: DateTime<Utc>,
) -> sqlx::Result<()> {
    done(
        sqlx::query("update auth.users set raw_app_meta_data = $2, updated_at = $3 where id = $1")
            .bind(id)
            .bind(sqlx::types::Json(metadata))
            .bind(now),
        conn,
    )
    .await
}

/// Replaces the password's hash.
pub async fn set_password(
    conn: &mut PgConnection,
    id: Uuid,
    hash: &str,
    now: DateTime<Utc>,
) -> sqlx::Result<()> {
    done(
        sqlx::query("update auth.users set encrypted_password = $2, updated_at = $3 where id = $1")
            .bind(id)
            .bind(hash)
            .bind(now),
        conn,
    )
    .await
}

/// Takes the password away.
pub async fn clear_password(
    conn: &mut PgConnection,
    id: Uuid,
    now: DateTime<Utc>,
) -> sqlx::Result<()> {
    done(
        sqlx::query(
            "update auth.users set encrypted_password = null, updated_at = $2 where id = $1",
        )
        .bind(id)
        .bind(now),
        conn,
    )
    .await
}

/// Replaces an outdated hash of the same password, unless the password changed meanwhile.
pub async fn upgrade_password(
    conn: &mut PgConnection,
    id: Uuid,
    old: &str,
    new: &str,
) -> sqlx::Result<()> {
    done(
        sqlx::query(
            "update auth.users set encrypted_password = $3 where id = $1 and encrypted_password = $2",
        )
        .bind(id)
        .bind(old)
        .bind(new),
        conn,
    )
    .await
}

/// Confirms the e-mail address, forgets its pending token and says so in the metadata.
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

/// The same for the telephone number.
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

/// The new address becomes the address, confirmed.
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

/// The pending number becomes the number, confirmed.
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

/// Notes a sign-in and gives the account as it stands then.
pub async fn sign_in(
    conn: &mut PgConnection,
    id: Uuid,
    now: DateTime<Utc>,
) -> sqlx::Result<Option<User>> {
    // An account is loaded without its factors' secrets; `store::factor` reads them for a check.
    sqlx::query_as::<_, User>(
        "update auth.users
        set last_sign_in_at = $2, updated_at = $2
        where users.id = $1
        returning
            users.*,
            (
                select coalesce(jsonb_agg(to_jsonb(identities) order by identities.created_at, identities.id), '[]')
                from auth.identities
                where identities.user_id = users.id
            ) as identities,
            (
                select coalesce(jsonb_agg(to_jsonb(mfa_factors) - 'secret' order by mfa_factors.created_at, mfa_factors.id), '[]')
                from auth.mfa_factors
                where mfa_factors.user_id = users.id
            ) as factors",
    )
    .bind(id)
    .bind(now)
    .fetch_optional(conn)
    .await
}

/// Sets the end of a ban, or lifts it.
pub async fn set_banned_until(
    conn: &mut PgConnection,
    id: Uuid,
    until: Option<DateTime<Utc>>,
    now: DateTime<Utc>,
) -> sqlx::Result<()> {
    done(
        sqlx::query("update auth.users set banned_until = $2, updated_at = $3 where id = $1")
            .bind(id)
            .bind(until)
            .bind(now),
        conn,
    )
    .await
}

/// Sets the address at once, as an administrator may.
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

/// Sets the number at once, as an administrator may.
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

/// Removes the account; everything of it cascades.
pub async fn delete(conn: &mut PgConnection, id: Uuid) -> sqlx::Result<()> {
    done(sqlx::query("delete from auth.users where id = $1").bind(id), conn).await
}

/// Leaves the row as a tombstone: addresses become `email` and `phone` (hashes), all else is
/// emptied.
pub async fn soft_delete(
    conn: &mut PgConnection,
    id: Uuid,
    email: Option<&str>,
    phone: Option<&str>,
    now: DateTime<Utc>,
) -> sqlx::Result<()> {
    sqlx::query(
        "update auth.users
        set email = $2,
            phone = $3,
            encrypted_password = null,
            raw_app_meta_data = '{}',
            raw_user_meta_data = '{}',
            email_change = '',
            phone_change = '',
            confirmation_token = '',
            recovery_token = '',
            email_change_token_new = '',
            email_change_token_current = '',
            phone_change_token = '',
            reauthentication_token = '',
            deleted_at = $4,
            updated_at = $4
        where id = $1",
    )
    .bind(id)
    .bind(email)
    .bind(phone)
    .bind(now)
    .execute(conn)
    .await?;
    Ok(())
}

/// One page of accounts, newest first unless `ascending`, and how many match in all. No relations
/// are loaded.
pub async fn page(
    conn: &mut PgConnection,
    aud: &str,
    filter: &str,
    ascending: bool,
    limit: i64,
    offset: i64,
) -> sqlx::Result<(Vec<User>, i64)> {
    let total: i64 = sqlx::query_scalar(
        "select count(*)
        from auth.users
        where users.aud = $1
            and (
                $2 = ''
                or users.email like '%' || $2 || '%'
                or users.raw_user_meta_data ->> 'full_name' ilike '%' || $2 || '%'
            )",
    )
    .bind(aud)
    .bind(filter)
    .fetch_one(&mut *conn)
    .await?;
    let users = sqlx::query_as::<_, User>(
        "select
            users.*,
            '[]'::jsonb as identities,
            '[]'::jsonb as factors
        from auth.users
        where users.aud = $1
            and (
                $2 = ''
                or users.email like '%' || $2 || '%'
                or users.raw_user_meta_data ->> 'full_name' ilike '%' || $2 || '%'
            )
        order by
            case when $3 then users.created_at end asc,
            case when not $3 then users.created_at end desc,
            users.id
        limit $4
        offset $5",
    )
    .bind(aud)
    .bind(filter)
    .bind(ascending)
    .bind(limit)
    .bind(offset)
    .fetch_all(conn)
    .await?;
    Ok((users, total))
}
