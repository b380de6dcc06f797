//! A connection in use by one request.

use std::fmt;
use std::ops::{Deref, DerefMut};

use deadpool::managed;

use super::connection::Connection;
use super::{PooledConnection, cleanup};

/// A connection in use. If it is dropped while work is unfinished, because the caller went away,
/// that work is cancelled before the connection is used again.
pub(super) struct Lease(Option<PooledConnection>);

const HELD: &str = "a lease holds its connection until it is dropped";

impl Lease {
    pub fn new(connection: PooledConnection) -> Self {
        Self(Some(connection))
    }
}

impl fmt::Debug for Lease {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Lease").finish_non_exhaustive()
    }
}

impl Deref for Lease {
    type Target = Connection;

    fn deref(&self) -> &Connection {
        self.0.as_ref().expect(HELD)
    }
}

impl DerefMut for Lease {
    fn deref_mut(&mut self) -> &mut Connection {
        self.0.as_mut().expect(HELD)
    }
}

impl Drop for Lease {
    fn drop(&mut self) {
        let Some(connection) = self.0.take() else { return };
        if connection.wire.is_idle() {
            return;
        }
        match tokio::runtime::Handle::try_current() {
            Ok(runtime) => drop(runtime.spawn(cleanup::clean(connection))),
            Err(_) => drop(managed::Object::take(connection)),
        }
    }
}
