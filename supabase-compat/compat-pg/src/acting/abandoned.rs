//! Cleaning up after a caller who went away in the middle of a request.

use std::{pin::pin, time::Duration};

use deadpool::managed;
use tokio_postgres::{Error, error::SqlState};

use super::{Pooled, connection::Connection};

/// How long the opening of a transaction may take before an abandoned one is cancelled.
const SETTLING: Duration = Duration::from_millis(500);

/// How long a server may take to answer before its connection is given up.
const PATIENCE: Duration = Duration::from_secs(30);

/// Ends a transaction if there is one; answered after everything that was sent before it.
const END: &str = "rollback";

/// Ends what is left, then gives the connection back to the pool. The pool's slot stays taken
/// meanwhile, so callers who come and go cannot open more connections than agreed. Without the
/// server's word that all is ended, the connection is thrown away.
///
/// `settled` says whether the caller's role and settings are known to stand, so that what still
/// runs can only be the caller's own statement.
pub(super) async fn clean(connection: Pooled, settled: bool) {
    let ended = tokio::time::timeout(PATIENCE, end(&connection, settled)).await;
    if !matches!(ended, Ok(Ok(()))) {
        tracing::debug!("an abandoned connection is thrown away");
        drop(managed::Object::take(connection));
    }
}

async fn end(connection: &Connection, settled: bool) -> Result<(), Error> {
    let client = &connection.client;
    let mut ended = pin!(client.batch_execute(END));
    if !settled && let Ok(ended) = tokio::time::timeout(SETTLING, &mut ended).await {
        return ended;
    }
    let cancel = client.cancel_token();
    if let Err(error) = cancel.cancel_query(connection.connector.tls.clone()).await {
        tracing::debug!(%error, "an abandoned statement could not be cancelled");
    }
    // The server closes the cancellation's own connection when it is delivered, so it cannot hit
    // anyone later; it may have hit the end itself.
    match ended.await {
        Err(error) if error.code() == Some(&SqlState::QUERY_CANCELED) => {
            client.batch_execute(END).await
        }
        other => other,
    }
}
