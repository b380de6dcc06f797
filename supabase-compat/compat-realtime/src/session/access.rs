//! Rights of a channel: row security decides them, each new token is checked again, and they end
//! with the token.

use std::borrow::Cow;
use std::net::IpAddr;
use std::sync::Arc;

use compat_pg::PgError;
use serde::Deserialize;
use serde_json::json;
use tokio::time::timeout;

use super::Session;
use super::channel::Rights;
use super::join::{CHANGES_TIMEOUT, PREFIX, announce, late};
use super::token::SocketToken;
use super::work::Outcome;
use crate::changes::{ChangesError, ChangesRequest, ChangesSubscription};
use crate::error::KeyRefusal;
use crate::protocol::{ClientMessage, ClientPayload};
use crate::state::State;
use crate::store::policy::{PolicyCaller, may_read, may_write};

/// The result of a new token.
pub(super) struct TokenChange {
    token: SocketToken,
    /// `None` if the token may not read the channel.
    rights: Result<Option<Rights>, PgError>,
    changes: Option<Result<ChangesSubscription, ChangesError>>,
}

/// The rights of the token to a channel; `None` if it may not read the channel.
pub(super) async fn read_rights(
    state: &State,
    name: &str,
    token: &SocketToken,
    request: &PolicyFacts,
    with_presence: bool,
) -> Result<Option<Rights>, PgError> {
    let caller = policy_caller(token, request);
    let answer = state.read_rights.ask(name, &caller, with_presence).await?;
    Ok(answer.broadcast.then(|| Rights::reading(answer.presence)))
}

/// What policies may know about the request besides its token.
#[derive(Debug, Clone)]
pub(crate) struct PolicyFacts {
    /// JSON object of the headers that begin with `x-`.
    pub headers_json: Arc<str>,
    /// The client's address, which counts against the question limit.
    pub client: IpAddr,
}

/// The caller as policies see it.
pub(crate) fn policy_caller<'a>(
    token: &'a SocketToken,
    request: &'a PolicyFacts,
) -> PolicyCaller<'a> {
    PolicyCaller {
        role: token.caller.role(),
        claims_json: token.caller.claims_json(),
        sub: token.sub(),
        headers_json: &request.headers_json,
        client: request.client,
    }
}

/// The right that a message needs.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum NeededRight {
    WriteBroadcast,
    WritePresence,
    StoreBroadcast,
}

impl Session {
    /// Queries the right that a message needs; [`Self::go_on`] then handles the message.
    pub(super) fn ask_right(
        &mut self,
        topic: &Arc<str>,
        message: ClientMessage,
        needed: NeededRight,
    ) {
        let channel = self.channels.get(topic).and_then(|slot| slot.channel.as_ref());
        let Some(channel) = channel else { return };
        let (state, token, rights) = (self.state.clone(), channel.token.clone(), channel.rights);
        let (request, topic_name) = (self.facts.request.clone(), Arc::clone(topic));
        let Some(memory) = self.state.pending.take(request.client, message.len()) else {
            return self.close_channel(topic, "Too many messages per second");
        };
        let message = Box::new(message);
        self.begin(topic, async move {
            let _memory = memory;
            let name = topic_name.strip_prefix(PREFIX).unwrap_or(&topic_name);
            let caller = policy_caller(&token, &request);
            let outcome = ask(&state, name, &caller, rights, needed).await;
            Outcome::Rights(message, outcome)
        });
    }

    /// Handles a message after the right that it needs was queried.
    pub(super) fn go_on(
        &mut self,
        topic: &Arc<str>,
        message: ClientMessage,
        rights: Result<Rights, PgError>,
    ) {
        let slot = self.channels.get_mut(topic);
        let Some(channel) = slot.and_then(|slot| slot.channel.as_mut()) else { return };
        let acks = channel.config.acks_broadcast;
        match rights {
            Ok(rights) => {
                channel.rights = rights;
                if let Some(slot) = self.channels.get_mut(topic) {
                    self.backlog_bytes += message.len();
                    slot.backlog.push_front(message);
                }
            }
            Err(error) => {
                tracing::warn!(%error, "message dropped: cannot query the rights to its channel");
                match &*message.event {
                    "presence" => self.reply(&message, "error", &json!({})),
                    "broadcast" if acks => {
                        let response = json!({"error": "unable_to_set_policies"});
                        self.reply(&message, "error", &response);
                    }
                    _ => {}
                }
            }
        }
    }

