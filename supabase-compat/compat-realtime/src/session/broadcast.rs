//! Broadcasts of a client.

use std::sync::Arc;

use serde_json::json;

use super::Session;
use super::access::NeededRight;
use crate::hub::Broadcast;
use crate::protocol::{ClientMessage, ClientPayload};

impl Session {
    /// Says something in a channel. Without the right to, nothing is said; who awaits an
    /// acknowledgement is told so.
    pub(super) fn broadcast(&mut self, message: ClientMessage) {
        let topic: Arc<str> = (&*message.topic).into();
        let slot = self.channels.get(&topic);
        let Some(channel) = slot.and_then(|slot| slot.channel.as_ref()) else { return };
        let may = match channel.rights.writes_broadcast {
            Some(may) => may,
            // Counted once, below, when the right is known.
            None => return self.ask_right(&topic, message, NeededRight::WriteBroadcast),
        };
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
            // Its receivers have not read what it said before.
            return self.close_channel(&topic, "Too many messages per second");
        };
        let membership = &channel.membership;
        let except = (!sees_own).then(|| membership.id());
        let memory = Arc::new(memory);
        let receivers = self.state.hub.broadcast(membership.topic(), broadcast, except, &memory);
        self.state.stats.broadcast(receivers);
        if acks {
            self.reply_ok(&message);
        }
    }
}
