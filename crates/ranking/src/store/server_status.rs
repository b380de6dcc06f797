//! `public.server_checks` and what they write, through the procedures that alone may.

use chrono::{DateTime, Utc};
use compat_pg::{Owner, PgError};
use gamewire::status::Report;
use sqlx::PgConnection;
use uuid::Uuid;

use crate::workers::status::{Protocol, StatusOutcome};

/// A server to ask, as its listing describes it.
#[derive(Debug, Clone, sqlx_macros::FromRow)]
pub(crate) struct DueCheck {
    #[sqlx(rename = "server_id")]
    pub server: Uuid,
    pub address: String,
    pub protocol: String,
    pub usual_port: Option<i32>,
    /// Whether it answered last.
    pub was_online: bool,
}

/// A public server's state as it is known.
#[derive(Debug, Clone, sqlx_macros::FromRow)]
pub(crate) struct ServerStatus {
    pub address: String,
    pub protocol: String,
    pub usual_port: Option<i32>,
    pub is_online: bool,
    pub online_players: i32,
    pub max_players: i32,
    pub map: Option<String>,
    pub told_name: Option<String>,
    /// When it was last asked; none when it never was.
    pub status_checked_at: Option<DateTime<Utc>>,
}

/// What asking one server found.
#[derive(Debug, Clone)]
pub(crate) struct StatusRecord {
    pub server: Uuid,
    /// How it was asked; none where there was nothing to ask.
    pub protocol: Option<Protocol>,
    pub outcome: StatusOutcome,
}

/// How many servers share the askers' time.
pub(crate) async fn count(owner: &mut Owner) -> Result<i64, PgError> {
    let count =
        sqlx::query_scalar("select public.count_checked_servers()").fetch_one(&mut **owner).await?;
    Ok(count)
}

/// Takes so many servers that are due, for so many seconds.
pub(crate) async fn claim(
    owner: &mut Owner,
    at: DateTime<Utc>,
    lease: i32,
    rows: i32,
) -> Result<Vec<DueCheck>, PgError> {
    let due = sqlx::query_as(
        "select server_id, address, protocol, usual_port, was_online
         from public.claim_server_checks($1, $2, $3)",
    )
    .bind(at)
    .bind(lease)
    .bind(rows)
    .fetch_all(&mut **owner)
    .await?;
    Ok(due)
}

/// Takes one server, unless somebody else has it; whether it was taken.
pub(crate) async fn claim_one(
    owner: &mut Owner,
    server: Uuid,
    at: DateTime<Utc>,
    lease: i32,
) -> Result<bool, PgError> {
    let claimed = sqlx::query_scalar("select public.claim_server_check($1, $2, $3)")
        .bind(server)
        .bind(at)
        .bind(lease)
        .fetch_one(&mut **owner)
        .await?;
    Ok(claimed)
}

/// What is known of a public server; `None` when there is no such.
pub(crate) async fn find(
    owner: &mut PgConnection,
    server: Uuid,
) -> Result<Option<ServerStatus>, PgError> {
    let status = sqlx::query_as(
        "select
           s.ip_address as address,
           g.status_protocol as protocol,
           g.default_port as usual_port,
           t.is_online,
           t.online_players,
           t.max_players,
           c.map,
           c.told_name,
           t.status_checked_at
         from public.server_standings as t
         inner join public.servers as s on s.id = t.server_id
         inner join public.games as g on g.id = t.game_id
         left join public.server_checks as c on c.server_id = t.server_id
         where t.server_id = $1 and t.is_listed",
    )
    .bind(server)
    .fetch_optional(&mut *owner)
    .await?;
    Ok(status)
}

/// Keeps what asking found, and plans the next time, so many seconds later; of how many servers it
/// is kept.
pub(crate) async fn set(
    owner: &mut Owner,
    at: DateTime<Utc>,
    interval: i32,
    found: &[StatusRecord],
) -> Result<i32, PgError> {
    let reports: Vec<Option<&Report>> = found.iter().map(|found| found.outcome.report()).collect();
    let numbers = |read: fn(&Report) -> Option<i32>| -> Vec<Option<i32>> {
        reports.iter().map(|report| report.and_then(read)).collect()
    };
    let words = |read: fn(&Report) -> Option<&str>| -> Vec<Option<&str>> {
        reports.iter().map(|report| report.and_then(read)).collect()
    };
    // The procedure locks the standings by id, as votes do, so that neither deadlocks the other.
    let changed =
        sqlx::query_scalar("select public.set_server_statuses($1, $2, $3, $4, $5, $6, $7, $8, $9)")
            .bind(at)
            .bind(interval)
            .bind(found.iter().map(|found| found.server).collect::<Vec<_>>())
            .bind(found.iter().map(|found| found.protocol.map(Protocol::word)).collect::<Vec<_>>())
            .bind(found.iter().map(|found| found.outcome.is_online()).collect::<Vec<_>>())
            .bind(numbers(|report| report.players))
            .bind(numbers(|report| report.places))
            .bind(words(|report| report.map.as_deref()))
            .bind(words(|report| report.name.as_deref()))
            .fetch_one(&mut **owner)
            .await?;
    Ok(changed)
}
