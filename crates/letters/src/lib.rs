//! Mail of the site's own: put into a queue in the transaction that causes it, handed over after.
//!
//! How it travels is somebody else's: whoever composes the site gives a [`Post`]. A letter may
//! arrive twice, when its handing over could not be noted, and never not at all. What it says is
//! known to whoever writes it.

mod language;
mod stored;
mod written;

use std::sync::Arc;
use std::time::Duration;

use chrono::{DateTime, Utc};
use compat_http::Clock;
use compat_pg::{ClaimedJob, JobOutcome, Owner, OwnerDb, PgError, Queue, QueueRules};
use futures_util::future::BoxFuture;
use serde::{Deserialize, Serialize};
use tokio_util::sync::CancellationToken;

pub use language::Language;
pub use stored::unescape;
pub use written::{Note, Written};

/// The queue's table.
const QUEUE: &str = "public.mail_queue";

/// Longer than any relay takes.
const LEASE: Duration = Duration::from_secs(60);

/// A finished letter.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct Letter {
    /// The address.
    pub to: String,
    /// One line.
    pub subject: String,
    /// The body for programs that show pages.
    pub html: String,
    /// The same for those that do not.
    pub text: String,
    /// Further headers.
    pub headers: Vec<(String, String)>,
    /// When it was written.
    pub at: DateTime<Utc>,
}

/// Takes letters to where people read them.
pub trait Post: Send + Sync {
    /// Hands a letter over, or says why not, without its address.
    fn send(&self, letter: Letter) -> BoxFuture<'_, Result<(), String>>;
}

/// Letters on their way. Cheap to clone.
#[derive(Clone)]
pub struct Letters {
    queue: Queue,
    clock: Clock,
}

impl Letters {
    /// The site's letters; `owner` is who looks for those to hand over.
    pub fn new(owner: OwnerDb, clock: Clock) -> Self {
        Self { queue: Queue::new(owner, QUEUE), clock }
    }

    /// Puts a letter where it survives this process, as soon as the transaction commits.
    ///
    /// # Errors
    /// The database's.
    pub async fn put(&self, owner: &mut Owner, kind: &str, letter: &Letter) -> Result<(), PgError> {
        self.queue.put(owner, kind, letter, self.clock.now()).await.map(drop)
    }

    /// Hands letters over, again and again until `stop` is cancelled, and then waits for those
    /// under way.
    pub async fn run(self, post: Arc<dyn Post>, stop: CancellationToken) {
        let rules = QueueRules { lease: LEASE, ..QueueRules::default() };
        let attempt = |job| attempt(Arc::clone(&post), job);
        self.queue.work(&rules, || self.clock.now(), attempt, stop.cancelled()).await;
    }
}

async fn attempt(post: Arc<dyn Post>, job: ClaimedJob) -> JobOutcome {
    match job.payload::<Letter>() {
        Ok(letter) => match post.send(letter).await {
            Ok(()) => JobOutcome::Done,
            Err(reason) => JobOutcome::Retry(reason),
        },
        Err(_) => JobOutcome::GiveUp("it cannot be read".to_owned()),
    }
}
