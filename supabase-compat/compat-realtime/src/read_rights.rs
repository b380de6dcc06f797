//! Caches for a moment who may read a private topic: many clients that join one topic at once cost
//! one query.
//!
//! Two callers share an answer only if policies cannot tell them apart. If the policies of a role
//! consist of columns, constants and immutable functions of PostgreSQL's own, these are all callers
//! of the role; otherwise, the callers with the same role, claims and headers. Only full rights are
//! cached: a caller that is refused and then gets the right is admitted at the next attempt.

use std::num::NonZeroUsize;
use std::sync::Arc;
use std::time::Duration;

use compat_http::{Clock, TtlCache};
use compat_pg::{ActingDb, OwnerDb, PgError};

use crate::question_limit::QuestionLimit;
use crate::store::policy::{self, PolicyCaller};

/// The most answers, and the most roles, in the caches.
const CAPACITY: NonZeroUsize = NonZeroUsize::new(2_048).expect("not zero");
const ROLES: NonZeroUsize = NonZeroUsize::new(64).expect("not zero");

/// The cached rights to read of this process. Clones share them.
#[derive(Clone)]
pub(crate) struct ReadRights(Arc<Inner>);

struct Inner {
    questions: OwnerDb,
    acting: ActingDb,
    question_limit: QuestionLimit,
    ttl: Duration,
    /// Whether all callers of a role get the same answers.
    uniform: TtlCache<Box<str>, CachedValue<bool>, PgError>,
    answers: TtlCache<RightsKey, CachedValue<ReadAnswer>, PgError>,
}

/// A value and its time to live.
#[derive(Clone, Copy)]
struct CachedValue<V> {
    value: V,
    ttl: Duration,
}

/// Everything that a right depends on.
#[derive(Clone, PartialEq, Eq, Hash)]
struct RightsKey {
    topic: Box<str>,
    role: Box<str>,
    /// Claims and headers; `None` if no policy of the role reads them.
    caller: Option<(Box<str>, Box<str>)>,
    with_presence: bool,
}

/// What a caller may read of a topic.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct ReadAnswer {
    pub broadcast: bool,
    /// `None` if the caller did not ask for presence.
    pub presence: Option<bool>,
}

impl ReadAnswer {
    fn is_full(self) -> bool {
        self.broadcast && self.presence != Some(false)
    }
}

impl ReadRights {
    /// Empty caches that keep an answer for `ttl`; zero turns caching off.
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

    /// What the caller may read of a topic; `topic` is without the prefix `realtime:`.
    ///
    /// # Errors
    /// The query fails, or too many callers wait for a permit.
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
        // Taken before the shared load: the caller that loads for others already has its permit, so
        // no one waits while it waits for its own.
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
            // A refusal that another caller loaded may be older than this caller's right, and its
            // failure may come from its own quota.
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
                tracing::debug!(%error, role, "cannot read the policies of a role");
                false
            }
        }
    }
}
