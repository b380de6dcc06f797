//! What waits to be sent to one socket, bounded in frames and bytes. Memory is taken only while
//! something waits.

use std::collections::VecDeque;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use axum::extract::ws::Message;
use tokio::sync::Notify;

/// Why a socket is closed by the server.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum CloseReason {
    /// It left more unread than is kept for it.
    SlowReader,
    /// Its client sends more than is kept for it.
    Flood,
    /// The process stops; another one may take the client.
    Shutdown,
}

impl CloseReason {
    /// The code of the close frame (RFC 6455, section 7.4) and what it says.
    pub fn frame(self) -> (u16, &'static str) {
        match self {
            Self::SlowReader => (1013, "Too many messages are waiting to be read"),
            Self::Flood => (1008, "Too many messages per second"),
            Self::Shutdown => (1001, "Server is shutting down"),
        }
    }
}

/// How much may wait.
#[derive(Debug, Clone, Copy)]
pub(crate) struct QueueLimits {
    pub frames: usize,
    pub bytes: usize,
}

/// The frames that wait for one socket. Clones share them.
#[derive(Debug, Clone)]
pub(crate) struct SendQueue(Arc<Inner>);

#[derive(Debug)]
struct Inner {
    waiting: Mutex<QueueContents>,
    arrival: Notify,
    limits: QueueLimits,
}

#[derive(Debug, Default)]
struct QueueContents {
    frames: VecDeque<Message>,
    bytes: usize,
    closed: Option<CloseReason>,
    /// The socket is gone; nobody reads any more.
    is_abandoned: bool,
}

impl SendQueue {
    /// An empty one.
    pub fn new(limits: QueueLimits) -> Self {
        let (waiting, arrival) = (Mutex::default(), Notify::new());
        Self(Arc::new(Inner { waiting, arrival, limits }))
    }

    /// An empty one within the same limits.
    pub fn another(&self) -> Self {
        Self::new(self.0.limits)
    }

    /// Queues a frame; false where the socket is closed. A frame beyond the limits closes it, and
    /// what waits is dropped.
    pub fn push(&self, frame: Message) -> bool {
        self.push_all(std::iter::once(frame))
    }

    /// Queues frames that belong together: their reader is woken once, and so sends them with one
    /// call of the system. False where the socket is closed, or one of them is beyond the limits.
    pub fn push_all(&self, frames: impl IntoIterator<Item = Message>) -> bool {
        let mut waiting = self.waiting();
        if waiting.closed.is_some() || waiting.is_abandoned {
            return false;
        }
        let are_taken = frames.into_iter().all(|frame| waiting.take(frame, self.0.limits));
        drop(waiting);
        self.0.arrival.notify_one();
        are_taken
    }

    /// Closes the socket; what waits is dropped.
    pub fn close(&self, reason: CloseReason) {
        close(&mut self.waiting(), reason);
        self.0.arrival.notify_one();
    }

    /// Nobody reads any more.
    pub fn abandon(&self) {
        *self.waiting() = QueueContents { is_abandoned: true, ..QueueContents::default() };
    }

    /// Waits until there is something to send, or a reason to close.
    pub async fn ready(&self) {
        loop {
            let arrival = self.0.arrival.notified();
            let has_some = {
                let waiting = self.waiting();
                !waiting.frames.is_empty() || waiting.closed.is_some()
            };
            if has_some {
                return;
            }
            arrival.await;
        }
    }

    /// Waits until the socket is to be closed.
    pub async fn closed(&self) -> CloseReason {
        loop {
            let arrival = self.0.arrival.notified();
            if let Some(reason) = self.reason() {
                return reason;
            }
            arrival.await;
        }
    }

    /// Why the socket is to be closed, where it is.
    pub fn reason(&self) -> Option<CloseReason> {
        self.waiting().closed
    }

    /// The next frame.
    ///
    /// # Errors
    /// The reason for which the socket is to be closed.
    pub fn pop(&self) -> Result<Option<Message>, CloseReason> {
        let mut waiting = self.waiting();
        if let Some(reason) = waiting.closed {
            return Err(reason);
        }
        let frame = waiting.frames.pop_front();
        if let Some(frame) = &frame {
            waiting.bytes -= length(frame);
        }
        if waiting.frames.is_empty() {
            // An idle socket keeps no memory for a burst that is over.
            waiting.frames = VecDeque::new();
        }
        Ok(frame)
    }

    fn waiting(&self) -> MutexGuard<'_, QueueContents> {
        self.0.waiting.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl QueueContents {
    /// Takes one more frame; without room for it the socket is closed.
    fn take(&mut self, frame: Message, limits: QueueLimits) -> bool {
        let length = length(&frame);
        // One frame is taken however long it is, as long as not much waits: it was admitted by a
        // limit of its own, and who is present is told right behind the reply to a join.
        let is_full = self.frames.len() >= limits.frames
            || (self.bytes > limits.bytes / 2 && self.bytes + length > limits.bytes);
        if is_full {
            close(self, CloseReason::SlowReader);
        } else {
            self.bytes += length;
            self.frames.push_back(frame);
        }
        !is_full
    }
}

fn close(waiting: &mut QueueContents, reason: CloseReason) {
    waiting.closed.get_or_insert(reason);
    (waiting.frames, waiting.bytes) = (VecDeque::new(), 0);
}

/// Bytes of a frame's payload.
pub(crate) fn length(frame: &Message) -> usize {
    match frame {
        Message::Text(text) => text.len(),
        Message::Binary(bytes) | Message::Ping(bytes) | Message::Pong(bytes) => bytes.len(),
        Message::Close(_) => 0,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn queue(frames: usize, bytes: usize) -> SendQueue {
        SendQueue::new(QueueLimits { frames, bytes })
    }

    #[test]
    fn reader_that_falls_behind_is_closed() {
        for (queue, fitting) in [(queue(2, 100), 2), (queue(9, 10), 2), (queue(9, 1), 1)] {
            for _ in 0..fitting {
                assert!(queue.push(Message::text("12345")));
            }
            assert!(!queue.push(Message::text("12345")));
            assert_eq!(queue.pop(), Err(CloseReason::SlowReader));
            assert!(!queue.push(Message::text("more")));
        }
    }

    #[test]
    fn frames_leave_in_the_order_they_came() {
        let queue = queue(2, 100);
        for round in 0..5 {
            let (one, two) = (format!("a{round}"), format!("b{round}"));
            assert!(queue.push(Message::text(&*one)) && queue.push(Message::text(&*two)));
            assert_eq!(queue.pop(), Ok(Some(Message::text(&*one))));
            assert_eq!(queue.pop(), Ok(Some(Message::text(&*two))));
            assert_eq!(queue.pop(), Ok(None));
        }
    }

    #[test]
    fn frames_that_belong_together_keep_the_limits() {
        let queue = queue(2, 100);
        let frames = |count| std::iter::repeat_n(Message::text("a"), count);
        assert!(queue.push_all(frames(2)));
        assert_eq!(queue.pop(), Ok(Some(Message::text("a"))));
        assert!(!queue.push_all(frames(2)));
        assert_eq!(queue.pop(), Err(CloseReason::SlowReader));
        assert!(!queue.push_all(frames(1)));
    }

    #[tokio::test]
    async fn shutdown_goes_before_what_waits() {
        let queue = queue(9, 100);
        queue.push(Message::text("a"));
        queue.close(CloseReason::Shutdown);
        queue.ready().await;
        assert_eq!(queue.pop(), Err(CloseReason::Shutdown));
        queue.abandon();
        assert!(!queue.push(Message::text("b")));
    }
}
