//! The lookup batcher: queries of the vote API that arrive while others are answered form the next
//! statement.
//!
//! Most of the cost of a query is the round trip and the statement around it. Plugins send many, and
//! a batch shares that cost, so that one connection is enough. A query that arrives alone is
//! answered at once.

use std::collections::VecDeque;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use compat_pg::{OwnerDb, PgError};
use tokio::sync::oneshot;
use tokio::time::timeout;
use tracing::Instrument as _;

use crate::error::ApiError;
use crate::store::vote::{self, VoteLookup, VoteQuery};

/// The most queries in one statement, so that none waits long for the others.
const BATCH: usize = 64;
/// The most queries that wait.
const QUEUE: usize = 4096;
/// How long a query waits for its answer. While the database is away each batch fails late, and a
/// query must not wait for all the batches before it.
const TIMEOUT: Duration = Duration::from_secs(5);

type Reply = oneshot::Sender<Result<VoteLookup, ApiError>>;

/// The batcher of one process; cheap to clone.
#[derive(Clone)]
pub(crate) struct LookupBatcher(Arc<Inner>);

struct Inner {
    db: OwnerDb,
    queue: Mutex<Queue>,
}

#[derive(Default)]
struct Queue {
    waiting: VecDeque<(VoteQuery, Reply)>,
    /// Whether a task answers queries now.
    is_running: bool,
}

/// Refuses the waiting queries when the task ends before its work is done: by a panic, or because
/// the program stops.
struct RunGuard {
    batcher: LookupBatcher,
    is_finished: bool,
}

impl LookupBatcher {
    /// Creates a batcher for this database.
    pub fn new(db: OwnerDb) -> Self {
        Self(Arc::new(Inner { db, queue: Mutex::default() }))
    }

    /// Answers a query.
    ///
    /// # Errors
    /// [`ApiError::Database`], also when too many queries wait or the answer is late.
    pub async fn find(&self, query: VoteQuery) -> Result<VoteLookup, ApiError> {
        let (reply, answer) = oneshot::channel();
        self.enqueue(query, reply)?;
        // The task that had the query ended without a reply.
        let lost = |_| PgError::Unavailable("the batch ended without an answer".into());
        timeout(TIMEOUT, answer).await.map_err(|_| PgError::PoolTimeout)?.map_err(lost)?
    }

    fn enqueue(&self, query: VoteQuery, reply: Reply) -> Result<(), PgError> {
        let mut queue = self.queue();
        if queue.waiting.len() >= QUEUE {
            return Err(PgError::PoolTimeout);
        }
        queue.waiting.push_back((query, reply));
        let was_running = std::mem::replace(&mut queue.is_running, true);
        // While the program stops, the task is dropped inside `spawn`, and its guard takes the lock.
        drop(queue);
        if !was_running {
            tokio::spawn(RunGuard { batcher: self.clone(), is_finished: false }.run());
        }
        Ok(())
    }

    async fn answer(&self, batch: Vec<(VoteQuery, Reply)>) {
        let queries: Vec<&VoteQuery> = batch.iter().map(|(query, _)| query).collect();
        match self.ask(&queries).await {
            Ok(answers) => {
                for ((_, reply), answer) in batch.into_iter().zip(answers) {
                    // A caller that has disconnected needs no reply.
                    drop(reply.send(Ok(answer)));
                }
            }
            Err(error) => {
                let error = Arc::new(error);
                for (_, reply) in batch {
                    drop(reply.send(Err(ApiError::Database(Arc::clone(&error)))));
                }
            }
        }
    }

    async fn ask(&self, queries: &[&VoteQuery]) -> Result<Vec<VoteLookup>, PgError> {
        let mut owner = self.0.db.connection().await?;
        vote::find(&mut owner, queries).await
    }

    fn queue(&self) -> MutexGuard<'_, Queue> {
        self.0.queue.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl RunGuard {
    /// Answers batch after batch until no query waits.
    async fn run(mut self) {
        while let Some(batch) = self.next() {
            let span = tracing::info_span!("ranking.lookups", queries = batch.len());
            self.batcher.answer(batch).instrument(span).await;
        }
        self.is_finished = true;
    }

    /// The next queries whose callers still wait. Without any, the next query starts a task.
    fn next(&self) -> Option<Vec<(VoteQuery, Reply)>> {
        let mut queue = self.batcher.queue();
        let mut batch = Vec::new();
        while batch.len() < BATCH {
            let Some(one) = queue.waiting.pop_front() else { break };
            if !one.1.is_closed() {
                batch.push(one);
            }
        }
        queue.is_running = !batch.is_empty();
        queue.is_running.then_some(batch)
    }
}

impl Drop for RunGuard {
    fn drop(&mut self) {
        if self.is_finished {
            return;
        }
        // No task is started for them: while the program stops, it would be dropped at once, and this
        // would start the next one.
        let mut queue = self.batcher.queue();
        queue.is_running = false;
        queue.waiting.clear();
    }
}

#[cfg(test)]
mod tests {
    use chrono::DateTime;
    use compat_pg::OwnerConfig;
    use futures_util::future::join_all;
    use tokio::net::TcpListener;
    use tokio::time::Instant;
    use uuid::Uuid;

    use super::*;
    use crate::model::nickname::Nickname;
    use crate::model::server_key::ServerKey;
    use crate::store::vote::VoterKey;

    #[tokio::test(start_paused = true)]
    async fn queries_end_while_the_database_is_silent() {
        // Its queue of connections accepts them, and nobody answers.
        let silent = TcpListener::bind("127.0.0.1:0").await.expect("a port");
        let url = format!("postgresql://postgres@{}/postgres", silent.local_addr().expect("bound"));
        let db = OwnerDb::new(&url, &OwnerConfig::default()).expect("an address");
        let batcher = LookupBatcher::new(db);
        let query = || VoteQuery {
            server: ServerKey::Id(Uuid::nil()),
            voter: VoterKey::Player(Nickname::parse("Ada").expect("a nickname")),
            at: DateTime::UNIX_EPOCH,
        };
        let start = Instant::now();
        let answers = join_all((0..3 * BATCH).map(|_| batcher.find(query()))).await;
        assert!(answers.iter().all(|answer| matches!(answer, Err(ApiError::Database(_)))));
        assert!(start.elapsed() < TIMEOUT + Duration::from_secs(1), "{:?}", start.elapsed());
    }
}
