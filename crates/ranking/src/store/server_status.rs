//! `public.server_checks` and their results, through the only procedures that may access them.

use chrono::{DateTime, Utc};
use compat_pg::{Owner, PgError};
use gamewire::status::Report;
use sqlx::PgConnection;
use uuid::Uuid;

use crate::workers::status::{Protocol, StatusOutcome};

/// A server to query, with the address in its listing.
#[derive(Debug, Clone, sqlx_macros::FromRow)]
pub(crate) struct DueCheck {
    #[sqlx(rename = "server_id")]
    pub server: Uuid,
    pub address: String,
    pub protocol: String,
    pub usual_port: Option<i32>,
    /// Whether it answered the last query.
    pub was_online: bool,
}

/// The stored status of a public server.
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
    /// When it was last queried; `None` when it never was.
    pub status_checked_at: Option<DateTime<Utc>>,
}

/// The result of a query to one server.
#[derive(Debug, Clone)]
pub(crate) struct StatusRecord {
    pub server: Uuid,
    /// The protocol of the query; `None` when there was no address to query.
    pub protocol: Option<Protocol>,
    pub outcome: StatusOutcome,
}

/// The number of servers that are queried regularly.
pub(crate) async fn count(owner: &mut Owner) -> Result<i64, PgError> {
    let count =
        sqlx::query_scalar("select public.count_checked_servers()").fetch_one(&mut **owner).await?;
    Ok(count)
}

/// Claims up to `rows` servers that are due, with a lease in seconds.
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

/// Claims one server, unless another process has; returns whether it was claimed.
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

/// The stored status of a public server; `None` when there is no such server.
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

/// Stores the results of queries and schedules the next ones after `interval` seconds; returns how
/// many servers were updated.
pub(crate) async fn set(
    owner: &mut Owner,
    at: DateTime<Utc>,
    interval: i32,
    records: &[StatusRecord],
) -> Result<i32, PgError> {
    let reports: Vec<Option<&Report>> =
        records.iter().map(|records| records.outcome.report()).collect();
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
            .bind(records.iter().map(|records| records.server).collect::<Vec<_>>())
            .bind(
                records
                    .iter()
                    .map(|records| records.protocol.map(Protocol::word))
                    .collect::<Vec<_>>(),
            )
            .bind(records.iter().map(|records| records.outcome.is_online()).collect::<Vec<_>>())
            .bind(numbers(|report| report.players))
            .bind(numbers(|report| report.places))
            .bind(words(|report| report.map.as_deref()))
            .bind(words(|report| report.name.as_deref()))
            .fetch_one(&mut **owner)
            .await?;
    Ok(changed)
}
