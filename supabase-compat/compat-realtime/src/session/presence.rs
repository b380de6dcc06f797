//! Presence of a client: `track` and `untrack`.

use std::sync::Arc;

use serde::Deserialize;
use serde_json::json;
use serde_json::value::RawValue;

use super::Session;
use super::access::NeededRight;
use crate::hub::TrackRefusal;
use crate::protocol::{ClientMessage, ClientPayload};

/// The reason for refusing a payload that cannot be tracked.
const NO_MAP: &str = "Presence track payload must be a map";

#[derive(Deserialize)]
struct PresencePayload<'a> {
    event: String,
    #[serde(borrow)]
    payload: Option<&'a RawValue>,
}

impl Session {
    /// Handles a presence event.
    pub(super) fn presence(&mut self, message: ClientMessage) {
        let ClientPayload::Json(raw) = &message.payload else { return self.deny(&message) };
        // A payload without an event is ignored; that is no error.
        let Ok(payload) = serde_json::from_str::<PresencePayload<'_>>(raw.get()) else {
            return self.reply_ok(&message);
        };
        match payload.event.to_ascii_lowercase().as_str() {
            "track" => {
                let tracked = payload.payload.map(RawValue::to_owned);
                let tracked = tracked.unwrap_or_else(empty);
                self.track(message, &tracked);
            }
            "untrack" => self.untrack(&message),
            event => {
                tracing::debug!(event, "unknown presence event");
                if self.count_presence_call(&message.topic) {
                    self.deny(&message);
                }
            }
        }
    }

    fn track(&mut self, message: ClientMessage, payload: &RawValue) {
        let topic: Arc<str> = (&*message.topic).into();
        let slot = self.channels.get(&topic);
        let Some(channel) = slot.and_then(|slot| slot.channel.as_ref()) else { return };
        let may = match channel.rights.writes_presence {
            Some(may) => may,
            None => return self.ask_right(&topic, message, NeededRight::WritePresence),
        };
        if !self.count_presence_call(&topic) {
            return;
        }
        if !may {
            return self.deny(&message);
        }
        if !payload.get().starts_with('{') {
            return self.reply(&message, "error", &json!({"reason": NO_MAP}));
        }
        if payload.get().len() > self.state.config.max_presence() {
            return self.close_channel(&topic, "Track message size exceeded");
        }
        let slot = self.channels.get_mut(&topic);
        let Some(channel) = slot.and_then(|slot| slot.channel.as_mut()) else { return };
        if !channel.membership.tracks(payload) {
            if !self.state.presence_calls.take() {
                return self.close_channel(&topic, "Too many presence messages per second");
            }
            let reference = self.state.environment.entropy.uuid();
            // A track turns presence on; the members that were present before are sent first, as at
            // a join.
            if !std::mem::replace(&mut channel.config.has_presence, true)
                && channel.rights.reads_presence == Some(true)
            {
                channel.membership.open_presence();
            }
            let tracked = channel.membership.track(&channel.presence_key, reference, payload);
            if let Err(refusal) = tracked {
                let reason = match refusal {
                    TrackRefusal::Unreadable => NO_MAP,
                    TrackRefusal::TooMuch => "Too much is tracked by presence",
                };
                return self.reply(&message, "error", &json!({"reason": reason}));
            }
            self.state.stats.presence();
        }
        self.reply_ok(&message);
    }

    fn untrack(&mut self, message: &ClientMessage) {
        let topic: Arc<str> = (&*message.topic).into();
        if !self.count_presence_call(&topic) {
            return;
        }
        let slot = self.channels.get_mut(&topic);
        let Some(channel) = slot.and_then(|slot| slot.channel.as_mut()) else { return };
        channel.membership.untrack();
        self.state.stats.presence();
        self.reply_ok(message);
    }

    /// Counts a call against the rate limit; a call beyond it closes the channel.
    fn count_presence_call(&mut self, topic: &str) -> bool {
        let topic: Arc<str> = topic.into();
        let slot = self.channels.get_mut(&topic);
        let Some(channel) = slot.and_then(|slot| slot.channel.as_mut()) else { return false };
        let may = channel.presence_calls.take();
        if !may {
            self.close_channel(&topic, "Client presence rate limit exceeded");
        }
        may
    }

    fn deny(&self, message: &ClientMessage) {
        self.reply(message, "error", &json!({}));
    }
}

fn empty() -> Box<RawValue> {
    RawValue::from_string("{}".to_owned()).unwrap_or_else(|_| RawValue::NULL.to_owned())
}
