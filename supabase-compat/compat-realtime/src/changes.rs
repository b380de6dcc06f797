//! Delivers changes of tables to joined channels (`postgres_changes`).
//!
//! A channel calls [`Changes::subscribe`] once for all its bindings and keeps the subscription
//! until the channel is left or joined again. When it presents a new token, it subscribes again.
//! Changes go through the channel's [`ChangesSender`] directly into the queue of its socket.

mod condition;
mod delivery;
mod dispatcher;
mod feed;
mod filter;
mod messages;
mod registry;
mod table;
mod target;
mod value;
mod visibility;

use std::hash::{DefaultHasher, Hash as _, Hasher as _};
use std::net::IpAddr;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use compat_http::Entropy;
use compat_pg::{ActingDb, OwnerDb, PgError};
use compat_replication::ReplicationError;
use compat_token::Caller;
use serde_json::{Map, Value, json};
use tokio::sync::watch;
use tokio::time::timeout;
use tokio_tungstenite::tungstenite::Message;

use crate::Config;
use crate::hub::Hub;
use crate::protocol::{Reference, TextEnvelope, Version, text};
use crate::question_limit::QuestionLimit;
use crate::send_queue::{CloseReason, SendQueue};
use crate::stats::Stats;
use crate::store::{array_literal, changes as store};
pub use feed::run;
use filter::Operator;
pub(crate) use registry::SubscriptionNumber;
use registry::{Bound, Registration, Registry};
use target::{EventKind, Target};
use value::ValueKind;

/// The most filters of one channel: the database parses the values of each filter.
const MOST_FILTERS: usize = 200;

/// The stream of changes of this process. Cheap to clone.
#[derive(Clone)]
pub(crate) struct Changes(Arc<Inner>);

struct Inner {
    owner: OwnerDb,
    /// Checks the parameters that clients send.
    questions: OwnerDb,
    acting: ActingDb,
    question_limit: QuestionLimit,
    /// Receives the broadcasts that come from the database.
    hub: Hub,
    registry: Registry,
    /// How many holders need the stream.
    demand: watch::Sender<usize>,
    stream: watch::Sender<StreamState>,
    /// How long the stream is kept when nobody needs it.
    grace: Duration,
    entropy: Entropy,
    stats: Stats,
    /// Bytes of the largest payload of a broadcast.
    max_payload: usize,
}

/// The state of the replication stream.
#[derive(Debug, Clone, PartialEq, Eq)]
enum StreamState {
    /// Nothing needs the stream, or it is being opened.
    Closed,
    Live,
    /// The stream could not be opened, or was lost; another attempt follows.
    Failed {
        reason: Arc<str>,
        /// Whether only the operator can fix the cause.
        is_lasting: bool,
    },
}

impl StreamState {
    /// Whether waiting any longer is pointless.
    fn is_settled(&self) -> bool {
        matches!(self, Self::Live | Self::Failed { is_lasting: true, .. })
    }

    fn failed(error: &ReplicationError) -> Self {
        let is_lasting = match error {
            ReplicationError::WalLevel(_) | ReplicationError::Publication(_) => true,
            // Insufficient privilege: the login may not replicate.
            ReplicationError::Database(error) => error.code() == Some("42501"),
            _ => false,
        };
        Self::Failed { reason: error.to_string().into(), is_lasting }
    }
}

/// Keeps the stream open; after the last one is dropped, the stream may end.
pub(crate) struct StreamHold(Arc<Inner>);

impl StreamHold {
    /// Waits until the stream is live.
    ///
    /// # Errors
    /// The stream cannot be opened, and only the operator can fix the cause.
    pub async fn live(&self) -> Result<(), ChangesError> {
        let mut stream = self.0.stream.subscribe();
        let settled = stream.wait_for(StreamState::is_settled);
        match settled.await.as_deref() {
            Ok(StreamState::Failed { reason, .. }) => Err(ChangesError::Unavailable(format!(
                "Unable to connect to the replication stream: {reason}"
            ))),
            Ok(_) => Ok(()),
            Err(_) => Err(ChangesError::Unavailable("the server is stopping".to_owned())),
        }
    }

    /// Waits at most `max_wait` for the stream; returns whether it is live.
    pub async fn is_live_within(&self, max_wait: Duration) -> bool {
        matches!(timeout(max_wait, self.live()).await, Ok(Ok(())))
    }
}

