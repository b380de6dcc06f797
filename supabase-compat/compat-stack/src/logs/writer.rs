//! Sends entries to the ring through a queue and a thread. Senders never wait; if the thread does
//! not keep up, entries are dropped and counted.

use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};
use std::sync::mpsc::{Receiver, SyncSender, sync_channel};
use std::thread;
use std::time::Duration;

use compat_http::Clock;

use super::access::{LastCaller, RequestNote};
use super::ring::Ring;
use super::{LogEntry, LogLevel};

/// The most queued entries.
const QUEUE: usize = 8192;
/// How long entries are collected before they are written together.
const GATHERING: Duration = Duration::from_millis(20);
/// How long a flush waits.
const TIMEOUT: Duration = Duration::from_secs(2);
/// The longest line; a longer entry is replaced by one that says so.
const LONGEST_LINE: usize = 16 * 1024;

enum Message {
    Entry(Box<LogEntry>),
    Request(Box<RequestNote>),
    Flush(SyncSender<()>),
}

/// Sends entries to the ring. Cheap to clone.
#[derive(Clone)]
pub struct LogWriter {
    queue: SyncSender<Message>,
    left_out: Arc<AtomicU64>,
}

impl LogWriter {
    /// Starts a writer of the ring in `folder`, which has at most `max_size` bytes. The folder is
    /// created with the first entry.
    ///
    /// # Errors
    /// The thread cannot be started.
    pub fn start(folder: &Path, max_size: u64, clock: Clock) -> std::io::Result<Self> {
        let (queue, messages) = sync_channel(QUEUE);
        let left_out = Arc::new(AtomicU64::new(0));
        let worker = Worker {
            ring: Ring::new(folder, max_size),
            clock,
            left_out: Arc::clone(&left_out),
            lines: Vec::new(),
            last_caller: LastCaller::default(),
            is_failing: false,
        };
        thread::Builder::new().name("logs".to_owned()).spawn(move || worker.run(&messages))?;
        Ok(Self { queue, left_out })
    }

    /// Queues an entry; drops it if the queue is full.
    pub fn write(&self, entry: LogEntry) {
        self.send(Message::Entry(Box::new(entry)));
    }

    pub(super) fn write_request(&self, note: RequestNote) {
        self.send(Message::Request(Box::new(note)));
    }

    /// Waits until all entries queued before are written to the file.
    pub fn flush(&self) {
        let (done, is_done) = sync_channel(1);
        if self.queue.send(Message::Flush(done)).is_ok() {
            let _ = is_done.recv_timeout(TIMEOUT);
        }
    }

    fn send(&self, message: Message) {
        if self.queue.try_send(message).is_err() {
            self.left_out.fetch_add(1, Relaxed);
        }
    }
}

struct Worker {
    ring: Ring,
    clock: Clock,
    left_out: Arc<AtomicU64>,
    lines: Vec<u8>,
    last_caller: LastCaller,
    is_failing: bool,
}

impl Worker {
    /// Runs until the last writer is dropped.
    fn run(mut self, messages: &Receiver<Message>) {
        while let Ok(first) = messages.recv() {
            let mut flushes = Vec::new();
            let must_flush = self.take(first, &mut flushes);
            if !must_flush {
                // Collects entries, so that many share one write and senders need not wake this
                // thread for each.
                thread::sleep(GATHERING);
            }
            while let Ok(message) = messages.try_recv() {
                self.take(message, &mut flushes);
            }
            self.note_left_out();
            self.append();
            flushes.into_iter().for_each(|done: SyncSender<()>| _ = done.try_send(()));
        }
    }

    /// Handles a message; returns true if its sender waits for the write.
    fn take(&mut self, message: Message, flushes: &mut Vec<SyncSender<()>>) -> bool {
        match message {
            Message::Entry(entry) => self.encode(*entry),
            Message::Request(note) => {
                let entry = note.entry(&mut self.last_caller);
                self.encode(entry);
            }
            Message::Flush(done) => {
                flushes.push(done);
                return true;
            }
        }
        false
    }

    fn encode(&mut self, mut entry: LogEntry) {
        let begin = self.lines.len();
        // Writing to a vector cannot fail, and every entry can be encoded.
        let _ = serde_json::to_writer(&mut self.lines, &entry);
        if self.lines.len() - begin >= LONGEST_LINE {
            self.lines.truncate(begin);
            entry.message = Some("the entry was too long".to_owned());
            entry.query = None;
            let _ = serde_json::to_writer(&mut self.lines, &entry);
        }
        self.lines.push(b'\n');
        if self.lines.len() > self.ring.largest_append() {
            let line = self.lines.split_off(begin);
            self.append();
            self.lines = line;
        }
    }

    fn note_left_out(&mut self) {
        let left_out = self.left_out.swap(0, Relaxed);
        if left_out > 0 {
            let mut entry = LogEntry::new(self.clock.now(), "stack", LogLevel::Warn);
            entry.message = Some(format!("{left_out} log entries left out: too many at once"));
            self.encode(entry);
        }
    }

    /// Appends the collected lines. On a full or missing disk, entries are lost and the program
    /// goes on.
    fn append(&mut self) {
        if self.lines.is_empty() {
            return;
        }
        let appended = self.ring.append(&self.lines);
        self.lines.clear();
        if let Err(error) = &appended
            && !self.is_failing
        {
            tracing::warn!(%error, "cannot write log entries");
        }
        self.is_failing = appended.is_err();
    }
}
