//! The standings of servers that are broadcast through realtime/v1.

use compat_pg::{Owner, PgError};
use uuid::Uuid;

use crate::server_changes::ServerChange;

/// Broadcasts the standings of these servers when the transaction commits; returns how many of them
/// are public.
pub(crate) async fn broadcast(
    owner: &mut Owner,
    changes: &[(Uuid, ServerChange)],
) -> Result<i32, PgError> {
    let ids: Vec<Uuid> = changes.iter().map(|(id, _)| *id).collect();
    let before: Vec<Option<i32>> = changes.iter().map(|(_, change)| change.votes_before).collect();
    let figures: Vec<bool> = changes.iter().map(|(_, change)| change.has_figures()).collect();
    let deliveries: Vec<bool> = changes.iter().map(|(_, change)| change.has_delivery).collect();
    let count = sqlx::query_scalar("select public.broadcast_standings($1, $2, $3, $4)")
        .bind(ids)
        .bind(before)
        .bind(figures)
        .bind(deliveries)
        .fetch_one(&mut **owner)
        .await?;
    Ok(count)
}
