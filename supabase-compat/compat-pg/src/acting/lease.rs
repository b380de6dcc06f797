//! A connection in use by one request.

use std::sync::atomic::{AtomicBool, Ordering};

use deadpool::managed;
use tokio_postgres::Client;

use super::{Pooled, abandoned, frame::Frames, pipeline::Answer, statements::Statements};

/// A connection in use. Dropped before [`Lease::finish`], the caller has gone away in the middle;
/// then what still runs on it is cancelled before anyone else gets it.
pub(super) struct Lease {
    connection: Option<Pooled>,
    /// Whether the role and the settings are known to stand. Cancelling earlier could hit the
    /// opening of the transaction and let the rest run outside of one, so it waits a moment.
    settled: AtomicBool,
}

const HELD: &str = "a lease holds its connection until it ends";

impl Lease {
    pub fn new(connection: Pooled) -> Self {
        Self { connection: Some(connection), settled: AtomicBool::new(false) }
    }

    pub fn client(&self) -> &Client {
        &self.connection.as_ref().expect(HELD).client
    }

    pub fn statements(&mut self) -> &mut Statements {
        &mut self.connection.as_mut().expect(HELD).statements
    }

    pub fn frames(&mut self) -> &mut Frames {
        &mut self.connection.as_mut().expect(HELD).frames
    }

    /// Returns the connection to its pool.
    pub fn finish(mut self) {
        self.connection.take();
    }

    /// Notes that the transaction is about to be opened.
    pub fn opening(&self) {
        self.settled.store(false, Ordering::Relaxed);
    }

    /// Notes that there is nothing to open: whatever runs may be cancelled.
    pub fn opened(&self) {
        self.settled.store(true, Ordering::Relaxed);
    }

    /// Passes the answer to the settings on and notes whether they stand.
    pub async fn settles(&self, settings: impl Future<Output = Answer>) -> Answer {
        let answer = settings.await;
        self.settled.store(answer.is_ok(), Ordering::Relaxed);
        answer
    }
}

impl Drop for Lease {
    fn drop(&mut self) {
        let Some(connection) = self.connection.take() else { return };
        let settled = self.settled.load(Ordering::Relaxed);
        match tokio::runtime::Handle::try_current() {
            Ok(runtime) => drop(runtime.spawn(abandoned::clean(connection, settled))),
            Err(_) => drop(managed::Object::take(connection)),
        }
    }
}