impl Drop for StreamHold {
    fn drop(&mut self) {
        self.0.demand.send_modify(|count| *count -= 1);
    }
}

/// A channel's request for changes.
#[derive(Debug, Clone)]
pub(crate) struct ChangesRequest {
    /// The name of the channel without `realtime:`, for messages and logs.
    pub channel: Arc<str>,
    /// The caller whose rights decide which changes are sent.
    pub caller: Caller,
    /// The client's address, which counts against the question limit.
    pub client: IpAddr,
    /// At least one.
    pub bindings: Vec<ChangesBinding>,
    /// The subscription that ends where this one begins, so that no change is sent twice or missed.
    pub replaces: Option<SubscriptionNumber>,
}

/// One object of `config.postgres_changes`.
#[derive(Debug, Clone)]
pub(crate) struct ChangesBinding {
    /// A hash of the fields: equal fields have equal ids. It fits a double, as JavaScript needs.
    pub id: u32,
    /// The unchecked object of the client: `event`, `schema`, `table`, `filter`, `select`.
    pub fields: Map<String, Value>,
}

impl ChangesBinding {
    /// A binding of these fields.
    pub fn new(fields: Map<String, Value>) -> Self {
        let mut sorted: Vec<_> =
            fields.iter().map(|(key, value)| (key, value.to_string())).collect();
        sorted.sort_unstable();
        let mut hasher = DefaultHasher::new();
        sorted.hash(&mut hasher);
        #[expect(
            clippy::cast_possible_truncation,
            reason = "any 27 bits of a hash do, as upstream"
        )]
        let id = (hasher.finish() as u32) & 0x07ff_ffff;
        Self { id, fields }
    }

    /// The binding in the reply to the join: the client's fields and the id.
    pub fn reply(&self) -> Value {
        let mut fields = self.fields.clone();
        fields.insert("id".to_owned(), self.id.into());
        fields.into()
    }
}

/// Sends changes to one channel. Cheap to clone; no call waits. Frames that are sent before the
/// reply to the join are kept until the reply is out.
#[derive(Debug, Clone)]
pub(crate) struct ChangesSender(Arc<SenderInner>);

#[derive(Debug)]
struct SenderInner {
    queue: SendQueue,
    version: Version,
    /// The full topic, with `realtime:`.
    topic: Arc<str>,
    join_ref: Reference,
    /// Whether the event is named after the kind of change and no `system` message is sent: the
    /// form for joins without `config`.
    names_changes: bool,
    /// The text around each change for joins with `config`.
    envelope: TextEnvelope,
    /// Frames that wait for the reply to the join; `None` once it is sent.
    early: Mutex<Option<SendQueue>>,
}

impl ChangesSender {
    /// A sender for a channel that is being joined.
    pub(crate) fn new(
        queue: SendQueue,
        version: Version,
        topic: Arc<str>,
        join_ref: Reference,
        names_changes: bool,
    ) -> Self {
        let early = Mutex::new(Some(queue.another()));
        let none = Reference::NONE;
        let envelope = TextEnvelope::new(version, &join_ref, &none, &topic, "postgres_changes");
        let inner = SenderInner { queue, version, topic, join_ref, names_changes, envelope, early };
        Self(Arc::new(inner))
    }

    /// Releases the waiting frames: the join is answered.
    pub(crate) fn open(&self) {
        let mut early = self.early();
        let Some(waiting) = early.take() else { return };
        while let Ok(Some(frame)) = waiting.pop() {
            self.0.queue.push(frame);
        }
    }

    /// Sends the outcome of the subscription ahead of any of its changes.
    pub(crate) fn announce(&self, status: SystemStatus, message: &str) {
        if self.0.names_changes {
            return tracing::debug!(message, topic = %self.0.topic, "changes of a topic's table");
        }
        let payload = system_payload("postgres_changes", status, message, &self.0.topic);
        self.0.queue.push(self.frame("system", &payload));
    }

