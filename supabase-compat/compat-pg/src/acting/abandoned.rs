//! Cleaning up after a caller who went away in the middle of a request.

use std::time::Duration;

use deadpool::managed;
use tokio::time::timeout;

use super::connection::Connection;
use super::{Pooled, handover};
use crate::PgError;

/// How long a server may take to answer before its connection is given up.
const PATIENCE: Duration = Duration::from_secs(30);

/// How long after a cancellation it is worth another one: the first may have come before the
/// server had begun with what it was to cancel.
const AGAIN: Duration = Duration::from_millis(500);

/// Ends what is left, then gives the connection back to the pool. The pool's slot stays taken
/// meanwhile, so callers who come and go cannot open more connections than agreed. Without the
/// server's word that all is ended, the connection is thrown away.
pub(super) async fn clean(mut connection: Pooled) {
    let ended = timeout(PATIENCE, end(&mut connection)).await;
    if !matches!(ended, Ok(Ok(()))) || !connection.wire.is_idle() {
        tracing::debug!("an abandoned connection is thrown away");
        drop(managed::Object::take(connection));
    }
}

/// Cancelling never lets half of a request through: behind a failure the server skips everything
/// up to the synchronisation point.
async fn end(connection: &mut Connection) -> Result<(), PgError> {
    let connector = connection.connector.clone();
    let token = connection.wire.cancel.clone();
    while !connection.wire.is_answered() {
        // The server closes the cancellation's own connection when it is delivered, so it cannot
        // hit anyone later.
        if let Err(error) =
            handover::cancel(&token, &connector.config, &connector.negotiation).await
        {
            tracing::debug!(%error, "an abandoned statement could not be cancelled");
        }
        if let Ok(settled) = timeout(AGAIN, connection.wire.settle()).await {
            settled?;
        }
    }
    if connection.wire.is_in_block() { connection.wire.command("rollback").await } else { Ok(()) }
}
