//! Cleans up a connection after a caller went away in the middle of a request.

use std::time::Duration;

use deadpool::managed;
use tokio::time::timeout;

use super::connection::Connection;
use super::{PooledConnection, stream_takeover};
use crate::PgError;

/// How long the server may take to answer before its connection is closed.
const TIMEOUT: Duration = Duration::from_secs(30);

/// How long to wait before a cancellation is repeated: the first may have arrived before the server
/// began the statement.
const AGAIN: Duration = Duration::from_millis(500);

/// Ends the unfinished work, then returns the connection to the pool. The pool's slot stays taken
/// meanwhile, so callers who come and go cannot open more connections than allowed. The connection
/// is closed if the server does not confirm that the work has ended.
pub(super) async fn clean(mut connection: PooledConnection) {
    let ended = timeout(TIMEOUT, end(&mut connection)).await;
    if matches!(ended, Ok(Ok(()))) && connection.wire.is_idle() {
        return;
    }
    tracing::debug!(?ended, "closing an abandoned connection");
    drop(managed::Object::take(connection));
}

/// Cancelling never executes half of a request: after a failure the server skips everything up to
/// the synchronisation point.
///
/// # Errors
/// The connection is lost, or the server did not confirm a cancellation: it may still be on its
/// way, and would cancel the work of the connection's next user.
async fn end(connection: &mut Connection) -> Result<(), PgError> {
    let connector = connection.connector.clone();
    let token = connection.wire.cancel.clone();
    let mut delivered = Ok(());
    while !connection.wire.is_answered() {
        let result =
            stream_takeover::cancel(&token, &connector.config, &connector.negotiation).await;
        delivered = delivered.and(result);
        if let Ok(settled) = timeout(AGAIN, connection.wire.settle()).await {
            settled?;
        }
    }
    delivered?;
    if connection.wire.is_in_block() { connection.wire.command("rollback").await } else { Ok(()) }
}
