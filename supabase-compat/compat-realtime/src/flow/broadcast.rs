//! Broadcasts of somebody without a socket.

use std::sync::Arc;

use compat_pg::PgError;

use crate::byte_quota::BytePermit;
use crate::hub::{Broadcast, TopicKey};
use crate::session::{PREFIX, PolicyFacts, SocketToken, policy_caller};
use crate::state::State;
use crate::store::policy;

/// Whether the token may write a private topic, which has no `realtime:` before it.
pub(crate) async fn may_write(
    state: &State,
    topic: &str,
    token: &SocketToken,
    request: &PolicyFacts,
) -> Result<bool, PgError> {
    let caller = policy_caller(token, request);
    let _permit = state.question_limit.acquire(caller.client).await?;
    policy::may_write(&state.acting, topic, &caller, "broadcast").await
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
