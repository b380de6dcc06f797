//! Transactions that lost a conflict with another, tried again.

use compat_pg::PgError;

/// Attempts before the conflict is returned to the caller.
const TRIES: u32 = 5;

/// Does a transaction until it is not in the way of another (a deadlock, a serialization failure).
/// What failed in that way has changed nothing.
pub(crate) async fn retry_on_conflict<T, F, W>(mut work: W) -> Result<T, PgError>
where
    F: Future<Output = Result<T, PgError>>,
    W: FnMut() -> F,
{
    let mut tries = 1;
    loop {
        match work().await {
            Err(error) if error.is_conflict() && tries < TRIES => {
                tracing::debug!(%error, tries, "transaction retried: conflict");
                tries += 1;
            }
            answer => return answer,
        }
    }
}
