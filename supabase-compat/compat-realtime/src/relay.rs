//! What processes on one database tell each other: broadcasts, and who is present.
//!
//! Each process collects what it has to say and sends it as one notification, whose text lies in a
//! table where it is too long, or not for every login of the database. A process that is alone says
//! nothing but that it lives. It promises that broadcasts of one process arrive in their order, and
//! that presences are told again whenever a notification may have been missed; a broadcast that is
//! missed stays so.

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
/// Messages that one batch takes at most.
const BATCH_BYTES: usize = 1 << 20;
/// How long a process that stops takes to say so.
const FAREWELL: Duration = Duration::from_secs(2);
/// How many heartbeats may be missed.
const MISSED: u32 = 3;

/// Speaks with the other processes until `stop` is cancelled, and then takes leave.
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
        tracing::debug!("other processes not told of the stop; they will notice");
    }
}

/// Sends what is collected, as soon as the batch before has left.
async fn send(state: &State) {
    loop {
        state.relay.ready().await;
        if let Err(error) = send_once(state).await {
            tracing::warn!(%error, "messages to other processes not sent");
            // What was in them is lost; who is present is told anew once the way is free.
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
        // Read after the messages were taken: single changes that follow say nothing that contradicts.
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

/// Hears the others, and notices who is not heard any more.
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
                    nodes.excuse();
                    state.relay.push(RelayMessage::Hello);
                    send_state(state);
                }
                Some(Notification::Lost(reason)) => {
                    listens = false;
                    tracing::warn!(reason, "other processes not heard");
                }
                Some(Notification::Payload(text)) => receive(state, &mut nodes, &text).await,
                None => return,
            },
            due = heartbeat.tick(), if listens => {
                state.relay.push(RelayMessage::Alive);
                if due.elapsed() > state.config.node_heartbeat {
                    // This process was busy, and what the others said meanwhile is still to be read.
                    nodes.excuse();
                }
                for node in nodes.remove_silent() {
                    tracing::info!(%node, "process not heard any more; its presences leave");
                    state.hub.replace_presences(node, Default::default());
                }
                state.relay.set_alone(nodes.is_empty());
                if let Err(error) = store::forget_old(&state.owner).await {
                    tracing::debug!(%error, "old messages of processes not deleted");
                }
            }
        }
    }
}

async fn receive(state: &State, nodes: &mut Nodes, text: &str) {
    let found = match store::text_of(&state.owner, text, &state.node).await {
        Ok(Some(found)) => found,
        Ok(None) => return,
        Err(error) => return tracing::warn!(%error, "message of another process not read"),
    };
    let Ok(batch) = serde_json::from_str::<RelayBatch>(&found.text) else {
        return tracing::warn!("message of another process has another form");
    };
    if !found.is_kept && !batch.is_public() {
        return tracing::warn!(
            "message of another process not taken: it does not lie in the table"
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
                if let Some(whole) = nodes.collect(node, topics, part, has_more) {
                    state.hub.replace_presences(node, whole);
                }
            }
        }
    }
    if is_new {
        // One that was not known may have said more before it was heard, and was not told what
        // happened here while nobody was known.
        state.relay.push(RelayMessage::Hello);
        send_state(state);
    }
}

/// Tells the others everybody who is present here.
fn send_state(state: &State) {
    state.relay.push(RelayMessage::state());
}
