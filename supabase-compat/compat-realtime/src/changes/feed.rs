//! The replication stream of this process: opened while a subscriber needs it, opened again after a
//! failure, and read into batches.
//!
//! Every process has a stream of its own. A temporary slot ends with its connection and cannot be
//! handed over, so a single reader for all processes would lose what is committed between its end
//! and the start of the next.

use std::sync::Arc;
use std::time::Duration;

use chrono::{DateTime, Utc};
use compat_replication::{Message, ReplicationError, ReplicationStream, StreamOptions};
use futures_util::future::BoxFuture;
use tokio::sync::mpsc::{Receiver, Sender, channel};
use tokio::sync::{OwnedSemaphorePermit, Semaphore};
use tokio::time::{interval, sleep, timeout};
use tokio_util::sync::CancellationToken;

use super::dispatcher::Dispatcher;
use super::messages::MessageFeed;
use super::table::Change;
use super::target::EventKind;
use super::{Inner, StreamState, SystemStatus};
use crate::State;
use crate::store::changes::{self as store, MESSAGES_PUBLICATION, PUBLICATION};

/// The most bytes that are kept of one row.
const LARGEST_ROW: usize = 4 << 20;
/// The most changes that wait for delivery, and their bytes in units of [`UNIT`].
const WAITING: usize = 1_024;
const WAITING_UNITS: u32 = 32 << 10;
const UNIT: usize = 1 << 10;
/// Changes of one batch.
const BATCH: usize = 256;
/// How long changes may wait for delivery. After that the stream is closed, so that the server need
/// not keep its log for it.
const LONGEST_WAIT: Duration = Duration::from_secs(30);
/// How long the server may take to create a slot.
const SLOT_TIMEOUT: Duration = Duration::from_secs(60);
/// Pauses between attempts.
const FIRST_PAUSE: Duration = Duration::from_millis(200);
const LONGEST_PAUSE: Duration = Duration::from_secs(10);
/// How often to check whether publications were added or removed.
const LOOK: Duration = Duration::from_secs(60);

const LOST: &str = "The replication connection was lost; changes may have been missed";

/// Reads the stream while a subscriber needs it, until `stop` is cancelled.
pub async fn run(state: State, stop: CancellationToken) {
    let inner = Arc::clone(&state.changes.0);
    let keeping: BoxFuture<'static, ()> = Box::pin(keep(inner));
    let _ = stop.run_until_cancelled(keeping).await;
}

async fn keep(inner: Arc<Inner>) {
    let inner = &*inner;
    let mut demand = inner.demand.subscribe();
    let mut messages = MessageFeed::new(inner.hub.clone(), inner.max_payload);
    let mut pause = FIRST_PAUSE;
    let mut was_lost = false;
    loop {
        // Later subscribers are not sent anything from before they joined.
        was_lost = was_lost && is_needed(&demand.borrow());
        if demand.wait_for(is_needed).await.is_err() {
            return;
        }
        let session: BoxFuture<'_, _> = Box::pin(session(inner, &mut messages, was_lost));
        match session.await {
            Ok(()) => {
                (pause, was_lost) = (FIRST_PAUSE, false);
                inner.stream.send_replace(StreamState::Closed);
            }
            Err(error) => {
                let failed = StreamState::failed(&error);
                let before = inner.stream.send_replace(failed.clone());
                let was_live = matches!(before, StreamState::Live);
                if was_live {
                    (pause, was_lost) = (FIRST_PAUSE, true);
                    tracing::warn!(%error, "replication stream lost; opening another");
                    inner.registry.send_status(SystemStatus::Error, LOST);
                } else if before != failed {
                    tracing::warn!(%error, "cannot open the replication stream; trying again");
                }
                sleep(pause).await;
                pause = (pause * 2).min(LONGEST_PAUSE);
            }
        }
    }
}

/// Opens and reads one stream; returns `Ok` when it is no longer needed.
async fn session(
    inner: &Inner,
    messages: &mut MessageFeed,
    was_lost: bool,
) -> Result<(), ReplicationError> {
    let options = StreamOptions {
        publications: vec![PUBLICATION.to_owned(), MESSAGES_PUBLICATION.to_owned()],
        slot: format!("supabase_compat_realtime_{}", inner.entropy.uuid().simple()),
        largest_row: LARGEST_ROW,
        slot_timeout: SLOT_TIMEOUT,
    };
    let opening: BoxFuture<'_, _> = Box::pin(ReplicationStream::open(&inner.owner, &options));
    let stream = opening.await?;
    messages.begin(&inner.owner, was_lost).await?;
    let publications = stream.publications().to_vec();
    inner.stream.send_replace(StreamState::Live);
    tracing::info!(slot = stream.slot(), "replication stream opened");
    if was_lost {
        inner.registry.send_status(SystemStatus::Ok, "Subscribed to PostgreSQL");
    }
    let (sender, receiver) = channel(WAITING);
    let dispatcher = Dispatcher::new(
        inner.owner.clone(),
        inner.acting.clone(),
        inner.registry.clone(),
        inner.stats.clone(),
    );
    let reading: BoxFuture<'_, _> = Box::pin(read(stream, sender));
    let dispatching: BoxFuture<'_, _> = Box::pin(dispatch(dispatcher, messages, receiver));
    tokio::select! {
        outcome = reading => outcome,
        () = dispatching => Ok(()),
        () = until_unused(inner) => Ok(()),
        outcome = publications_differ(inner, &publications) => outcome,
    }
}

