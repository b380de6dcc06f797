//! Removing expired uploads.

use tokio_util::sync::CancellationToken;

use crate::error::StorageError;
use crate::flow::seed::own_context;
use crate::model::operation;
use crate::state::State;
use crate::store::tus;

/// The pause between two checks.
const PAUSE: std::time::Duration = std::time::Duration::from_secs(60);
/// Uploads per query.
const BATCH: u32 = 100;

/// Removes expired uploads periodically until `stop` is cancelled.
pub async fn run(state: State, stop: CancellationToken) {
    loop {
        if let Err(error) = expire(&state).await {
            tracing::warn!(%error, "cannot remove expired uploads; will retry");
        }
        tokio::select! {
            () = stop.cancelled() => return,
            () = tokio::time::sleep(PAUSE) => {}
        }
    }
}

/// Removes every expired upload, its parts first; returns their number. If two processes find the
/// same upload, removing it twice does no harm.
pub async fn expire(state: &State) -> Result<u64, StorageError> {
    let context = own_context(state, operation::TUS_DELETE)?;
    let db = state.service_db(&context);
    let mut count = 0;
    loop {
        let mut work = db.begin();
        let over = tus::expired(&mut work, state.now(), BATCH).await?;
        work.commit().await?;
        for version in &over {
            state.bytes.abandon_parts(*version).await?;
            let mut work = db.begin();
            tus::delete(&mut work, *version).await?;
            work.commit().await?;
            count += 1;
        }
        if over.len() < BATCH as usize {
            return Ok(count);
        }
    }
}
