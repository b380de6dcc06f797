//! Broadcasts of somebody without a socket.

use std::net::IpAddr;
use std::sync::Arc;

use compat_pg::PgError;

use crate::byte_quota::BytePermit;
use crate::hub::{Broadcast, TopicKey};
use crate::protocol::UserBroadcast;
use crate::session::{PREFIX, PolicyFacts, SocketToken, policy_caller};
use crate::state::State;
use crate::store::{messages, policy};

/// What somebody may want to do with a private topic.
#[derive(Debug, Clone, Copy)]
pub(crate) enum WriteRight {
    /// Say something.
    Broadcast,
    /// Have it stored.
    Persistence,
}

/// Whether the token may write a private topic, which has no `realtime:` before it.
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

/// Stores what was said in a private topic, for those who join it later and ask for its past. Gives its id.
pub(crate) async fn store(
    state: &State,
    topic: &str,
    client: IpAddr,
    message: &UserBroadcast,
) -> Result<String, PgError> {
    let _permit = state.question_limit.acquire(client).await?;
    messages::store(&state.acting, topic, client, &message.event, &message.payload).await
}

/// Broadcasts to everybody in a topic, in all processes. It counts for `memory` until they have read it.
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
