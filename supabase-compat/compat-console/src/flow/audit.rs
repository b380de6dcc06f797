//! The audit log: who changed what.

use crate::error::ConsoleError;
use crate::model::AuditEntry;
use crate::state::ConsoleState;
use crate::store;

/// The most entries on a page.
const MOST: i64 = 200;

/// Writes an entry. The change has already happened, so a failure is only logged.
pub(crate) async fn record(state: &ConsoleState, entry: AuditEntry) {
    let write = async {
        let mut connection = state.config().owner.connection().await?;
        store::audit::insert(&mut connection, &entry).await?;
        Ok::<_, ConsoleError>(())
    };
    if let Err(error) = write.await {
        tracing::error!(%error, path = entry.path, "console: cannot write an audit entry");
    }
}

/// Entries older than `before`, newest first, and the cursor of the next page if there is one.
pub(crate) async fn page(
    state: &ConsoleState,
    before: Option<i64>,
    limit: Option<i64>,
) -> Result<(Vec<AuditEntry>, Option<i64>), ConsoleError> {
    let limit = limit.unwrap_or(50).clamp(1, MOST);
    let mut connection = state.config().owner.connection().await?;
    let before = before.unwrap_or(i64::MAX);
    let mut entries = store::audit::list(&mut connection, before, limit + 1).await?;
    let has_more = entries.len() as i64 > limit;
    entries.truncate(usize::try_from(limit).unwrap_or_default());
    let next = entries.last().map(|entry| entry.id).filter(|_| has_more);
    Ok((entries, next))
}
