//! Who may read a private topic, remembered for a moment: many who join one topic at once cost one
//! question to the database.
//!
//! Two callers share an answer only if policies cannot tell them apart. Where the policies of a role
//! are made of columns, constants and immutable functions of PostgreSQL's own, that is everybody of
//! the role; elsewhere it is whoever has the same role, claims and headers. Only full rights are
//! remembered: who is refused, and is given the right meanwhile, is let in at the next try.

use std::num::NonZeroUsize;
use std::sync::Arc;
use std::time::Duration;

use compat_http::{Clock, TtlCache};
use compat_pg::{ActingDb, OwnerDb, PgError};

use crate::question_limit::QuestionLimit;
use crate::store::policy::{self, PolicyCaller};

/// Answers, and roles, that are remembered.
const CAPACITY: NonZeroUsize = NonZeroUsize::new(2_048).expect("not zero");
const ROLES: NonZeroUsize = NonZeroUsize::new(64).expect("not zero");

/// The rights of a process's callers to read. Clones share them.
#[derive(Clone)]
pub(crate) struct ReadRights(Arc<Inner>);

struct Inner {
    questions: OwnerDb,
    acting: ActingDb,
    question_limit: QuestionLimit,
    ttl: Duration,
    /// Whether everybody of a role gets the same answers.
    uniform: TtlCache<Box<str>, CachedValue<bool>, PgError>,
    answers: TtlCache<RightsKey, CachedValue<ReadAnswer>, PgError>,
}

/// A value, and how long it is good.
#[derive(Clone, Copy)]
struct CachedValue<V> {
    value: V,
    ttl: Duration,
}

/// What decides about a right.
#[derive(Clone, PartialEq, Eq, Hash)]
struct RightsKey {
    topic: Box<str>,
    role: Box<str>,
    /// Claims and headers; none where no policy of the role asks for them.
    caller: Option<(Box<str>, Box<str>)>,
    with_presence: bool,
}

/// What a caller may read of a topic.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct ReadAnswer {
    pub broadcast: bool,
    /// None where nobody asked.
    pub presence: Option<bool>,
}

impl ReadAnswer {
    fn is_full(self) -> bool {
        self.broadcast && self.presence != Some(false)
    }
}

impl ReadRights {
    /// Nothing is remembered yet. An answer is good for `ttl`; zero remembers none.
    pub fn new(
        clock: &Clock,
        questions: OwnerDb,
        acting: ActingDb,
        question_limit: QuestionLimit,
        ttl: Duration,
    ) -> Self {
        Self(Arc::new(Inner {
            questions,
            acting,
            question_limit,
            ttl,
            uniform: TtlCache::new(clock.clone(), ROLES, |one| one.ttl),
            answers: TtlCache::new(clock.clone(), CAPACITY, |one| one.ttl),
        }))
    }

    /// What the caller may read of a topic, which has no `realtime:` before it.
    ///
    /// # Errors
    /// The database cannot be asked, or too many wait to ask it.
    pub async fn ask(
        &self,
        topic: &str,
        caller: &PolicyCaller<'_>,
        with_presence: bool,
    ) -> Result<ReadAnswer, PgError> {
        let inner = &*self.0;
        if inner.ttl.is_zero() {
            let _permit = inner.question_limit.acquire(caller.client).await?;
            return inner.probe(topic, caller, with_presence).await;
        }
        let key = inner.key(topic, caller, with_presence).await;
        if let Some(known) = inner.answers.get(&key) {
            return Ok(known.value);
        }
        // Before the flight: who loads for others has its permit, so that a client which waits for
        // its own keeps nobody waiting.
        let _permit = inner.question_limit.acquire(caller.client).await?;
        let mut is_own = false;
        let load = async {
            is_own = true;
            let value = inner.probe(topic, caller, with_presence).await?;
            let ttl = if value.is_full() { inner.ttl } else { Duration::ZERO };
            Ok(CachedValue { value, ttl })
        };
        let outcome = inner.answers.get_or_load(&key, load).await;
        match outcome {
            Ok(known) if is_own || known.value.is_full() => Ok(known.value),
            Err(error) if is_own => Err(error),
            // Another's refusal may be older than this caller's right, and another's failure may be
            // that of its own quota.
            _ => inner.probe(topic, caller, with_presence).await,
        }
    }
}

impl Inner {
    async fn probe(
        &self,
        topic: &str,
        caller: &PolicyCaller<'_>,
        with_presence: bool,
    ) -> Result<ReadAnswer, PgError> {
        let extensions: &[&str] =
            if with_presence { &["broadcast", "presence"] } else { &["broadcast"] };
        let may = policy::may_read(&self.acting, topic, caller, extensions).await?;
        Ok(ReadAnswer {
            broadcast: may.first().copied().unwrap_or_default(),
            presence: with_presence.then(|| may.get(1).copied().unwrap_or_default()),
        })
    }

    async fn key(&self, topic: &str, caller: &PolicyCaller<'_>, with_presence: bool) -> RightsKey {
        let differs = || (caller.claims_json.into(), caller.headers_json.into());
        let caller_key = if self.is_uniform(caller.role).await { None } else { Some(differs()) };
        let (topic, role) = (topic.into(), caller.role.into());
        RightsKey { topic, role, caller: caller_key, with_presence }
    }

    async fn is_uniform(&self, role: &str) -> bool {
        let load = async {
            let value = policy::is_uniform(&self.questions, role).await?;
            Ok(CachedValue { value, ttl: self.ttl })
        };
        match self.uniform.get_or_load(&role.into(), load).await {
            Ok(known) => known.value,
            Err(error) => {
                tracing::debug!(%error, role, "policies of a role not read");
                false
            }
        }
    }
}
