//! Broadcasts of a client.

use std::sync::Arc;

use compat_pg::PgError;
use serde_json::json;

use super::Session;
use super::access::NeededRight;
use super::join::PREFIX;
use super::work::Outcome;
use crate::flow::broadcast::store;
use crate::hub::Broadcast;
use crate::protocol::{ClientMessage, ClientPayload};

impl Session {
    /// Broadcasts to a channel. Without the right to, the message is dropped; a client that wants
    /// acknowledgements gets an error.
    pub(super) fn broadcast(&mut self, message: ClientMessage) {
        let topic: Arc<str> = (&*message.topic).into();
        let slot = self.channels.get(&topic);
        let Some(channel) = slot.and_then(|slot| slot.channel.as_ref()) else { return };
        let may = match channel.rights.writes_broadcast {
            Some(may) => may,
            // The rate limit counts the message once, below, when the right is known.
            None => return self.ask_right(&topic, message, NeededRight::WriteBroadcast),
        };
        let asks_to_be_stored = match &message.payload {
            ClientPayload::Broadcast(user) => {
                may && self.state.config.stores_broadcasts && user.asks_to_be_stored()
            }
            _ => false,
        };
        if asks_to_be_stored && channel.rights.stores_broadcasts.is_none() {
            return self.ask_right(&topic, message, NeededRight::StoreBroadcast);
        }
        if !self.events.take() {
            return self.close_channel(&topic, "Too many messages per second");
        }
        let (acks, sees_own) = (channel.config.acks_broadcast, channel.config.sees_own_broadcast);
        let (length, broadcast) = match &message.payload {
            ClientPayload::Json(raw) if raw.get().starts_with('{') => {
                (raw.get().len(), Broadcast::Text(raw.get().into()))
            }
            ClientPayload::Broadcast(user) => {
                (user.payload.len(), Broadcast::User(user.for_receivers()))
            }
            _ => return,
        };
        if length > self.state.config.max_payload() {
            if acks {
                self.reply(&message, "error", &json!("payload_size_exceeded"));
            }
            return;
        }
        if !may {
            tracing::debug!("broadcast dropped: no right to write the channel");
            if acks {
                self.reply(&message, "error", &json!({"error": "unauthorized"}));
            }
            return;
        }
        let Some(memory) = self.state.unread.take(self.facts.request.client, length) else {
            // The receivers have not read the client's earlier broadcasts yet.
            return self.close_channel(&topic, "Too many messages per second");
        };
        let membership = &channel.membership;
        let except = (!sees_own).then(|| membership.id());
        let memory = Arc::new(memory);
        let receivers = self.state.hub.broadcast(membership.topic(), broadcast, except, &memory);
        self.state.stats.broadcast(receivers);
        if asks_to_be_stored {
            self.store(&topic, message);
        } else if acks {
            self.reply_ok(&message);
        }
    }

    /// Stores a broadcast, for clients that join later.
    fn store(&mut self, topic: &Arc<str>, message: ClientMessage) {
        let channel = self.channels.get(topic).and_then(|slot| slot.channel.as_ref());
        let Some(channel) = channel else { return };
        if channel.rights.stores_broadcasts != Some(true) {
            return self.reply_unstored(topic, &message, "unauthorized");
        }
        let (state, client) = (self.state.clone(), self.facts.request.client);
        let Some(memory) = state.pending.take(client, message.len()) else {
            return self.reply_unstored(topic, &message, "unable_to_persist_message");
        };
        let (full_topic, message) = (Arc::clone(topic), Box::new(message));
        self.begin(topic, async move {
            let _memory = memory;
            let name = full_topic.strip_prefix(PREFIX).unwrap_or(&full_topic);
            let stored = match &message.payload {
                ClientPayload::Broadcast(user) => store(&state, name, client, user).await,
                _ => Ok(String::new()),
            };
            Outcome::Stored(message, stored)
        });
    }

    /// Acknowledges a message that was to be stored, if the channel wants acknowledgements.
    pub(super) fn finish_storing(
        &mut self,
        topic: &Arc<str>,
        message: &ClientMessage,
        stored: Result<String, PgError>,
    ) {
        match stored {
            Ok(id) if self.acks_broadcast(topic) => self.reply(message, "ok", &json!({"id": id})),
            Ok(_) => {}
            Err(error) => {
                tracing::warn!(%error, "cannot store a broadcast");
                self.reply_unstored(topic, message, "unable_to_persist_message");
            }
        }
    }

    fn reply_unstored(&self, topic: &str, message: &ClientMessage, reason: &str) {
        if self.acks_broadcast(topic) {
            self.reply(message, "error", &json!({"error": reason}));
        }
    }

    fn acks_broadcast(&self, topic: &str) -> bool {
        let channel = self.channels.get(topic).and_then(|slot| slot.channel.as_ref());
        channel.is_some_and(|channel| channel.config.acks_broadcast)
    }
}
