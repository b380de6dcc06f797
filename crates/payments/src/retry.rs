//! Retries of transactions that conflict with another one.

use compat_pg::PgError;

/// How often a transaction is attempted before the conflict is returned to the caller.
const TRIES: u32 = 5;

/// Runs a transaction, and again after a conflict with another one (a deadlock or a serialization
/// failure). A transaction that fails in this way has changed nothing.
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
