//! Reading the record of who did what.

use crate::error::AuthError;
use crate::state::State;
use crate::store;
use crate::store::audit::Entry;

/// One page, newest first, and how many entries match in all. `column` is `author`, `action` or
/// `type`.
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
