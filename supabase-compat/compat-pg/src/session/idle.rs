//! Returned connections that wait for the next session: for a short time, and only for a session of
//! the same login and application name.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError, Weak};
use std::time::Duration;

use tokio::time::{Instant, sleep_until};

use super::connection::Connection;
use crate::acting::Connector;

/// The idle connections of all logins that share a limit. Clones share one list; dropping the last
/// one closes the connections.
#[derive(Clone)]
pub(super) struct IdleConnections {
    list: Arc<Mutex<IdleList>>,
    max_idle: Duration,
}

#[derive(Default)]
struct IdleList {
    /// The connections, oldest first, each with the time when it was returned.
    connections: Vec<(Instant, Connection)>,
    /// Whether a task closes connections that wait too long.
    has_closer: bool,
}

impl IdleConnections {
    /// Keeps connections for `max_idle`; for zero, none is kept.
    pub fn new(max_idle: Duration) -> Self {
        Self { list: Arc::default(), max_idle }
    }

    /// Whether connections are kept at all.
    pub fn keeps_any(&self) -> bool {
        !self.max_idle.is_zero()
    }

    /// The most recently returned connection of this login and application name.
    pub fn take(&self, connector: &Arc<Connector>, application: &str) -> Option<Connection> {
        let mut list = lock(&self.list);
        let at = list.connections.iter().rposition(|(_, connection)| {
            Arc::ptr_eq(&connection.connector, connector) && connection.application == application
        })?;
        Some(list.connections.remove(at).1)
    }

    /// Adds a connection whose reset has begun.
    pub fn add(&self, connection: Connection) {
        let mut list = lock(&self.list);
        list.connections.push((Instant::now(), connection));
        if !std::mem::replace(&mut list.has_closer, true) {
            tokio::spawn(close_when_late(Arc::downgrade(&self.list), self.max_idle));
        }
    }

    /// Closes the oldest connections beyond this number.
    pub fn shrink(&self, most: usize) {
        let mut list = lock(&self.list);
        let beyond = list.connections.len().saturating_sub(most);
        close(list.connections.drain(..beyond));
    }

    /// Closes all idle connections.
    pub fn clear(&self) {
        close(lock(&self.list).connections.drain(..));
    }
}

/// Closes connections that have waited too long, until none is left.
async fn close_when_late(list: Weak<Mutex<IdleList>>, max_idle: Duration) {
    loop {
        let Some(next) = list.upgrade().and_then(|list| {
            let mut list = lock(&list);
            let late = list.connections.partition_point(|(since, _)| since.elapsed() >= max_idle);
            close(list.connections.drain(..late));
            let next = list.connections.first().map(|(since, _)| *since + max_idle);
            list.has_closer = next.is_some();
            next
        }) else {
            return;
        };
        sleep_until(next).await;
    }
}

fn close(connections: impl Iterator<Item = (Instant, Connection)>) {
    for (_, connection) in connections {
        tokio::spawn(connection.close(false));
    }
}

fn lock(list: &Mutex<IdleList>) -> MutexGuard<'_, IdleList> {
    list.lock().unwrap_or_else(PoisonError::into_inner)
}
