//! `_console.passkeys`.

use chrono::{DateTime, Utc};
use compat_auth::webauthn::StoredCredential;
use sqlx::PgConnection;
use uuid::Uuid;

use crate::model::Passkey;

/// A passkey with its public key and its holder.
#[derive(sqlx_macros::FromRow)]
pub struct PasskeyRow {
    pub id: Uuid,
    pub operator_id: Uuid,
    pub email: String,
    pub role: String,
    pub domain: String,
    credential_id: Vec<u8>,
    public_key: Vec<u8>,
    sign_count: i64,
    backup_eligible: bool,
    backed_up: bool,
}

impl From<&PasskeyRow> for StoredCredential {
    fn from(row: &PasskeyRow) -> Self {
        Self {
            id: row.credential_id.clone(),
            public_key: row.public_key.clone(),
            sign_count: u32::try_from(row.sign_count).unwrap_or(u32::MAX),
            backup_eligible: row.backup_eligible,
            backed_up: row.backed_up,
            // The model of the authenticator is not stored.
            aaguid: None,
            transports: Vec::new(),
        }
    }
}

/// A passkey to store.
pub struct NewPasskey<'a> {
    pub id: Uuid,
    pub operator: Uuid,
    pub name: &'a str,
    pub domain: &'a str,
    pub credential: &'a StoredCredential,
}

/// An operator's passkeys, oldest first.
pub async fn list(conn: &mut PgConnection, operator: Uuid) -> sqlx::Result<Vec<Passkey>> {
    sqlx::query_as(
        "select id, name, domain, created_at, last_used_at
        from _console.passkeys
        where operator_id = $1
        order by created_at, id",
    )
    .bind(operator)
    .fetch_all(conn)
    .await
}

/// An operator's passkeys of one domain.
pub async fn of_domain(
    conn: &mut PgConnection,
    operator: Uuid,
    domain: &str,
) -> sqlx::Result<Vec<PasskeyRow>> {
    sqlx::query_as(
        "select
            p.id,
            p.operator_id,
            o.email,
            o.role,
            p.domain,
            p.credential_id,
            p.public_key,
            p.sign_count,
            p.backup_eligible,
            p.backed_up
        from _console.passkeys as p
        join _console.operators as o on o.id = p.operator_id
        where p.operator_id = $1
            and p.domain = $2
        order by p.created_at, p.id",
    )
    .bind(operator)
    .bind(domain)
    .fetch_all(conn)
    .await
}

/// The passkey with this credential id, locked.
pub async fn by_credential(
    conn: &mut PgConnection,
    credential_id: &[u8],
) -> sqlx::Result<Option<PasskeyRow>> {
    sqlx::query_as(
        "select
            p.id,
            p.operator_id,
            o.email,
            o.role,
            p.domain,
            p.credential_id,
            p.public_key,
            p.sign_count,
            p.backup_eligible,
            p.backed_up
        from _console.passkeys as p
        join _console.operators as o on o.id = p.operator_id
        where p.credential_id = $1
        for update of p",
    )
    .bind(credential_id)
    .fetch_optional(conn)
    .await
}

/// The domains of an operator's passkeys.
pub async fn domains(conn: &mut PgConnection, operator: Uuid) -> sqlx::Result<Vec<String>> {
    sqlx::query_scalar(
        "select distinct domain from _console.passkeys where operator_id = $1 order by domain",
    )
    .bind(operator)
    .fetch_all(conn)
    .await
}

/// The number of an operator's passkeys.
pub async fn count(conn: &mut PgConnection, operator: Uuid) -> sqlx::Result<i64> {
    sqlx::query_scalar("select count(*) from _console.passkeys where operator_id = $1")
        .bind(operator)
        .fetch_one(conn)
        .await
}

/// Inserts a passkey; returns false if it is stored already.
pub async fn insert(
    conn: &mut PgConnection,
    new: &NewPasskey<'_>,
    now: DateTime<Utc>,
) -> sqlx::Result<bool> {
    let done = sqlx::query(
        "insert into _console.passkeys (
            id, operator_id, name, domain, credential_id, public_key, sign_count, backup_eligible,
            backed_up, created_at
        )
        values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10)
        on conflict (credential_id) do nothing",
    )
    .bind(new.id)
    .bind(new.operator)
    .bind(new.name)
    .bind(new.domain)
    .bind(&new.credential.id)
    .bind(&new.credential.public_key)
    .bind(i64::from(new.credential.sign_count))
    .bind(new.credential.backup_eligible)
    .bind(new.credential.backed_up)
    .bind(now)
    .execute(conn)
    .await?;
    Ok(done.rows_affected() == 1)
}

/// Records a use of a passkey.
pub async fn touch(
    conn: &mut PgConnection,
    id: Uuid,
    sign_count: u32,
    backed_up: bool,
    now: DateTime<Utc>,
) -> sqlx::Result<()> {
    sqlx::query(
        "update _console.passkeys
        set sign_count = $2,
            backed_up = $3,
            last_used_at = $4
        where id = $1",
    )
    .bind(id)
    .bind(i64::from(sign_count))
    .bind(backed_up)
    .bind(now)
    .execute(conn)
    .await
    .map(drop)
}

/// Renames an operator's passkey; returns false if there is no such passkey.
pub async fn rename(
    conn: &mut PgConnection,
    id: Uuid,
    operator: Uuid,
    name: &str,
) -> sqlx::Result<bool> {
    let done = sqlx::query(
        "update _console.passkeys
        set name = $3
        where id = $1
            and operator_id = $2",
    )
    .bind(id)
    .bind(operator)
    .bind(name)
    .execute(conn)
    .await?;
    Ok(done.rows_affected() == 1)
}

/// Deletes an operator's passkey; returns false if there is no such passkey.
pub async fn delete(conn: &mut PgConnection, id: Uuid, operator: Uuid) -> sqlx::Result<bool> {
    let done = sqlx::query("delete from _console.passkeys where id = $1 and operator_id = $2")
        .bind(id)
        .bind(operator)
        .execute(conn)
        .await?;
    Ok(done.rows_affected() == 1)
}
