//! Where a joined channel gets changes of tables from (`postgres_changes`).
//!
//! A channel asks [`Changes::subscribe`] once for all its bindings and keeps the subscription until
//! it is left, joined anew, or shows a new token, for which it subscribes again. Changes go through
//! the channel's [`ChangesSender`] right into the queue of its socket.

use std::hash::{DefaultHasher, Hash as _, Hasher as _};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use axum::extract::ws::Message;
use compat_token::Caller;
use serde_json::{Map, Value, json};

use crate::protocol::{Reference, Version, text};
use crate::send_queue::{CloseReason, SendQueue};

/// The stream of changes of this process. Cheap to clone.
#[derive(Clone, Debug)]
pub(crate) struct Changes(());

/// What a channel wants to hear of.
#[derive(Debug, Clone)]
pub(crate) struct ChangesRequest {
    /// The channel, without `realtime:`, for texts and logs.
    pub channel: Arc<str>,
    /// Whose rights decide.
    pub caller: Caller,
    /// At least one.
    pub bindings: Vec<ChangesBinding>,
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
    ) -> Self {
        let early = Mutex::new(Some(queue.another()));
        Self(Arc::new(SenderInner { queue, version, topic, join_ref, early }))
    }

    /// The join is answered: from now on nothing waits.
    pub(crate) fn open(&self) {
        let mut early = self.early();
        let Some(kept) = early.take() else { return };
        while let Ok(Some(frame)) = kept.pop() {
            self.0.queue.push(frame);
        }
    }

    /// Tells how the subscription begins, before any of its changes.
    pub(crate) fn announce(&self, status: SystemStatus, message: &str) {
        let payload = system_payload("postgres_changes", status, message, &self.0.topic);
        self.0.queue.push(self.frame("system", &payload));
    }

    /// Sends one change to the bindings of these ids; `data` is the JSON object of the contract
    /// (`schema`, `table`, `type`, `commit_timestamp`, `columns`, `record`, `old_record`,
    /// `errors`). False where the socket is closed, so that the subscription may be forgotten.
    pub fn change(&self, ids: &[u32], data: &str) -> bool {
        let payload = format!(r#"{{"ids":{ids:?},"data":{data}}}"#);
        self.push("postgres_changes", &payload)
    }

    /// Tells how the subscription does after it was made, for instance that the stream broke and
    /// will be opened again.
    pub fn system(&self, status: SystemStatus, message: &str) -> bool {
        let payload = system_payload("postgres_changes", status, message, &self.0.topic);
        self.push("system", &payload)
    }

    fn push(&self, event: &str, payload: &str) -> bool {
        let frame = self.frame(event, payload);
        match &*self.early() {
            None => self.0.queue.push(frame),
            Some(early) if early.push(frame) => true,
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
pub(crate) struct ChangesSubscription(
    #[expect(dead_code, reason = "held to be dropped")] Box<dyn Send + Sync>,
);

impl ChangesSubscription {
    /// One that ends what `guard` ends when it is dropped.
    pub fn new(guard: impl Send + Sync + 'static) -> Self {
        Self(Box::new(guard))
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
    /// Without a stream.
    pub fn new() -> Self {
        Self(())
    }

    /// Subscribes, and waits until the subscription is live: every change that commits after this
    /// returns is sent. The channel itself limits how long it waits.
    ///
    /// # Errors
    /// [`ChangesError`], which the channel passes on as a `system` message, or as the refusal of a
    /// join that waits for it (`postgres_changes_options.wait`).
    #[expect(clippy::unused_async, reason = "the stream that is awaited here is not built yet")]
    pub async fn subscribe(
        &self,
        request: ChangesRequest,
        sender: ChangesSender,
    ) -> Result<ChangesSubscription, ChangesError> {
        let _ = (request, sender);
        Err(ChangesError::Unavailable("Changes of tables are not served".to_owned()))
    }
}