    /// `access_token`: replaces the token of a channel.
    pub(super) fn access_token(&mut self, message: &ClientMessage) {
        let topic: Arc<str> = (&*message.topic).into();
        let Some(text) = token_text(&message.payload) else { return };
        let channel = self.channels.get(&topic).and_then(|slot| slot.channel.as_ref());
        let Some(channel) = channel.filter(|channel| !channel.token.is(&text)) else { return };
        let token = match SocketToken::verify(&self.state.environment, &text) {
            Ok(token) => token,
            Err(refusal) => return self.close_channel(&topic, &refusal.to_string()),
        };
        let (state, config) = (self.state.clone(), channel.config.clone());
        let (request, sender) = (self.facts.request.clone(), channel.changes_sender.clone());
        let replaces = channel.changes.as_ref().map(ChangesSubscription::number);
        let asks_presence = config.has_presence || channel.rights.reads_presence.is_some();
        let full_topic = Arc::clone(&topic);
        self.begin(&topic, async move {
            let name = full_topic.strip_prefix(PREFIX).unwrap_or(&full_topic);
            let rights = match config.is_private {
                true => read_rights(&state, name, &token, &request, asks_presence).await,
                false => Ok(Some(Rights::ALL)),
            };
            let changes = if config.bindings.is_empty() || !matches!(rights, Ok(Some(_))) {
                None
            } else {
                let (channel, caller) = (name.into(), token.caller.clone());
                let bindings = config.bindings;
                let client = request.client;
                let request = ChangesRequest { channel, caller, client, bindings, replaces };
                let subscribing = state.changes.subscribe(request, sender);
                Some(timeout(CHANGES_TIMEOUT, subscribing).await.unwrap_or_else(|_| Err(late())))
            };
            Outcome::Token(Box::new(TokenChange { token, rights, changes }))
        });
    }

    pub(super) fn change_token(&mut self, topic: &Arc<str>, change: TokenChange) {
        let slot = self.channels.get_mut(topic);
        let Some(channel) = slot.and_then(|slot| slot.channel.as_mut()) else { return };
        let TokenChange { token, rights, changes } = change;
        let name = topic.strip_prefix(PREFIX).unwrap_or(topic);
        match rights {
            Ok(Some(rights)) => {
                (channel.token, channel.rights) = (token, rights);
                channel.membership.set_receives_presence(rights.reads_presence.unwrap_or_default());
                if let Some(changes) = changes {
                    channel.changes = match changes {
                        Ok(subscription) => Some(subscription),
                        failed => announce(&channel.changes_sender, failed),
                    };
                }
                self.has_new_deadline = true;
            }
            Ok(None) => {
                let text = format!(
                    "You no longer have permission to read from this Channel topic: {name}"
                );
                self.close_channel(topic, &text);
            }
            Err(error) => {
                tracing::warn!(%error, "channel closed: cannot query the rights of its new token");
                let text = "Realtime was unable to connect to the project database";
                self.close_channel(topic, text);
            }
        }
    }

    /// Closes the channels whose token has expired.
    pub(super) fn close_expired(&mut self) {
        let now = self.state.environment.clock.unix();
        let expired = |(topic, slot): (&Arc<str>, &super::Slot)| {
            let refusal: KeyRefusal = slot.channel.as_ref()?.token.expired(now)?;
            Some((Arc::clone(topic), refusal))
        };
        let over: Vec<_> = self.channels.iter().filter_map(expired).collect();
        for (topic, refusal) in over {
            self.close_channel(&topic, &refusal.to_string());
        }
    }
}

async fn ask(
    state: &State,
    name: &str,
    caller: &PolicyCaller<'_>,
    known: Rights,
    needed: NeededRight,
) -> Result<Rights, PgError> {
    let mut rights = known;
    let _permit = state.question_limit.acquire(caller.client).await?;
    match needed {
        NeededRight::WriteBroadcast => {
            let may = may_write(&state.acting, name, caller, "broadcast").await?;
            rights.writes_broadcast = Some(may);
        }
        NeededRight::StoreBroadcast => {
            let may = may_write(&state.acting, name, caller, "persistence").await?;
            rights.stores_broadcasts = Some(may);
        }
        NeededRight::WritePresence => {
            if rights.reads_presence.is_none() {
                let may = may_read(&state.acting, name, caller, &["presence"]).await?;
                rights.reads_presence = Some(may.first().copied().unwrap_or_default());
            }
            let may = may_write(&state.acting, name, caller, "presence").await?;
            rights.writes_presence = Some(may);
        }
    }
    Ok(rights)
}

/// The new token; `None` if there is nothing to do: it is not a text, or it is an opaque key.
fn token_text(payload: &ClientPayload) -> Option<String> {
    #[derive(Deserialize)]
    struct TokenPayload<'a> {
        #[serde(borrow)]
        access_token: Option<Cow<'a, str>>,
    }
    let ClientPayload::Json(raw) = payload else { return None };
    let payload: TokenPayload<'_> = serde_json::from_str(raw.get()).ok()?;
    let text: String = payload.access_token?.split_whitespace().collect();
    Some(text).filter(|text| !text.starts_with("sb_"))
}
