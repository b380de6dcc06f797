//! The frames that wait to be sent to one socket, bounded in number and bytes. An empty queue takes
//! no memory. The unread bytes of all sockets of one client are bounded, too.

use std::collections::VecDeque;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use tokio::sync::Notify;
use tokio_tungstenite::tungstenite::Message;

use crate::byte_quota::BytePermit;

/// Bytes of a socket's own frames that do not count against the client's quota: replies and small
/// bursts.
const UNCOUNTED: usize = 64 << 10;
/// The granularity in which the other bytes are counted.
const STEP: usize = 16 << 10;

/// Why a socket is closed by the server.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum CloseReason {
    /// The client left too much unread.
    SlowReader,
    /// The client sends too much.
    Flood,
    /// The process stops; the client may connect to another one.
    Shutdown,
}

impl CloseReason {
    /// The code (RFC 6455, section 7.4) and the reason of the close frame.
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

#[derive(Debug)]
struct QueueContents {
    frames: VecDeque<WaitingFrame>,
    bytes: usize,
    /// Bytes of the frames that only this queue holds, including the frame that is being sent.
    own_bytes: usize,
    /// Bytes of the frame that is being sent.
    sending: usize,
    /// The part of `own_bytes` that counts against the client's quota.
    memory: CountedMemory,
    closed: Option<CloseReason>,
    /// Whether the socket is gone, so that no frame is read any more.
    is_abandoned: bool,
}

#[derive(Debug)]
struct WaitingFrame {
    frame: Message,
    is_own: bool,
}

#[derive(Debug)]
struct CountedMemory {
    permit: BytePermit,
    bytes: usize,
}

impl CountedMemory {
    /// Adjusts the counted bytes; returns false if that exceeds the quota.
    fn resize(&mut self, own_bytes: usize) -> bool {
        let bytes = own_bytes.saturating_sub(UNCOUNTED).next_multiple_of(STEP);
        let may = bytes == self.bytes || self.permit.resize(bytes);
        if may {
            self.bytes = bytes;
        }
        may
    }
}

impl SendQueue {
    /// An empty queue; frames that only this queue holds count for `permit`.
    pub fn new(limits: QueueLimits, permit: BytePermit) -> Self {
        let waiting = Mutex::new(QueueContents {
            frames: VecDeque::new(),
            bytes: 0,
            own_bytes: 0,
            sending: 0,
            memory: CountedMemory { permit, bytes: 0 },
            closed: None,
            is_abandoned: false,
        });
        Self(Arc::new(Inner { waiting, arrival: Notify::new(), limits }))
    }

    /// An empty queue with the same limits, for the same client.
    pub fn another(&self) -> Self {
        let permit = self.waiting().memory.permit.another();
        Self::new(self.0.limits, permit)
    }

    /// Queues a frame; returns false if the socket is closed. A frame beyond the limits closes the
    /// socket and drops all waiting frames.
    pub fn push(&self, frame: Message) -> bool {
        self.push_all(std::iter::once(frame))
    }

    /// Queues a frame that is shared with other queues, whose bytes count for its sender.
    pub fn push_shared(&self, frame: Message) -> bool {
        self.queue(std::iter::once(WaitingFrame { frame, is_own: false }))
    }

    /// Queues frames that belong together: their reader is woken once, and so sends them with one
    /// system call. Returns false if the socket is closed, or if a frame exceeds the limits.
    pub fn push_all(&self, frames: impl IntoIterator<Item = Message>) -> bool {
        self.queue(frames.into_iter().map(|frame| WaitingFrame { frame, is_own: true }))
    }

    fn queue(&self, mut frames: impl Iterator<Item = WaitingFrame>) -> bool {
        let mut waiting = self.waiting();
        if waiting.closed.is_some() || waiting.is_abandoned {
            return false;
        }
        let are_taken = frames.all(|frame| waiting.take(frame, self.0.limits));
        drop(waiting);
        self.0.arrival.notify_one();
        are_taken
    }

    /// Closes the socket and drops all waiting frames.
    pub fn close(&self, reason: CloseReason) {
        self.waiting().close(reason);
        self.0.arrival.notify_one();
    }

