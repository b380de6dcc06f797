//! Forgetting uploads whose time is over.

use tokio_util::sync::CancellationToken;

use crate::error::StorageError;
use crate::flow::seed::own_context;
use crate::model::operation;
use crate::state::State;
use crate::store::tus;

/// How often is looked.
const PAUSE: std::time::Duration = std::time::Duration::from_secs(60);
/// Uploads looked up at once.
const BATCH: u32 = 100;

/// Forgets uploads as their time ends, until the stop.
pub async fn run(state: State, stop: CancellationToken) {
    loop {
        if let Err(error) = expire(&state).await {
            tracing::warn!(%error, "expired uploads not removed; retrying");
        }
        tokio::select! {
            () = stop.cancelled() => return,
            () = tokio::time::sleep(PAUSE) => {}
        }
    }
}

/// Removes every upload whose time is over, its parts first: one that is found twice, by two
/// processes, is removed once.
pub async fn expire(state: &State) -> Result<u64, StorageError> {
    let context = own_context(state, operation::TUS_DELETE)?;
    let db = state.own_turn(&context);
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
