//! Exchanges broadcasts and presences between the processes on one database.
//!
//! Each process collects its messages and sends them as one notification. The text lies in a table
//! if it is too long, or if not every login of the database may see it. A process that is alone
//! sends heartbeats only. It promises that broadcasts of one process arrive in their order, and
//! that presences are sent again whenever a notification may have been missed; a missed broadcast
//! is not sent again.

mod message;
mod nodes;
mod queue;

use std::time::Duration;

use compat_pg::{Notification, PgError};
use futures_util::StreamExt as _;
use tokio::time::{MissedTickBehavior, interval, timeout};
use tokio_util::sync::CancellationToken;

use crate::state::State;
use crate::store::relay as store;
use message::{RelayBatch, RelayMessage, states};
use nodes::Nodes;
pub(crate) use queue::RelayQueue;

/// The channel of notifications.
const CHANNEL: &str = "realtime_relay";
/// The most bytes of messages in one batch.
const BATCH_BYTES: usize = 1 << 20;
/// How long a stopping process tries to send its farewell.
const FAREWELL: Duration = Duration::from_secs(2);
/// How many heartbeats a process may miss before it counts as dead.
const MISSED: u32 = 3;

/// Exchanges messages with the other processes until `stop` is cancelled, and then sends a
/// farewell.
pub async fn run(state: State, stop: CancellationToken) {
    let sending = send(&state);
    let listening = listen(&state);
    tokio::select! {
        () = sending => {}
        () = listening => {}
        () = stop.cancelled() => {}
    }
    let farewell = async {
        state.relay.push(RelayMessage::Bye);
        send_once(&state).await
    };
    if !matches!(timeout(FAREWELL, farewell).await, Ok(Ok(()))) {
        tracing::debug!("cannot send the farewell to other processes; they will time out");
    }
}

/// Sends the collected messages as soon as the batch before is sent.
async fn send(state: &State) {
    loop {
        state.relay.ready().await;
        if let Err(error) = send_once(state).await {
            tracing::warn!(%error, "cannot send messages to other processes");
            // The messages are lost; the presences are sent again once the database answers.
            state.relay.lose();
            tokio::time::sleep(state.config.node_heartbeat).await;
            send_state(state);
        }
    }
}

async fn send_once(state: &State) -> Result<(), PgError> {
    let mut messages = Vec::new();
    for message in state.relay.take(BATCH_BYTES) {
        if !matches!(message, RelayMessage::State { .. }) {
            messages.push(message);
            continue;
        }
        // Read after the messages were taken, so that no later change contradicts the state.
        for part in states(state.hub.local_presences(), BATCH_BYTES) {
            messages.push(part);
            send_batch(state, std::mem::take(&mut messages)).await?;
        }
    }
    send_batch(state, messages).await
}

async fn send_batch(state: &State, messages: Vec<RelayMessage>) -> Result<(), PgError> {
    if messages.is_empty() {
        return Ok(());
    }
    let batch = RelayBatch { node: state.node, messages };
    let text = serde_json::to_string(&batch).map_err(|error| PgError::Protocol(error.into()))?;
    store::send(&state.owner, CHANNEL, &batch.node, &text, batch.is_public()).await
}

/// Receives the messages of the other processes, and removes processes that went silent.
async fn listen(state: &State) {
    let mut notifications = state.owner.listener().subscribe(CHANNEL);
    let mut heartbeat = interval(state.config.node_heartbeat.max(Duration::from_millis(1)));
    heartbeat.set_missed_tick_behavior(MissedTickBehavior::Delay);
    let mut nodes = Nodes::new(state.config.node_heartbeat * MISSED);
    let mut listens = false;
    loop {
        tokio::select! {
            next = notifications.next() => match next {
                Some(Notification::Listening) => {
                    listens = true;
                    nodes.restart_timeouts();
                    state.relay.push(RelayMessage::Hello);
                    send_state(state);
                }
                Some(Notification::Lost(reason)) => {
                    listens = false;
                    tracing::warn!(reason, "cannot receive messages from other processes");
                }
                Some(Notification::Payload(text)) => receive(state, &mut nodes, &text).await,
                None => return,
            },
            due = heartbeat.tick(), if listens => {
                state.relay.push(RelayMessage::Alive);
                if due.elapsed() > state.config.node_heartbeat {
                    // This process was busy, and messages of the others may still be unread.
                    nodes.restart_timeouts();
                }
                for node in nodes.remove_silent() {
                    tracing::info!(%node, "process timed out; removing its presences");
                    state.hub.replace_presences(node, Default::default());
                }
                state.relay.set_alone(nodes.is_empty());
                if let Err(error) = store::forget_old(&state.owner).await {
                    tracing::debug!(%error, "cannot delete old messages of processes");
                }
            }
        }
    }
}

async fn receive(state: &State, nodes: &mut Nodes, text: &str) {
    let payload = match store::text_of(&state.owner, text, &state.node).await {
        Ok(Some(payload)) => payload,
        Ok(None) => return,
        Err(error) => return tracing::warn!(%error, "cannot read a message from another process"),
    };
    let Ok(batch) = serde_json::from_str::<RelayBatch>(&payload.text) else {
        return tracing::warn!("cannot decode a message from another process");
    };
    if !payload.is_kept && !batch.is_public() {
        return tracing::warn!(
            "message from another process rejected: private topics must come through the table"
        );
    }
    let RelayBatch { node, messages } = batch;
    if node == state.node {
        return;
    }
    let is_new = nodes.note_alive(node);
    state.relay.set_alone(false);
    for message in messages {
        match message {
            RelayMessage::Alive => {}
            RelayMessage::Hello => send_state(state),
            RelayMessage::Bye => {
                nodes.remove(&node);
                state.hub.replace_presences(node, Default::default());
                state.relay.set_alone(nodes.is_empty());
            }
            RelayMessage::Broadcast { topic, broadcast } => {
                if let Some(broadcast) = broadcast.read() {
                    state.hub.deliver(&topic.key(), &broadcast);
                }
            }
            RelayMessage::Presences { topic, diff } => {
                state.hub.merge_presences(&topic.key(), node, diff);
            }
            RelayMessage::State { topics, part, has_more } => {
                if let Some(presences) = nodes.collect(node, topics, part, has_more) {
                    state.hub.replace_presences(node, presences);
                }
            }
        }
    }
    if is_new {
        // An unknown process may have sent more before it was heard, and has not received what
        // happened here while this process believed it was alone.
        state.relay.push(RelayMessage::Hello);
        send_state(state);
    }
}

/// Queues the state: all presences of this process, for the other processes.
fn send_state(state: &State) {
    state.relay.push(RelayMessage::state());
}