    /// Marks the socket as gone, and drops all waiting frames.
    pub fn abandon(&self) {
        let mut waiting = self.waiting();
        (waiting.is_abandoned, waiting.sending) = (true, 0);
        waiting.clear();
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

    /// The reason for which the socket is to be closed, if there is one.
    pub fn reason(&self) -> Option<CloseReason> {
        self.waiting().closed
    }

    /// Takes the next frame; the previous frame is sent and no longer counts.
    ///
    /// # Errors
    /// The reason for which the socket is to be closed.
    pub fn pop(&self) -> Result<Option<Message>, CloseReason> {
        let mut waiting = self.waiting();
        if let Some(reason) = waiting.closed {
            return Err(reason);
        }
        let frame = waiting.frames.pop_front();
        let length = frame.as_ref().map_or(0, |waiting| length(&waiting.frame));
        let is_own = frame.as_ref().is_some_and(|waiting| waiting.is_own);
        waiting.bytes -= length;
        waiting.own_bytes -=
            std::mem::replace(&mut waiting.sending, if is_own { length } else { 0 });
        waiting.count();
        if waiting.frames.is_empty() {
            // An idle socket keeps no memory for a burst that is over.
            waiting.frames = VecDeque::new();
        }
        Ok(frame.map(|waiting| waiting.frame))
    }

    fn waiting(&self) -> MutexGuard<'_, QueueContents> {
        self.0.waiting.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl QueueContents {
    /// Adds a frame; if there is no room for it, closes the socket and returns false.
    fn take(&mut self, waiting: WaitingFrame, limits: QueueLimits) -> bool {
        let length = length(&waiting.frame);
        let own_bytes = self.own_bytes + if waiting.is_own { length } else { 0 };
        // A frame of any length is accepted while the queue is at most half full: it was admitted
        // by a limit of its own, and the presences directly follow the reply to a join.
        let is_full = self.frames.len() >= limits.frames
            || (self.bytes > limits.bytes / 2 && self.bytes + length > limits.bytes);
        if is_full || !self.memory.resize(own_bytes) {
            self.close(CloseReason::SlowReader);
            return false;
        }
        (self.bytes, self.own_bytes) = (self.bytes + length, own_bytes);
        self.frames.push_back(waiting);
        true
    }

    fn close(&mut self, reason: CloseReason) {
        self.closed.get_or_insert(reason);
        self.clear();
    }

    fn clear(&mut self) {
        (self.frames, self.bytes, self.own_bytes) = (VecDeque::new(), 0, self.sending);
        self.count();
    }

    /// Updates the counted bytes after a frame was sent.
    fn count(&mut self) {
        self.memory.resize(self.own_bytes);
    }
}

/// Bytes of a frame's payload.
pub(crate) fn length(frame: &Message) -> usize {
    match frame {
        Message::Text(text) => text.len(),
        Message::Binary(bytes) | Message::Ping(bytes) | Message::Pong(bytes) => bytes.len(),
        Message::Frame(frame) => frame.len(),
        Message::Close(_) => 0,
    }
}

#[cfg(test)]
mod tests {
    use std::net::IpAddr;

    use super::*;
    use crate::byte_quota::{ByteLimits, ByteQuota};

    fn permit(bytes: usize) -> BytePermit {
        let quota = ByteQuota::new(ByteLimits { total: bytes, of_client: bytes });
        quota.empty(IpAddr::from([10, 0, 0, 1]))
    }

    fn queue(frames: usize, bytes: usize) -> SendQueue {
        SendQueue::new(QueueLimits { frames, bytes }, permit(1000))
    }

    #[test]
    fn sockets_of_a_client_share_what_may_wait() {
        let limits = QueueLimits { frames: 99, bytes: 1 << 20 };
        let one = SendQueue::new(limits, permit(2 * STEP));
        let other = one.another();
        let frame = || Message::binary(vec![0; UNCOUNTED + STEP]);
        assert!(one.push(frame()) && other.push(frame()));
        assert!(one.push_shared(frame()), "its sender answers for it");
        assert!(!one.push(Message::text("a")), "all is taken");
        assert_eq!(one.pop(), Err(CloseReason::SlowReader));
        assert!(other.push(Message::text("a")), "the end of one makes room for the other");
        assert!(other.pop().is_ok_and(|frame| frame.is_some()));
        assert_eq!(other.waiting().memory.bytes, 2 * STEP, "it is not sent yet");
        assert!(other.pop().is_ok_and(|frame| frame.is_some()));
        assert_eq!(other.waiting().memory.bytes, 0);
    }

    #[test]
    fn reader_that_falls_behind_is_closed() {
        for (queue, capacity) in [(queue(2, 100), 2), (queue(9, 10), 2), (queue(9, 1), 1)] {
            for _ in 0..capacity {
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
