//! Where a joined channel gets changes of tables from (`postgres_changes`).
//!
//! A channel asks [`Changes::subscribe`] once for all its bindings and keeps the subscription until
//! it is left, joined anew, or shows a new token, for which it subscribes again. Changes go through
//! the channel's [`ChangesSender`] right into the queue of its socket.

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

/// Filters of one channel: the database reads the values of each.
const MOST_FILTERS: usize = 200;

/// The stream of changes of this process. Cheap to clone.
#[derive(Clone)]
pub(crate) struct Changes(Arc<Inner>);

struct Inner {
    owner: OwnerDb,
    /// For parameters that clients give.
    questions: OwnerDb,
    acting: ActingDb,
    question_limit: QuestionLimit,
    /// Where broadcasts from the database go.
    hub: Hub,
    registry: Registry,
    /// How many need the stream.
    demand: watch::Sender<usize>,
    stream: watch::Sender<StreamState>,
    /// How long the stream is kept when nobody needs it.
    grace: Duration,
    entropy: Entropy,
    stats: Stats,
    /// Bytes of the largest payload of a broadcast.
    max_payload: usize,
}

/// How the stream does.
#[derive(Debug, Clone, PartialEq, Eq)]
enum StreamState {
    /// Nobody needed it, or it is being opened.
    Closed,
    Live,
    /// It was not opened, or is lost; another attempt follows.
    Failed {
        reason: Arc<str>,
        /// Whether only the operator can help.
        is_lasting: bool,
    },
}

impl StreamState {
    /// Whether nothing is gained by waiting.
    fn is_settled(&self) -> bool {
        matches!(self, Self::Live | Self::Failed { is_lasting: true, .. })
    }

    fn failed(error: &ReplicationError) -> Self {
        let is_lasting = match error {
            ReplicationError::WalLevel(_) | ReplicationError::Publication(_) => true,
            // A login that may not replicate.
            ReplicationError::Database(error) => error.code() == Some("42501"),
            _ => false,
        };
        Self::Failed { reason: error.to_string().into(), is_lasting }
    }
}

/// Keeps the stream open; dropped, it may end.
pub(crate) struct StreamHold(Arc<Inner>);

impl StreamHold {
    /// Waits until the stream is live.
    ///
    /// # Errors
    /// It cannot be opened, and only the operator can help.
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

    /// The same with an end of the patience; whether it is live.
    pub async fn is_live_within(&self, patience: Duration) -> bool {
        matches!(timeout(patience, self.live()).await, Ok(Ok(())))
    }
}

impl Drop for StreamHold {
    fn drop(&mut self) {
        self.0.demand.send_modify(|count| *count -= 1);
    }
}

/// What a channel wants to hear of.
#[derive(Debug, Clone)]
pub(crate) struct ChangesRequest {
    /// The channel, without `realtime:`, for texts and logs.
    pub channel: Arc<str>,
    /// Whose rights decide.
    pub caller: Caller,
    /// Who asked, for the permits and the quota of connections.
    pub client: IpAddr,
    /// At least one.
    pub bindings: Vec<ChangesBinding>,
    /// The subscription that ends where this one begins, so that no change is told twice or missed.
    pub replaces: Option<SubscriptionNumber>,
}

/// One object of `config.postgres_changes`.
#[derive(Debug, Clone)]
pub(crate) struct ChangesBinding {
    /// Made of the fields; equal fields have equal ids. It fits a double, as JavaScript needs.
    pub id: u32,
    /// The object as it came: `event`, `schema`, `table`, `filter`, `select`, none of them checked.
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

    /// What the reply of the join says of it: what came, and the id.
    pub fn reply(&self) -> Value {
        let mut fields = self.fields.clone();
        fields.insert("id".to_owned(), self.id.into());
        fields.into()
    }
}

/// The way of changes into one channel. Cheap to clone; no call waits. What is sent before the join
/// is answered is kept until then.
#[derive(Debug, Clone)]
pub(crate) struct ChangesSender(Arc<SenderInner>);

#[derive(Debug)]
struct SenderInner {
    queue: SendQueue,
    version: Version,
    /// Whole, with `realtime:`.
    topic: Arc<str>,
    join_ref: Reference,
    /// Whether an event has the name of its change, and nothing else is told: joins without `config`.
    names_changes: bool,
    /// What stands around each change elsewhere.
    envelope: TextEnvelope,
    /// What waits for the join's answer; none from then on.
    early: Mutex<Option<SendQueue>>,
}

impl ChangesSender {
    /// For a channel that is being joined.
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

    /// The join is answered: from now on nothing waits.
    pub(crate) fn open(&self) {
        let mut early = self.early();
        let Some(waiting) = early.take() else { return };
        while let Ok(Some(frame)) = waiting.pop() {
            self.0.queue.push(frame);
        }
    }

    /// Tells how the subscription begins, before any of its changes.
    pub(crate) fn announce(&self, status: SystemStatus, message: &str) {
        if self.0.names_changes {
            return tracing::debug!(message, topic = %self.0.topic, "changes of a topic's table");
        }
        let payload = system_payload("postgres_changes", status, message, &self.0.topic);
        self.0.queue.push(self.frame("system", &payload));
    }

    /// One change for the bindings of these ids, as a frame of this channel; `data` is the JSON
    /// object of the contract (`schema`, `table`, `type`, `commit_timestamp`, `columns`, `record`,
    /// `old_record`, `errors`).
    fn change(&self, ids: &[u32], kind: EventKind, data: &str) -> Message {
        if self.0.names_changes {
            return self.frame(kind.name(), data);
        }
        let ids = format!(r#"{{"ids":{ids:?},"data":"#);
        Message::Text(self.0.envelope.around(&[&ids, data, "}"]))
    }

    /// Tells how the subscription does after it was made, for instance that the stream broke and
    /// will be opened again.
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

    /// Sends frames in their order. False where the socket is closed.
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

/// Whether a `system` message tells of success.
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

/// A live subscription; dropped, it ends.
pub(crate) struct ChangesSubscription {
    registration: Registration,
    _stream: StreamHold,
}

impl ChangesSubscription {
    /// Nobody else's number.
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
    /// What the bindings ask for cannot be had; the whole text of the contract, which begins with
    /// `Unable to subscribe to changes with given parameters`.
    #[error("{0}")]
    Parameters(String),
    /// There is no stream now; says why.
    #[error("{0}")]
    Unavailable(String),
}

impl Changes {
    /// Changes and messages of a database; nothing is read yet.
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

    /// Has the stream opened, and kept for as long as this is held: broadcasts from the database come
    /// through it.
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
        // One wrong binding makes all of a channel inert, as the contract has it.
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
    /// Whether the tables are published, have the columns, and the columns' types take the values.
    /// A filter on a column that the role may not read would tell what is in it.
    async fn check(&self, target: &Target, role: &str, client: IpAddr) -> Result<(), ChangesError> {
        let wrong = |problem: &str| ChangesError::Parameters(target.exception(problem));
        let unavailable = |error: PgError| {
            tracing::warn!(%error, "parameters of a subscription not checked");
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

    /// Has the database read a filter's values, and compare one, so that what it refuses is known now.
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
