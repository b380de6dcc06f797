//! The frames that a session itself sends: replies, `system` messages, closed channels.

use std::sync::Arc;

use serde_json::{Value, json};
use tokio_tungstenite::tungstenite::Message;

use super::Session;
use crate::changes::{SystemStatus, system_payload};
use crate::protocol::{ClientMessage, Reference, text};

impl Session {
    /// Sends `phx_reply`, if the client expects a reply.
    pub(super) fn reply(&self, to: &ClientMessage, status: &str, response: &Value) {
        if to.reference.is_some() {
            self.queue.push(self.reply_frame(to, status, response));
        }
    }

    pub(super) fn reply_frame(
        &self,
        to: &ClientMessage,
        status: &str,
        response: &Value,
    ) -> Message {
        let payload = json!({"status": status, "response": response}).to_string();
        let (version, topic) = (self.facts.version, &to.topic);
        let event = "phx_reply";
        Message::Text(text(version, &to.join_ref, &to.reference, topic, event, &payload))
    }

    pub(super) fn reply_ok(&self, to: &ClientMessage) {
        self.reply(to, "ok", &json!({}));
    }

    pub(super) fn reply_unmatched(&self, to: &ClientMessage) {
        self.reply(to, "error", &json!({"reason": "unmatched topic"}));
    }

    /// Refuses a message of a socket that may only listen.
    pub(super) fn refuse_listener(&self, to: &ClientMessage) {
        self.reply(to, "error", &json!({"reason": "This socket listens only"}));
    }

    /// Sends a `system` message about a channel.
    pub(super) fn system(
        &self,
        topic: &str,
        join_ref: &Reference,
        extension: &str,
        status: SystemStatus,
        message: &str,
    ) {
        let payload = system_payload(extension, status, message, topic);
        let (version, none) = (self.facts.version, Reference::NONE);
        let frame = text(version, join_ref, &none, topic, "system", &payload);
        self.queue.push(Message::Text(frame));
    }

    /// Sends `phx_close`: the channel of this join is closed.
    pub(super) fn push_close(&self, topic: &str, join_ref: &Reference) {
        let frame = text(self.facts.version, join_ref, join_ref, topic, "phx_close", "{}");
        self.queue.push(Message::Text(frame));
    }

    /// Closes a channel for a reason of the server's.
    pub(super) fn close_channel(&mut self, topic: &Arc<str>, message: &str) {
        let slot = self.channels.get_mut(topic);
        let Some(channel) = slot.and_then(|slot| slot.channel.take()) else { return };
        self.system(topic, &channel.join_ref, "system", SystemStatus::Error, message);
        self.push_close(topic, &channel.join_ref);
        self.forget_if_empty(topic);
    }

    pub(super) fn has_channel(&self, topic: &str) -> bool {
        self.channels.get(topic).is_some_and(|slot| slot.channel.is_some())
    }

    /// Removes a topic that is not joined and not busy.
    pub(super) fn forget_if_empty(&mut self, topic: &str) {
        let is_empty = self.channels.get(topic).is_some_and(|slot| {
            slot.channel.is_none() && !slot.is_busy() && slot.backlog.is_empty()
        });
        if is_empty {
            self.channels.remove(topic);
            if self.channels.is_empty() {
                self.without_channel_since = tokio::time::Instant::now();
                self.has_new_deadline = true;
            }
        }
    }
}
