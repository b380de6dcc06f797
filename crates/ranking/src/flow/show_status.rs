//! Answers a page that requests the status of a game server.

use std::net::IpAddr;
use std::time::Duration;

use chrono::{DateTime, Utc};
use compat_pg::PgError;
use uuid::Uuid;

use super::check_statuses::{LEASE, address_of, record_statuses};
use crate::store::server_status::{self, ServerStatus, StatusRecord};
use crate::workers::status::ask;
use crate::{Refusal, State};

/// How old a stored status may be without a new query.
const FRESH: Duration = Duration::from_secs(5 * 60);

/// How long a request waits for a query, including one for other visitors.
const TIMEOUT: Duration = Duration::from_secs(8);

/// The status of a public server, queried if the stored one is older than five minutes; concurrent
/// requests share one query. `None` when there is no such server.
///
/// # Errors
/// When one address asks too often, or the database fails.
#[tracing::instrument(name = "ranking.show_status", skip_all, fields(%server))]
pub(crate) async fn show_status(
    state: &State,
    server: Uuid,
    ip: IpAddr,
) -> Result<Option<ServerStatus>, Refusal> {
    let now = state.environment().clock.now();
    let too_often = |retry_after| Refusal::TooManyRequests { retry_after };
    state.limits().states.take(&state.voter(ip), now).map_err(too_often)?;
    let known = find(state, server).await.map_err(Refusal::Status)?;
    if known.as_ref().is_none_or(|known| is_fresh(known, now)) {
        return Ok(known);
    }
    let permit = state.status_queries().acquire(server);
    let Ok(_permit) = tokio::time::timeout(TIMEOUT, permit).await else {
        return Ok(known);
    };
    renew(state, server, now).await.map_err(Refusal::Status)
}

async fn find(state: &State, server: Uuid) -> Result<Option<ServerStatus>, PgError> {
    let mut owner = state.pools().questions.connection().await?;
    server_status::find(&mut owner, server).await
}

fn is_fresh(known: &ServerStatus, now: DateTime<Utc>) -> bool {
    known.status_checked_at.is_some_and(|at| now < at + FRESH)
}

/// Queries the server, unless another request did meanwhile or is doing so.
async fn renew(
    state: &State,
    server: Uuid,
    now: DateTime<Utc>,
) -> Result<Option<ServerStatus>, PgError> {
    let mut owner = state.pools().questions.begin().await?;
    let known = server_status::find(&mut owner, server).await?;
    let address = known
        .as_ref()
        .filter(|known| !is_fresh(known, now))
        .and_then(|known| address_of(&known.address, &known.protocol, known.usual_port));
    let Some(address) = address else { return Ok(known) };
    let claimed = server_status::claim_one(&mut owner, server, now, LEASE).await?;
    owner.commit().await?;
    if !claimed {
        return Ok(known);
    }
    let query = ask(&state.environment().outgoing, state.game_hosts(), &address);
    // A timeout may mean that the host's permit is taken by other queries; the stored status is
    // returned.
    let Ok(outcome) = tokio::time::timeout(TIMEOUT, query).await else { return Ok(known) };
    let records = [StatusRecord { server, protocol: Some(address.protocol), outcome }];
    let mut owner = state.pools().questions.begin().await?;
    let interval = state.config().status.interval(server_status::count(&mut owner).await?);
    server_status::set(&mut owner, state.environment().clock.now(), interval, &records).await?;
    let known = server_status::find(&mut owner, server).await?;
    owner.commit().await?;
    record_statuses(state, &records);
    Ok(known)
}
