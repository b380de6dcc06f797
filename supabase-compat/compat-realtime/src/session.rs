//! One socket: the messages of its client, the frames it is sent, and its end.
//!
//! Everything about a socket happens in one task. Work that waits for the database runs beside the
//! loop and blocks only its own channel, so that heartbeats are always answered; messages for that
//! channel are kept meanwhile and handled in their order.

mod access;
mod broadcast;
mod channel;
mod join;
mod join_config;
mod presence;
mod rate;
mod replies;
mod token;
mod work;

use std::collections::HashMap;
use std::sync::Arc;
use std::time::Duration;

use compat_http::ListenerTerms;
use futures_util::stream::FuturesUnordered;
use futures_util::{SinkExt as _, StreamExt as _};
use tokio::time::{Instant, sleep_until, timeout};
use tokio_tungstenite::tungstenite::protocol::CloseFrame;
use tokio_tungstenite::tungstenite::{Error, Message};

use crate::byte_quota::BytePermit;
use crate::connection::{Connection, discard, frames_of, refusal};
use crate::protocol::{ClientMessage, Version, read};
use crate::send_queue::{CloseReason, SendQueue, length};
use crate::sockets::SocketPermit;
use crate::state::State;
pub(crate) use access::{PolicyFacts, policy_caller};
use channel::Slot;
pub(crate) use join::PREFIX;
use rate::RateWindow;
pub(crate) use rate::SharedRate;
pub(crate) use token::SocketToken;
use work::Work;

/// How long a client may take to read why its socket is closed.
const FAREWELL: Duration = Duration::from_secs(1);
/// The most frames that are sent before the client is read again.
const BURST: usize = 256;
const SECOND: Duration = Duration::from_secs(1);

/// What is known about a socket when it opens.
pub(crate) struct SocketFacts {
    pub version: Version,
    /// The key that opened the socket, for channels without a token of their own.
    pub token: SocketToken,
    /// What policies may know about the request that opened the socket.
    pub request: PolicyFacts,
    /// Set if another part of this process passed the socket on: it may only listen.
    pub terms: Option<ListenerTerms>,
}

/// One socket; see [`run`].
struct Session {
    state: State,
    facts: SocketFacts,
    queue: SendQueue,
    channels: HashMap<Arc<str>, Slot>,
    work: FuturesUnordered<Work>,
    /// Bytes of the messages that wait for busy channels.
    backlog_bytes: usize,
    /// The same bytes, counted against the client's quota.
    backlog_memory: BytePermit,
    events: RateWindow,
    joins: RateWindow,
    /// Bytes of frames.
    input: RateWindow,
    /// Frames, however short.
    frames: RateWindow,
    last_received: Instant,
    without_channel_since: Instant,
    /// Whether a deadline may have moved ahead of the timer.
    has_new_deadline: bool,
}

