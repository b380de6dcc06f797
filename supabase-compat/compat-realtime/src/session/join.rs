//! Joining and leaving channels.

use std::collections::HashSet;
use std::sync::Arc;
use std::time::Duration;

use chrono::DateTime;
use compat_pg::PgError;
use serde_json::{Value, json};
use tokio::time::{sleep, timeout};

use super::access::{PolicyFacts, read_rights};
use super::channel::{Channel, Rights};
use super::join_config::JoinConfig;
use super::rate::RateWindow;
use super::token::SocketToken;
use super::work::Outcome;
use super::{Session, SocketEnd};
use crate::byte_quota::BytePermit;
use crate::changes::{
    ChangesError, ChangesRequest, ChangesSender, ChangesSubscription, StreamHold, SystemStatus,
};
use crate::error::JoinRefusal;
use crate::hub::{Broadcast, Entrance, Member, TopicKey};
use crate::protocol::{ClientMessage, ClientPayload, UserBroadcast, UserPayload};
use crate::state::State;
use crate::store::replay::{PastMessage, past};

/// The prefix of all topics of this service.
pub(crate) const PREFIX: &str = "realtime:";
/// How long a join waits for changes of tables: by default, and at most.
pub(super) const CHANGES_TIMEOUT: Duration = Duration::from_secs(15);
const LONGEST_CHANGES_TIMEOUT: Duration = Duration::from_secs(20);
/// How long a join waits for broadcasts from the database: usually, and if it asks for them. A
/// server with long transactions opens no stream before they end.
const STREAM_TIMEOUT: Duration = Duration::from_secs(1);
const READY_TIMEOUT: Duration = Duration::from_secs(8);
/// The most bytes of a join, all of which a channel keeps, and the most bindings: each of them
/// costs time on every change of a table.
const LONGEST_JOIN: usize = 256 << 10;
const MOST_BINDINGS: usize = 100;
/// Bytes of a join that do not count against the quota: the limit of channels bounds them.
const ORDINARY_JOIN: usize = 4 << 10;
/// The most messages of a replay.
const PAST_LIMIT: i64 = 25;

/// A join that has passed all checks that need no database.
pub(super) struct JoinRequest {
    pub message: ClientMessage,
    pub config: JoinConfig,
    /// The permit for the bytes of both, as long as the channel keeps them.
    pub memory: BytePermit,
}

/// What a granted join receives.
pub(super) struct JoinGrant {
    token: SocketToken,
    rights: Rights,
    past: Vec<(Box<str>, Broadcast)>,
    changes: Option<Result<ChangesSubscription, ChangesError>>,
    sender: ChangesSender,
    stream: StreamHold,
    is_stream_live: bool,
}

impl Session {
    /// Joins a channel, or joins it again.
    pub(super) fn join(&mut self, message: ClientMessage) -> Result<(), SocketEnd> {
        if !self.joins.take() {
            self.reply_refusal(&message, &JoinRefusal::TooManyJoins);
            return Err(SocketEnd::Told(1008, "Too many joins per second"));
        }
        self.state.stats.join();
        if message.len() > LONGEST_JOIN {
            // Refused at once: a delayed refusal would keep the long message in memory.
            self.state.stats.join_refused();
            self.reply_refusal(&message, &JoinRefusal::TooLarge);
            return Ok(());
        }
        let topic: Arc<str> = (&*message.topic).into();
        let address = self.facts.request.client;
        let long_part = message.len().saturating_sub(ORDINARY_JOIN);
        let Some(memory) = self.state.pending.take(address, long_part) else {
            self.state.stats.join_refused();
            self.reply_refusal(&message, &JoinRefusal::TooManyChannels);
            return Ok(());
        };
        let slot = self.channels.get_mut(&topic);
        if let Some(old) = slot.and_then(|slot| slot.channel.take()) {
            self.push_close(&topic, &old.join_ref);
        }
        let checked = self.check_join(&message);
        let config = match &message.payload {
            ClientPayload::Json(raw) => {
                let name = topic.strip_prefix(PREFIX).unwrap_or(&topic);
                JoinConfig::of(&serde_json::from_str(raw.get()).unwrap_or_default(), name)
            }
            _ => JoinConfig::default(),
        };
        let sender = ChangesSender::new(
            self.queue.clone(),
            self.facts.version,
            Arc::clone(&topic),
            message.join_ref.clone(),
            config.is_by_topic,
        );
        let decision = JoinDecision {
            state: self.state.clone(),
            socket_token: self.facts.token.clone(),
            request: self.facts.request.clone(),
            topic: Arc::clone(&topic),
            sender,
        };
        let request = Box::new(JoinRequest { message, config, memory });
        self.begin(&topic, async move {
            let granted = match checked {
                Ok(()) => decision.grant(&request.config).await,
                Err(refusal) => Err(refusal),
            };
            if granted.is_err() {
                // Refused clients try again, some of them at once.
                sleep(decision.state.config.join_backoff).await;
            }
            Outcome::Join(request, granted)
        });
        Ok(())
    }

