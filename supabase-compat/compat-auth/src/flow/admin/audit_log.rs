//! Reading the audit log.

use crate::error::AuthError;
use crate::state::State;
use crate::store;
use crate::store::audit::Entry;

/// One page of entries, newest first, and the number of all entries that match. `column` is
/// `author`, `action` or `type`.
pub async fn page(
    state: &State,
    column: &str,
    value: &str,
    limit: i64,
    offset: i64,
) -> Result<(Vec<Entry>, i64), AuthError> {
    let mut tx = state.begin().await?;
    let key = match column {
        "author" => "actor_username",
        "action" => "action",
        "type" => "log_type",
        _ => "",
    };
    Ok(store::audit::page(&mut tx, key, value, limit, offset).await?)
}
