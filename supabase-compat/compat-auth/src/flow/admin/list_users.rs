//! Pages of accounts.

use crate::error::AuthError;
use crate::model::User;
use crate::state::State;
use crate::store;

/// One page of the accounts of an audience, and the number of all that match. `filter` is part of
/// an address or a name.
#[tracing::instrument(name = "auth.list_users", skip_all)]
pub async fn page(
    state: &State,
    aud: &str,
    filter: &str,
    ascending: bool,
    limit: i64,
    offset: i64,
) -> Result<(Vec<User>, i64), AuthError> {
    let mut tx = state.begin().await?;
    Ok(store::user::admin::page(&mut tx, aud, filter, ascending, limit, offset).await?)
}