    fn check_join(&self, message: &ClientMessage) -> Result<(), JoinRefusal> {
        if message.topic.strip_prefix(PREFIX).is_none_or(str::is_empty) {
            return Err(JoinRefusal::NoTopic);
        }
        let others = self.channels.keys().filter(|topic| ***topic != *message.topic).count();
        if others >= self.state.config.max_channels_per_socket {
            return Err(JoinRefusal::TooManyChannels);
        }
        Ok(())
    }

    pub(super) fn refuse(&mut self, request: &JoinRequest, refusal: &JoinRefusal) {
        tracing::debug!(%refusal, "join refused");
        self.state.stats.join_refused();
        self.reply_refusal(&request.message, refusal);
    }

    fn reply_refusal(&self, message: &ClientMessage, refusal: &JoinRefusal) {
        self.reply(message, "error", &json!({"reason": refusal.to_string()}));
    }

    /// Enters the topic, and sends the client all replies in the order of the contract.
    pub(super) fn enter(&mut self, topic: &Arc<str>, request: JoinRequest, grant: JoinGrant) {
        let JoinRequest { message, config, memory } = request;
        let JoinGrant { token, rights, past, changes, sender, stream, is_stream_live } = grant;
        let bindings = config.bindings.iter().filter(|_| !config.is_by_topic);
        let bindings: Vec<Value> = bindings.map(|one| one.reply()).collect();
        let response = json!({"postgres_changes": bindings});
        let has_presence = config.has_presence || self.state.config.presence_enabled;
        let may_receive_presence = rights.reads_presence.unwrap_or_default();
        let replayed: HashSet<Box<str>> = past.iter().map(|(id, _)| id.clone()).collect();
        let past: Vec<Broadcast> = past.into_iter().map(|(_, broadcast)| broadcast).collect();
        let member = Member {
            queue: self.queue.clone(),
            address: self.facts.request.client,
            version: self.facts.version,
            join_ref: message.join_ref.clone(),
            // Members of a public channel receive presence events even if they did not ask for
            // them.
            receives_presence: may_receive_presence,
            replayed,
        };
        let entrance = Entrance {
            reply: self.reply_frame(&message, "ok", &response),
            with_presences: has_presence && may_receive_presence,
            past: &past,
        };
        let key = TopicKey { topic: Arc::clone(topic), is_private: config.is_private };
        let membership = self.state.hub.enter(&key, member, &entrance);
        let presence_key = config.presence_key.clone();
        let presence_key =
            presence_key.unwrap_or_else(|| self.state.environment.entropy.uuid().to_string());
        let limits = &self.state.config;
        let calls = RateWindow::new(limits.client_presence_calls, limits.client_presence_window);
        let changes = changes.and_then(|changes| announce(&sender, changes));
        sender.open();
        if config.asks_replication_ready {
            let (status, text) = match is_stream_live {
                true => (SystemStatus::Ok, "Replication connection established"),
                false => {
                    (SystemStatus::Error, "Replication connection was not established in time")
                }
            };
            self.system(topic, &message.join_ref, "system", status, text);
        }
        let channel = Channel {
            join_ref: message.join_ref,
            config: JoinConfig { has_presence, ..config },
            token,
            rights,
            membership,
            presence_key: presence_key.into(),
            presence_calls: calls,
            changes,
            changes_sender: sender,
            _stream: stream,
            _memory: memory,
        };
        self.channels.entry(Arc::clone(topic)).or_default().channel = Some(channel);
        self.has_new_deadline = true;
    }

