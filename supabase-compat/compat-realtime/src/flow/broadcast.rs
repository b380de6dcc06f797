//! Broadcasts over REST, from clients without a socket.

use std::net::IpAddr;
use std::sync::Arc;

use compat_pg::PgError;

use crate::byte_quota::BytePermit;
use crate::hub::{Broadcast, TopicKey};
use crate::protocol::UserBroadcast;
use crate::session::{PREFIX, PolicyFacts, SocketToken, policy_caller};
use crate::state::State;
use crate::store::{messages, policy};

/// A right to write to a private topic.
#[derive(Debug, Clone, Copy)]
pub(crate) enum WriteRight {
    /// Send a broadcast.
    Broadcast,
    /// Have the broadcast stored.
    Persistence,
}

/// Whether the token may write to a private topic; `topic` is without the prefix `realtime:`.
pub(crate) async fn may_write(
    state: &State,
    topic: &str,
    token: &SocketToken,
    request: &PolicyFacts,
    right: WriteRight,
) -> Result<bool, PgError> {
    let caller = policy_caller(token, request);
    let extension = match right {
        WriteRight::Broadcast => "broadcast",
        WriteRight::Persistence => "persistence",
    };
    let _permit = state.question_limit.acquire(caller.client).await?;
    policy::may_write(&state.acting, topic, &caller, extension).await
}

/// Stores a broadcast of a private topic, for clients that join later and ask for a replay. Returns
/// its id.
pub(crate) async fn store(
    state: &State,
    topic: &str,
    client: IpAddr,
    message: &UserBroadcast,
) -> Result<String, PgError> {
    let _permit = state.question_limit.acquire(client).await?;
    messages::store(&state.acting, topic, client, &message.event, &message.payload).await
}

/// Broadcasts to all members of a topic, in all processes. The bytes count for `memory` until the
/// last member has read them.
pub(crate) fn send(
    state: &State,
    topic: &str,
    is_private: bool,
    broadcast: Broadcast,
    memory: &Arc<BytePermit>,
) {
    let topic = TopicKey { topic: format!("{PREFIX}{topic}").into(), is_private };
    let receivers = state.hub.broadcast(&topic, broadcast, None, memory);
    state.stats.broadcast(receivers);
}