/// How a socket ends.
enum SocketEnd {
    /// The client is gone or unreachable.
    Gone,
    /// The client is sent a close frame with the reason.
    Told(u16, &'static str),
    /// The client is sent a close frame, but its own frames can no longer be parsed.
    Unreadable(u16, &'static str),
}

impl From<CloseReason> for SocketEnd {
    fn from(reason: CloseReason) -> Self {
        let (code, text) = reason.frame();
        Self::Told(code, text)
    }
}

/// Serves a socket until either side closes it.
pub(crate) async fn run(
    state: State,
    facts: SocketFacts,
    permit: SocketPermit,
    mut socket: Connection,
) {
    let ending = Session::new(state, facts, permit.queue().clone()).serve(&mut socket).await;
    let farewell = async {
        match ending {
            // The reply to the client's close frame is written, but not flushed yet.
            SocketEnd::Gone => socket.flush().await?,
            SocketEnd::Told(code, reason) => {
                send_close(&mut socket, permit.queue(), code, reason).await?;
                // Reads until the client answers with a close frame or hangs up: if the connection
                // is closed earlier, the kernel may drop data that the client has not read.
                while let Some(Ok(_)) = socket.next().await {}
            }
            SocketEnd::Unreadable(code, reason) => {
                send_close(&mut socket, permit.queue(), code, reason).await?;
                discard(&mut socket).await;
            }
        }
        Ok::<_, Error>(())
    };
    let _ = timeout(FAREWELL, farewell).await;
    permit.queue().abandon();
}

/// Sends the frames that still wait, if the queue is not closed, and then the close frame.
async fn send_close(
    socket: &mut Connection,
    queue: &SendQueue,
    code: u16,
    reason: &'static str,
) -> Result<(), Error> {
    while let Ok(Some(message)) = queue.pop() {
        for frame in frames_of(message) {
            socket.feed(frame).await?;
        }
    }
    let frame = CloseFrame { code: code.into(), reason: reason.into() };
    socket.send(Message::Close(Some(frame))).await
}

impl Session {
    fn new(state: State, facts: SocketFacts, queue: SendQueue) -> Self {
        let now = Instant::now();
        Self {
            events: RateWindow::new(state.config.max_events_per_second, SECOND),
            joins: RateWindow::new(state.config.max_joins_per_second, SECOND),
            input: RateWindow::new(state.config.max_bytes_per_second, SECOND),
            frames: RateWindow::new(
                state
                    .config
                    .max_frames_per_second
                    .saturating_add(state.config.max_events_per_second),
                SECOND,
            ),
            backlog_memory: state.pending.empty(facts.request.client),
            state,
            facts,
            queue,
            channels: HashMap::new(),
            work: FuturesUnordered::new(),
            backlog_bytes: 0,
            last_received: now,
            without_channel_since: now,
            has_new_deadline: false,
        }
    }

    async fn serve(mut self, socket: &mut Connection) -> SocketEnd {
        let mut timer = std::pin::pin!(sleep_until(self.deadline()));
        let mut over = std::pin::pin!(until_over(self.facts.terms.clone()));
        loop {
            if std::mem::take(&mut self.has_new_deadline) {
                timer.as_mut().reset(self.deadline());
            }
            let handled = tokio::select! {
                () = self.queue.ready() => {
                    let start = Instant::now();
                    let flushed = flush(&self.state, &self.queue, socket).await;
                    // The client was not read meanwhile, so this time is no silence.
                    self.last_received += start.elapsed();
                    flushed
                }
                frame = socket.next() => match frame {
                    Some(Ok(frame)) => self.receive(&frame),
                    Some(Err(error)) => {
                        tracing::debug!(%error, "socket failed");
                        let refusal = refusal(&error);
                        Err(refusal.map_or(SocketEnd::Gone, |(code, text)| {
                            SocketEnd::Unreadable(code, text)
                        }))
                    }
                    None => Err(SocketEnd::Gone),
                },
                Some(outcome) = self.work.next(), if !self.work.is_empty() => {
                    self.finish(outcome)
                }
                () = over.as_mut() => Err(SocketEnd::Told(1008, "The session is over")),
                () = timer.as_mut() => {
                    self.has_new_deadline = true;
                    self.check_times()
                }
            };
            if let Err(ending) = handled {
                return ending;
            }
        }
    }

    fn receive(&mut self, frame: &Message) -> Result<(), SocketEnd> {
        self.last_received = Instant::now();
        if !self.input.take_many(length(frame)) {
            return Err(SocketEnd::Told(1008, "Too many bytes per second"));
        }
        if !self.frames.take() {
            return Err(CloseReason::Flood.into());
        }
        match frame {
            Message::Text(_) | Message::Binary(_) => {}
            Message::Ping(_) | Message::Pong(_) | Message::Frame(_) => return Ok(()),
            Message::Close(_) => return Err(SocketEnd::Gone),
        }
        self.state.stats.received(frame);
        // The contract drops malformed frames and keeps the socket.
        let Some(message) = read(self.facts.version, frame) else {
            tracing::debug!("malformed frame dropped");
            return Ok(());
        };
        self.take(message)
    }

    fn take(&mut self, message: ClientMessage) -> Result<(), SocketEnd> {
        if &*message.topic == "phoenix" {
            if &*message.event == "heartbeat" {
                self.reply_ok(&message);
            }
            return Ok(());
        }
        let limits = self.state.config.queue_limits();
        match self.channels.get_mut(&*message.topic) {
            Some(slot) if slot.is_busy() => {
                let bytes = self.backlog_bytes + message.len();
                let is_full = slot.backlog.len() >= limits.frames || bytes > limits.bytes;
                if is_full || !self.backlog_memory.resize(bytes) {
                    return Err(CloseReason::Flood.into());
                }
                self.backlog_bytes = bytes;
                slot.backlog.push_back(message);
                Ok(())
            }
            _ => self.handle(message),
        }
    }

    /// Handles a message whose channel is not busy.
    fn handle(&mut self, message: ClientMessage) -> Result<(), SocketEnd> {
        match &*message.event {
            "phx_join" => return self.join(message),
            "phx_leave" => self.leave(&message),
            _ if !self.has_channel(&message.topic) => self.reply_unmatched(&message),
            "broadcast" | "presence" if self.facts.terms.is_some() => {
                self.refuse_listener(&message);
            }
            "broadcast" => self.broadcast(message),
            "presence" => self.presence(message),
            "access_token" => self.access_token(&message),
            event => tracing::debug!(event, "unknown event ignored"),
        }
        Ok(())
    }

    /// Handles the messages that waited for a channel, until the channel is busy again.
    fn resume(&mut self, topic: &Arc<str>) -> Result<(), SocketEnd> {
        while let Some(slot) = self.channels.get_mut(topic)
            && !slot.is_busy()
            && let Some(message) = slot.backlog.pop_front()
        {
            self.backlog_bytes = self.backlog_bytes.saturating_sub(message.len());
            self.backlog_memory.resize(self.backlog_bytes);
            self.handle(message)?;
        }
        self.forget_if_empty(topic);
        Ok(())
    }

    /// The next moment at which a timeout or a token may expire.
    fn deadline(&self) -> Instant {
        let config = &self.state.config;
        let mut next = self.last_received + config.silence_timeout;
        if self.channels.is_empty() {
            next = next.min(self.without_channel_since + config.no_channel_timeout);
        }
        let now = self.state.environment.clock.unix();
        let channels = self.channels.values().filter_map(|slot| slot.channel.as_ref());
        let expiry = channels.map(|channel| channel.token.left(now)).min();
        let expiry = expiry.map(|left| Instant::now() + left.min(config.token_check.max(SECOND)));
        expiry.map_or(next, |expiry| next.min(expiry))
    }

    fn check_times(&mut self) -> Result<(), SocketEnd> {
        let config = &self.state.config;
        if self.last_received.elapsed() >= config.silence_timeout {
            return Err(SocketEnd::Told(1000, "No heartbeat was received in time"));
        }
        let idle = self.without_channel_since.elapsed();
        if self.channels.is_empty() && idle >= config.no_channel_timeout {
            return Err(SocketEnd::Told(1000, "No channel was joined in time"));
        }
        self.close_expired();
        Ok(())
    }
}

/// Waits until the terms of the socket end.
async fn until_over(terms: Option<ListenerTerms>) {
    match terms {
        Some(terms) => terms.ended().await,
        None => std::future::pending().await,
    }
}

/// Why a frame could not be sent.
enum SendFailure {
    Gone,
    Slow,
}

/// Sends waiting frames, at most a burst of them.
async fn flush(state: &State, queue: &SendQueue, socket: &mut Connection) -> Result<(), SocketEnd> {
    let frame_timeout = state.config.send_timeout;
    let sending = async {
        for _ in 0..BURST {
            let Ok(Some(message)) = queue.pop() else { break };
            state.stats.sent(&message);
            for frame in frames_of(message) {
                send_within(frame_timeout, socket.feed(frame)).await?;
            }
        }
        send_within(frame_timeout, socket.flush()).await
    };
    let reason = tokio::select! {
        sent = sending => match (queue.reason(), sent) {
            (Some(reason), _) => reason,
            (None, Ok(())) => return Ok(()),
            (None, Err(SendFailure::Gone)) => return Err(SocketEnd::Gone),
            (None, Err(SendFailure::Slow)) => CloseReason::SlowReader,
        },
        // A full queue ends the socket at once, not only when the client reads again.
        reason = queue.closed() => reason,
    };
    // Waiting frames are dropped: a message may be written in part.
    queue.close(reason);
    if reason == CloseReason::SlowReader {
        state.stats.slow_reader();
        tracing::info!("socket closed: its client reads too slowly");
    }
    Err(reason.into())
}

/// Limits the time for one frame, not for all: a client that reads steadily may be sent frames for
/// ever.
async fn send_within(
    max_wait: Duration,
    sending: impl Future<Output = Result<(), Error>>,
) -> Result<(), SendFailure> {
    match timeout(max_wait, sending).await {
        Ok(Ok(())) => Ok(()),
        Ok(Err(_)) => Err(SendFailure::Gone),
        Err(_) => Err(SendFailure::Slow),
    }
}