    /// Encodes one change for the bindings `ids` as a frame of this channel; `data` is the JSON
    /// object of the contract (`schema`, `table`, `type`, `commit_timestamp`, `columns`, `record`,
    /// `old_record`, `errors`).
    fn change(&self, ids: &[u32], kind: EventKind, data: &str) -> Message {
        if self.0.names_changes {
            return self.frame(kind.name(), data);
        }
        let ids = format!(r#"{{"ids":{ids:?},"data":"#);
        Message::Text(self.0.envelope.around(&[&ids, data, "}"]))
    }

    /// Reports a change of the subscription's state, for instance that the stream was lost and will
    /// be opened again.
    pub fn system(&self, status: SystemStatus, message: &str) -> bool {
        if self.0.names_changes {
            return true;
        }
        let payload = system_payload("postgres_changes", status, message, &self.0.topic);
        self.push("system", &payload)
    }

    fn push(&self, event: &str, payload: &str) -> bool {
        self.push_all(vec![self.frame(event, payload)])
    }

    /// Sends frames in their order. Returns false if the socket is closed.
    fn push_all(&self, frames: Vec<Message>) -> bool {
        match &*self.early() {
            None => self.0.queue.push_all(frames),
            Some(early) if early.push_all(frames) => true,
            Some(_) => {
                self.0.queue.close(CloseReason::SlowReader);
                false
            }
        }
    }

    fn frame(&self, event: &str, payload: &str) -> Message {
        let SenderInner { version, topic, join_ref, .. } = &*self.0;
        Message::Text(text(*version, join_ref, &Reference::NONE, topic, event, payload))
    }

    fn early(&self) -> MutexGuard<'_, Option<SendQueue>> {
        self.0.early.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Whether a `system` message reports success or failure.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum SystemStatus {
    Ok,
    Error,
}

/// The payload of a `system` message.
pub(crate) fn system_payload(
    extension: &str,
    status: SystemStatus,
    message: &str,
    topic: &str,
) -> String {
    let status = match status {
        SystemStatus::Ok => "ok",
        SystemStatus::Error => "error",
    };
    let channel = topic.strip_prefix("realtime:").unwrap_or(topic);
    json!({"message": message, "status": status, "extension": extension, "channel": channel})
        .to_string()
}

/// A live subscription, which ends when it is dropped.
pub(crate) struct ChangesSubscription {
    registration: Registration,
    _stream: StreamHold,
}

impl ChangesSubscription {
    /// The unique number of this subscription.
    pub fn number(&self) -> SubscriptionNumber {
        self.registration.number()
    }
}

impl std::fmt::Debug for ChangesSubscription {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("ChangesSubscription")
    }
}

/// Why there is no subscription.
#[derive(Debug, Clone, thiserror::Error)]
pub(crate) enum ChangesError {
    /// The bindings are invalid. Holds the whole text of the contract, which begins with `Unable to
    /// subscribe to changes with given parameters`.
    #[error("{0}")]
    Parameters(String),
    /// The stream is unavailable, with the reason.
    #[error("{0}")]
    Unavailable(String),
}

impl Changes {
    /// Changes and messages of a database; nothing is read until [`run`] opens the stream.
    pub fn new(
        owner: OwnerDb,
        questions: OwnerDb,
        (acting, question_limit): (ActingDb, QuestionLimit),
        hub: Hub,
        entropy: Entropy,
        stats: Stats,
        config: &Config,
    ) -> Self {
        Self(Arc::new(Inner {
            stats,
            entropy,
            owner,
            questions,
            acting,
            question_limit,
            hub,
            registry: Registry::default(),
            demand: watch::Sender::new(0),
            stream: watch::Sender::new(StreamState::Closed),
            grace: config.stream_grace,
            max_payload: config.max_payload(),
        }))
    }

    /// Opens the stream and keeps it open as long as the hold lives. Broadcasts from the database
    /// come through the stream, too.
    pub fn hold(&self) -> StreamHold {
        self.0.demand.send_modify(|count| *count += 1);
        StreamHold(Arc::clone(&self.0))
    }

