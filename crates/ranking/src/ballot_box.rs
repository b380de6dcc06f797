//! Where ballots meet: those that arrive while others are decided are decided together, next.
//!
//! Promises: nobody waits for company, so a ballot that comes alone is decided alone and at once;
//! what refuses one ballot refuses no other; who goes away takes nobody along; and who waits too
//! long, or comes when too many wait, is told to come again. What a ballot becomes is the
//! database's to say.
//!
//! One transaction at a time takes ballots as they come and waits for no server that somebody else
//! holds. The ballots of such a server are decided by themselves in another, which waits for it.

mod batch;
mod queue;

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use compat_pg::{OwnerDb, PgError};
use tokio::sync::oneshot;
use tokio::time::{Instant, timeout_at};
use tracing::Instrument as _;

use self::queue::{Place, Queue, Waiting};
use crate::Refusal;
use crate::store::vote::{Ballot, Cast};

/// How long a ballot waits until it is taken to be decided.
const PATIENCE: Duration = Duration::from_secs(3);

/// What becomes of a ballot.
type Told = Result<Cast, Refusal>;

/// The box of one process; cheap to clone.
#[derive(Clone)]
pub(crate) struct BallotBox(Arc<Inner>);

struct Inner {
    db: OwnerDb,
    queue: Mutex<Queue>,
}

/// A ballot in the box; whoever drops it takes it out again, unless it is being decided.
struct Entered<'a> {
    ballots: &'a BallotBox,
    place: Place,
}

impl BallotBox {
    /// A box in front of this database.
    pub fn new(db: OwnerDb) -> Self {
        Self(Arc::new(Inner { db, queue: Mutex::new(Queue::default()) }))
    }

    /// Casts a ballot and waits for what becomes of it.
    ///
    /// # Errors
    /// [`Refusal::Crowded`] when too many wait, [`Refusal::Database`] when it was not decided.
    pub async fn cast(&self, ballot: Ballot) -> Told {
        let until = Instant::now() + PATIENCE;
        let (reply, mut told) = oneshot::channel();
        let place = self.queue().enter(Waiting { ballot, until, reply })?;
        let entered = Entered { ballots: self, place };
        self.serve();
        let answer = match timeout_at(until, &mut told).await {
            Ok(answer) => answer,
            Err(_) if entered.leave() => return Err(PgError::PoolTimeout.into()),
            Err(_) => told.await,
        };
        // Who was to decide it is gone without a word.
        let lost = |_| PgError::Unavailable("the ballots were not decided".into());
        answer.map_err(lost)?
    }

    /// Has decided what can be, as far as there is somebody to do it.
    fn serve(&self) {
        let mut queue = self.queue();
        while let Some(batch) = queue.take() {
            let span = tracing::info_span!("ranking.ballots", ballots = batch.ballots.len());
            tokio::spawn(batch::decide(self.clone(), batch).instrument(span));
        }
    }

    fn queue(&self) -> MutexGuard<'_, Queue> {
        self.0.queue.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Entered<'_> {
    /// Takes the ballot out; false when it is being decided, or was.
    fn leave(&self) -> bool {
        self.ballots.queue().leave(self.place)
    }
}

impl Drop for Entered<'_> {
    fn drop(&mut self) {
        self.leave();
    }
}