/// Waits until the stream has not been needed for the grace period.
async fn until_unused(inner: &Inner) {
    let mut demand = inner.demand.subscribe();
    loop {
        if demand.wait_for(is_idle).await.is_err() {
            return;
        }
        if timeout(inner.grace, demand.wait_for(is_needed)).await.is_err() {
            return;
        }
    }
}

fn is_needed(count: &usize) -> bool {
    *count > 0
}

fn is_idle(count: &usize) -> bool {
    *count == 0
}

/// Waits until the existing publications differ from those that the stream reads.
async fn publications_differ(inner: &Inner, read: &[String]) -> Result<(), ReplicationError> {
    let mut look = interval(LOOK);
    look.tick().await;
    loop {
        look.tick().await;
        let exist = match store::publications(&inner.owner).await {
            Ok(exist) => exist,
            Err(error) => {
                // Not a reason to close a stream that works.
                tracing::debug!(%error, "cannot query the publications");
                continue;
            }
        };
        if exist.len() != read.len() || exist.iter().any(|name| !read.contains(name)) {
            return Err(ReplicationError::Ended);
        }
    }
}

/// A message that was read and waits for delivery.
struct QueuedMessage {
    message: Message,
    transaction: u32,
    at: DateTime<Utc>,
    size: usize,
    /// The permit for the message's memory.
    _memory: OwnedSemaphorePermit,
}

async fn read(
    mut stream: ReplicationStream,
    sender: Sender<QueuedMessage>,
) -> Result<(), ReplicationError> {
    let memory = Arc::new(Semaphore::new(WAITING_UNITS as usize));
    let (mut at, mut transaction) = (DateTime::UNIX_EPOCH, 0);
    loop {
        let message = stream.next().await?;
        match &message {
            Message::Begin(begin) => {
                (at, transaction) = (begin.at, begin.transaction);
                continue;
            }
            Message::Relation(_) | Message::Insert(_) | Message::Update(_) | Message::Delete(_) => {
            }
            _ => continue,
        }
        let size = size(&message);
        let units = u32::try_from(size / UNIT + 1).unwrap_or(u32::MAX).min(WAITING_UNITS);
        let result = timeout(LONGEST_WAIT, async {
            match Arc::clone(&memory).acquire_many_owned(units).await {
                Ok(permit) => {
                    let waiting = QueuedMessage { message, transaction, at, size, _memory: permit };
                    sender.send(waiting).await.is_ok()
                }
                Err(_) => false,
            }
        });
        match result.await {
            Ok(true) => {}
            Ok(false) => return Ok(()),
            Err(_) => return Err(ReplicationError::Slow),
        }
    }
}

async fn dispatch(
    mut dispatcher: Dispatcher,
    messages: &mut MessageFeed,
    mut receiver: Receiver<QueuedMessage>,
) {
    let mut batch = Vec::new();
    loop {
        batch.clear();
        if receiver.recv_many(&mut batch, BATCH).await == 0 {
            return;
        }
        let mut changes = Vec::new();
        let mut memory = Vec::with_capacity(batch.len());
        for QueuedMessage { message, transaction, at, size, _memory } in batch.drain(..) {
            memory.push(_memory);
            match message {
                Message::Relation(relation) => {
                    // The changes read so far have the earlier shape of the table.
                    dispatcher.dispatch(&std::mem::take(&mut changes)).await;
                    messages.learn(&relation);
                    dispatcher.learn(relation);
                }
                Message::Insert(insert) if messages.take(&insert) => {}
                other => changes.extend(change(other, transaction, at, size)),
            }
        }
        dispatcher.dispatch(&changes).await;
    }
}

fn change(message: Message, transaction: u32, at: DateTime<Utc>, size: usize) -> Option<Change> {
    let (table, kind, new, old) = match message {
        Message::Insert(insert) => (insert.relation, EventKind::Insert, insert.new, None),
        Message::Update(update) => (update.relation, EventKind::Update, update.new, update.old),
        Message::Delete(delete) => {
            (delete.relation, EventKind::Delete, Default::default(), Some(delete.old))
        }
        _ => return None,
    };
    Some(Change { table, transaction, at, kind, new, old, size })
}

/// The approximate size of a message in bytes.
fn size(message: &Message) -> usize {
    use compat_replication::{OldTuple, Tuple, Value};
    let tuple = |tuple: &Tuple| -> usize {
        let length = |value: &Value| match value {
            Value::Text(bytes) => bytes.len(),
            // The value was omitted because it is beyond the limit.
            Value::Omitted => LARGEST_ROW,
            _ => 0,
        };
        tuple.0.iter().map(length).fold(0, |sum: usize, length| (sum + length).min(LARGEST_ROW))
    };
    let old = |old: &OldTuple| match old {
        OldTuple::Key(values) | OldTuple::Row(values) => tuple(values),
    };
    match message {
        Message::Insert(insert) => tuple(&insert.new),
        Message::Update(update) => tuple(&update.new) + update.old.as_ref().map_or(0, old),
        Message::Delete(delete) => old(&delete.old),
        _ => 0,
    }
}
