//! Broadcasts changed standings to open pages.

use compat_pg::PgError;

use crate::State;
use crate::server_changes::ServerChange;
use crate::store::standing;
use uuid::Uuid;

/// The most servers in a batch. A batch is sent once a second, so this bounds the messages of a
/// process.
const BATCH_SIZE: usize = 50;

/// Broadcasts the servers that changed since the last batch; returns how many.
pub(crate) async fn broadcast_standings(state: &State) -> Result<u64, PgError> {
    let changes = state.server_changes().take(BATCH_SIZE);
    if changes.is_empty() {
        return Ok(0);
    }
    let result = send(state, &changes).await;
    if result.is_err() {
        state.server_changes().restore(changes);
    }
    result
}

async fn send(state: &State, changes: &[(Uuid, ServerChange)]) -> Result<u64, PgError> {
    let mut owner = state.pools().figures.begin().await?;
    let count = standing::broadcast(&mut owner, changes).await?;
    owner.commit().await?;
    Ok(u64::try_from(count).unwrap_or_default())
}
