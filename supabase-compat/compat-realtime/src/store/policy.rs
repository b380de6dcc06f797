//! Asking row security on `realtime.messages` whether a caller may read or write a channel.
//!
//! Rights to read are asked by rows that the service writes and the caller then looks for; rights
//! to write by rows that the caller writes. Nothing of it is kept. The rows carry topic and
//! extension and no more, as the original's do: policies on other columns see null.

use compat_pg::{Owner, OwnerDb, PgError};

/// Who asks, as policies see it.
#[derive(Debug, Clone, Copy)]
pub(crate) struct PolicyCaller<'a> {
    pub role: &'a str,
    pub claims_json: &'a str,
    pub sub: &'a str,
    /// JSON object of the headers that begin with `x-`.
    pub headers_json: &'a str,
}

/// Whether the caller may read each of these extensions of a topic.
pub(crate) async fn may_read(
    db: &OwnerDb,
    topic: &str,
    caller: &PolicyCaller<'_>,
    extensions: &[&str],
) -> Result<Vec<bool>, PgError> {
    let mut owner = db.begin().await?;
    let probe = sqlx::query_as(
        "insert into realtime.messages (topic, extension)
        select $1, extension
        from unnest($2::text[]) as extension
        returning id, extension",
    );
    let rows: Vec<(uuid::Uuid, String)> =
        probe.bind(topic).bind(extensions).fetch_all(&mut *owner).await?;
    let ids: Vec<uuid::Uuid> = rows.iter().map(|(id, _)| *id).collect();
    let seen = match act_as(&mut owner, topic, caller).await {
        Ok(()) => {
            let seen = sqlx::query_scalar(
                "select id
                from realtime.messages
                where topic = $1 and id = any($2)",
            );
            seen.bind(topic).bind(&ids).fetch_all(&mut *owner).await.map_err(PgError::from)
        }
        Err(error) => Err(error),
    };
    let seen: Vec<uuid::Uuid> = refused_as(seen, Vec::new())?;
    owner.rollback().await?;
    let may = |wanted: &&str| {
        rows.iter().any(|(id, extension)| extension == *wanted && seen.contains(id))
    };
    Ok(extensions.iter().map(may).collect())
}

/// Whether the caller may write this extension of a topic.
pub(crate) async fn may_write(
    db: &OwnerDb,
    topic: &str,
    caller: &PolicyCaller<'_>,
    extension: &str,
) -> Result<bool, PgError> {
    let mut owner = db.begin().await?;
    let written = match act_as(&mut owner, topic, caller).await {
        Ok(()) => {
            let probe = sqlx::query(
                "insert into realtime.messages (topic, extension)
                values ($1, $2)",
            );
            let written = probe.bind(topic).bind(extension).execute(&mut *owner).await;
            written.map(|_| true).map_err(PgError::from)
        }
        Err(error) => Err(error),
    };
    let may = refused_as(written, false)?;
    owner.rollback().await?;
    Ok(may)
}

/// Makes the rest of the transaction the caller's.
async fn act_as(owner: &mut Owner, topic: &str, caller: &PolicyCaller<'_>) -> Result<(), PgError> {
    // The role comes last: it may set nothing of the others. As everywhere, what the authenticator may
    // not become turns into a name that no role has: this login could become more.
    let settings = sqlx::query(
        "select
            set_config('statement_timeout', '10s', true),
            set_config('realtime.topic', $1, true),
            set_config('request.jwt.claims', $2, true),
            set_config('request.jwt.claim.sub', $3, true),
            set_config('request.jwt.claim.role', $4, true),
            set_config('request.headers', $5, true),
            set_config(
                'role',
                case
                    when pg_has_role('authenticator', $4::text::name, 'member') then $4
                    else $4 || ' (forbidden)'
                end,
                true
            )",
    );
    settings
        .bind(topic)
        .bind(caller.claims_json)
        .bind(caller.sub)
        .bind(caller.role)
        .bind(caller.headers_json)
        .execute(&mut **owner)
        .await?;
    Ok(())
}

/// What a refusal of the database means: no right. Policies are code that may fail in any way, or
/// never end, and a role may be one that is not there.
fn refused_as<T>(answer: Result<T, PgError>, none: T) -> Result<T, PgError> {
    match answer {
        Err(error) if error.database().is_some() => {
            if error.code() != Some("42501") {
                tracing::debug!(%error, "rights to a channel denied: the policy failed");
            }
            Ok(none)
        }
        other => other,
    }
}