    /// Leaves a channel. A channel that is not joined gets the same reply.
    pub(super) fn leave(&mut self, message: &ClientMessage) {
        let slot = self.channels.get_mut(&*message.topic);
        let channel = slot.and_then(|slot| slot.channel.take());
        self.reply_ok(message);
        if let Some(channel) = channel {
            self.push_close(&message.topic, &channel.join_ref);
        }
        self.forget_if_empty(&message.topic);
    }
}

/// Sends the outcome of the join's subscription to changes, after the reply.
pub(super) fn announce(
    sender: &ChangesSender,
    changes: Result<ChangesSubscription, ChangesError>,
) -> Option<ChangesSubscription> {
    match changes {
        Ok(subscription) => {
            sender.announce(SystemStatus::Ok, "Subscribed to PostgreSQL");
            Some(subscription)
        }
        Err(error) => {
            sender.announce(SystemStatus::Error, &error.to_string());
            None
        }
    }
}

/// The error for a subscription that took too long.
pub(super) fn late() -> ChangesError {
    ChangesError::Unavailable("Timed out while subscribing to changes".to_owned())
}

/// Everything that is needed to grant or refuse a join.
struct JoinDecision {
    state: State,
    socket_token: SocketToken,
    request: PolicyFacts,
    topic: Arc<str>,
    sender: ChangesSender,
}

impl JoinDecision {
    async fn grant(&self, config: &JoinConfig) -> Result<JoinGrant, JoinRefusal> {
        if self.state.config.private_only && !config.is_private {
            return Err(JoinRefusal::PrivateOnly);
        }
        if config.bindings.len() > MOST_BINDINGS {
            return Err(JoinRefusal::TooManyBindings);
        }
        if config.replay.is_some() && !config.is_private {
            return Err(JoinRefusal::ReplayOfPublic);
        }
        let token = self.token(config)?;
        let has_presence = config.has_presence || self.state.config.presence_enabled;
        let rights = if config.is_private {
            let name = self.name();
            let reading = read_rights(&self.state, name, &token, &self.request, has_presence);
            let rights = reading.await.map_err(|error| query_failed(&error))?;
            rights.ok_or_else(|| JoinRefusal::Unauthorized(name.to_owned()))?
        } else {
            Rights::ALL
        };
        let stream = self.state.changes.hold();
        let max_wait = if config.asks_replication_ready { READY_TIMEOUT } else { STREAM_TIMEOUT };
        let is_stream_live = stream.is_live_within(max_wait).await;
        let changes = self.changes(config, &token).await?;
        // The replay is read while the stream is live, so that no message falls between both, and
        // last, so that it is not kept in memory while anything else is awaited.
        let past = self.past(config).await?;
        let sender = self.sender.clone();
        Ok(JoinGrant { token, rights, past, changes, sender, stream, is_stream_live })
    }

    fn name(&self) -> &str {
        self.topic.strip_prefix(PREFIX).unwrap_or(&self.topic)
    }

    /// The token of the join; the socket's token, if the join has none or an opaque key.
    fn token(&self, config: &JoinConfig) -> Result<SocketToken, JoinRefusal> {
        let environment = &self.state.environment;
        match &config.token {
            Some(text) if !text.is_empty() && !text.starts_with("sb_") => {
                Ok(SocketToken::verify(environment, text)?)
            }
            _ => match self.socket_token.expired(environment.clock.unix()) {
                Some(refusal) => Err(refusal.into()),
                None => Ok(self.socket_token.clone()),
            },
        }
    }

