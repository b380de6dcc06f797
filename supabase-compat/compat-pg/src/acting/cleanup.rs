//! Cleaning up after a caller who went away in the middle of a request.

use std::time::Duration;

use deadpool::managed;
use tokio::time::timeout;

use super::connection::Connection;
use super::{PooledConnection, stream_takeover};
use crate::PgError;

/// How long a server may take to answer before its connection is given up.
const PATIENCE: Duration = Duration::from_secs(30);

/// How long after a cancellation it is worth another one: the first may have come before the
/// server had begun with what it was to cancel.
const AGAIN: Duration = Duration::from_millis(500);

/// Ends what is left, then gives the connection back to the pool. The pool's slot stays taken
/// meanwhile, so callers who come and go cannot open more connections than agreed. Without the
/// server's word that all is ended, the connection is thrown away.
pub(super) async fn clean(mut connection: PooledConnection) {
    let ended = timeout(PATIENCE, end(&mut connection)).await;
    if matches!(ended, Ok(Ok(()))) && connection.wire.is_idle() {
        return;
    }
    tracing::debug!(?ended, "abandoned connection closed");
    drop(managed::Object::take(connection));
}

/// Cancelling never lets half of a request through: behind a failure the server skips everything
/// up to the synchronisation point.
///
/// # Errors
/// Also where a cancellation went out and the server did not say that it was passed on: it may
/// still be on its way, and would hit whoever uses the connection next.
async fn end(connection: &mut Connection) -> Result<(), PgError> {
    let connector = connection.connector.clone();
    let token = connection.wire.cancel.clone();
    let mut delivered = Ok(());
    while !connection.wire.is_answered() {
        let sent = stream_takeover::cancel(&token, &connector.config, &connector.negotiation).await;
        delivered = delivered.and(sent);
        if let Ok(settled) = timeout(AGAIN, connection.wire.settle()).await {
            settled?;
        }
    }
    delivered?;
    if connection.wire.is_in_block() { connection.wire.command("rollback").await } else { Ok(()) }
}
