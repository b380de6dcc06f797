//! Work of a channel that waits for the database or the stream, and its outcome.

use std::sync::Arc;

use compat_pg::PgError;
use futures_util::future::{BoxFuture, FutureExt as _};

use super::access::TokenChange;
use super::channel::Rights;
use super::join::{JoinGrant, JoinRequest};
use super::{Session, SocketEnd};
use crate::error::JoinRefusal;
use crate::protocol::ClientMessage;

/// A future of running work.
pub(super) type Work = BoxFuture<'static, WorkReport>;

/// The result of some work.
pub(super) struct WorkReport {
    topic: Arc<str>,
    outcome: Outcome,
}

/// See [`WorkReport`].
pub(super) enum Outcome {
    /// A join is granted or refused.
    Join(Box<JoinRequest>, Result<JoinGrant, JoinRefusal>),
    /// A new token is accepted or refused.
    Token(Box<TokenChange>),
    /// The rights that a message needs are known, so that it can be handled.
    Rights(Box<ClientMessage>, Result<Rights, PgError>),
    /// A broadcast is stored under this id, or could not be stored.
    Stored(Box<ClientMessage>, Result<String, PgError>),
}

impl Session {
    /// Starts work on a topic, which is busy until the work is done.
    pub(super) fn begin(
        &mut self,
        topic: &Arc<str>,
        work: impl Future<Output = Outcome> + Send + 'static,
    ) {
        self.channels.entry(Arc::clone(topic)).or_default().begin();
        let topic = Arc::clone(topic);
        self.work.push(async move { WorkReport { topic, outcome: work.await } }.boxed());
    }

    /// Handles the result of some work, and then the messages that waited for it.
    pub(super) fn finish(&mut self, report: WorkReport) -> Result<(), SocketEnd> {
        let WorkReport { topic, outcome } = report;
        if let Some(slot) = self.channels.get_mut(&topic) {
            slot.end();
        }
        match outcome {
            Outcome::Join(request, Ok(grant)) => self.enter(&topic, *request, grant),
            Outcome::Join(request, Err(refusal)) => self.refuse(&request, &refusal),
            Outcome::Token(change) => self.change_token(&topic, *change),
            Outcome::Rights(message, rights) => self.go_on(&topic, *message, rights),
            Outcome::Stored(message, stored) => self.finish_storing(&topic, &message, stored),
        }
        self.resume(&topic)
    }
}