    /// Subscribes, and waits until the subscription is live: every change that commits after this
    /// returns is sent. The channel itself limits how long it waits.
    ///
    /// # Errors
    /// [`ChangesError`], which the channel passes on as a `system` message, or as the refusal of a
    /// join that waits for it (`postgres_changes_options.wait`).
    pub async fn subscribe(
        &self,
        request: ChangesRequest,
        sender: ChangesSender,
    ) -> Result<ChangesSubscription, ChangesError> {
        let hold = self.hold();
        let ChangesRequest { channel, caller, client, bindings, replaces } = request;
        let mut checked = Vec::with_capacity(bindings.len());
        let mut filters = 0;
        // One invalid binding disables all bindings of the channel, as the contract says.
        for binding in bindings {
            let target = Target::read(&binding.fields).map_err(ChangesError::Parameters)?;
            filters += target.filters.len();
            if filters > MOST_FILTERS {
                let problem = format!("a channel has at most {MOST_FILTERS} filters");
                return Err(ChangesError::Parameters(target.exception(&problem)));
            }
            self.0.check(&target, caller.role(), client).await?;
            let select = target.select.clone().map(Arc::from);
            checked.push(Bound { id: binding.id, target, select });
        }
        hold.live().await?;
        tracing::debug!(%channel, bindings = checked.len(), "subscribed to changes");
        let registration = self.0.registry.add(&caller, sender, checked, replaces);
        Ok(ChangesSubscription { registration, _stream: hold })
    }
}

impl std::fmt::Debug for Changes {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Changes").finish_non_exhaustive()
    }
}

impl Inner {
    /// Checks that the tables are published, that they have the columns, and that the columns'
    /// types accept the values. A filter on a column that the role may not read is refused, because
    /// it would reveal the column's values.
    async fn check(&self, target: &Target, role: &str, client: IpAddr) -> Result<(), ChangesError> {
        let wrong = |problem: &str| ChangesError::Parameters(target.exception(problem));
        let unavailable = |error: PgError| {
            tracing::warn!(%error, "cannot check the parameters of a subscription");
            ChangesError::Unavailable("Unable to reach the project database".to_owned())
        };
        let (schema, table) = (target.schema.as_deref(), target.table.as_deref());
        let tables = store::published(&self.questions, schema, table).await.map_err(unavailable)?;
        if tables.is_empty() {
            return Err(ChangesError::Parameters(target.not_published()));
        }
        if target.filters.is_empty() && target.select.is_none() {
            return Ok(());
        }
        for id in tables {
            let Some(facts) = store::table(&self.questions, id).await.map_err(unavailable)? else {
                continue;
            };
            let column = |name: &str| facts.columns.iter().find(|column| column.name == name);
            let access = store::role(&self.questions, id, role).await.map_err(unavailable)?;
            let readable = access.map(|access| access.columns).unwrap_or_default();
            for name in target.select.iter().flatten() {
                if column(name).is_none() {
                    return Err(wrong(&format!("invalid column for select {name}")));
                }
            }
            for filter in &target.filters {
                let column = column(&filter.column).filter(|one| readable.contains(&one.name));
                let Some(column) = column else {
                    return Err(wrong(&format!("invalid column for filter {}", filter.column)));
                };
                let kind = table::kind(&facts, column.type_id);
                if filter.operator.needs_text()
                    && !matches!(kind, ValueKind::Text)
                    && facts.base_of(column.type_id).is_none_or(|one| one.category != "S")
                {
                    let name = filter.operator.name();
                    return Err(wrong(&format!("`{name}` needs a text column")));
                }
                if filter.wants_boolean() && kind != ValueKind::Boolean {
                    return Err(wrong("`is` with true or false needs a boolean column"));
                }
                self.try_filter((role, client), filter, column.type_id).await.map_err(|error| {
                    match store::database_message(&error) {
                        Some(message) => wrong(message),
                        None => unavailable(error),
                    }
                })?;
            }
        }
        Ok(())
    }

    /// Lets the database parse a filter's values and compare one, so that an error shows when
    /// subscribing.
    async fn try_filter(
        &self,
        (role, client): (&str, IpAddr),
        filter: &filter::Filter,
        type_id: i64,
    ) -> Result<(), PgError> {
        let _permit = self.question_limit.acquire(client).await?;
        let values = dispatcher::canonical(&self.acting, role, filter, type_id).await?;
        let Some(value) = values.first() else { return Ok(()) };
        let operand = match filter.operator {
            Operator::In => array_literal([value.as_str()]),
            _ => value.clone(),
        };
        let (operator, value) = (filter.operator.name(), value.clone());
        let role: Arc<str> = role.into();
        let comparison =
            store::Comparison { role: Arc::clone(&role), operator, type_id, value, operand };
        store::compare(&self.acting, &role, &[&comparison]).await.map(drop)
    }
}