    async fn changes(
        &self,
        config: &JoinConfig,
        token: &SocketToken,
    ) -> Result<Option<Result<ChangesSubscription, ChangesError>>, JoinRefusal> {
        if config.bindings.is_empty() {
            return Ok(None);
        }
        let request = ChangesRequest {
            channel: self.name().into(),
            caller: token.caller.clone(),
            client: self.request.client,
            bindings: config.bindings.clone(),
            replaces: None,
        };
        let requested_wait = config.changes_wait.flatten().map(Duration::from_millis);
        let max_wait = requested_wait.unwrap_or(CHANGES_TIMEOUT).min(LONGEST_CHANGES_TIMEOUT);
        let subscribing = self.state.changes.subscribe(request, self.sender.clone());
        let must_be_live = config.changes_wait.is_some();
        match timeout(max_wait, subscribing).await {
            Ok(Err(error)) if must_be_live => Err(JoinRefusal::Changes(error.to_string())),
            Ok(subscribed) => Ok(Some(subscribed)),
            Err(_) if must_be_live => Err(JoinRefusal::ChangesTimeout),
            Err(_) => Ok(Some(Err(late()))),
        }
    }

    async fn past(&self, config: &JoinConfig) -> Result<Vec<(Box<str>, Broadcast)>, JoinRefusal> {
        let Some(replay) = &config.replay else { return Ok(Vec::new()) };
        let (since, limit) = replay_parameters(replay).ok_or(JoinRefusal::ReplayParameters)?;
        let since = DateTime::from_timestamp_millis(since).ok_or(JoinRefusal::ReplayParameters)?;
        // More than the socket's queue holds would close the socket, on every join again.
        let bytes = i64::try_from(self.state.config.queue_bytes / 2).unwrap_or(i64::MAX);
        let permit = self.state.question_limit.acquire(self.request.client).await;
        let _permit = permit.map_err(|_| JoinRefusal::Replay)?;
        let messages = past(&self.state.questions, self.name(), since, limit, bytes).await;
        let messages = messages.map_err(|error| {
            tracing::warn!(%error, "cannot read the replay of a channel");
            JoinRefusal::Replay
        })?;
        Ok(messages.into_iter().filter_map(broadcast_of).collect())
    }
}

/// `since` in milliseconds of Unix time, and `limit`.
fn replay_parameters(replay: &Value) -> Option<(i64, i64)> {
    let since = replay.get("since")?.as_i64()?;
    let limit = match replay.get("limit") {
        None | Some(Value::Null) => PAST_LIMIT,
        Some(limit) => limit.as_i64().filter(|limit| (1..=PAST_LIMIT).contains(limit))?,
    };
    Some((since, limit))
}

fn broadcast_of(message: PastMessage) -> Option<(Box<str>, Broadcast)> {
    let PastMessage { id, event, payload, binary_payload } = message;
    let id = id.to_string();
    let meta = json!({"replayed": true, "id": id});
    let broadcast = match (payload, binary_payload) {
        (Some(payload), _) => {
            let event = Value::from(event);
            let text = format!(
                r#"{{"event":{event},"payload":{payload},"type":"broadcast","meta":{meta}}}"#
            );
            Broadcast::Text(text.into())
        }
        (None, Some(bytes)) => Broadcast::User(UserBroadcast {
            event: event.into(),
            metadata: meta.to_string().into(),
            payload: UserPayload::Bytes(bytes.into()),
        }),
        (None, None) => return None,
    };
    Some((id.into(), broadcast))
}

fn query_failed(error: &PgError) -> JoinRefusal {
    tracing::warn!(%error, "cannot query the rights to a channel");
    JoinRefusal::Database
}
