//! Caches the plan and the statement of requests, so that similar ones are not parsed, planned and
//! rendered again.
//!
//! The key is everything those stages look at: method, path, query, the headers they read, the
//! schema cache's version, and of a body the names of its keys. Bodies themselves and their values
//! are never part of an entry. The number of entries and the size of a key are bounded.

use std::num::NonZeroUsize;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use compat_rest_core::request::payload::Payload;
use compat_rest_core::{
    ApiRequest, Plan, PlanError, PlanRules, RawRequest, RenderedStatement, RequestError,
    RequestRules, SchemaCache,
};
use lru::LruCache;

/// The longest key that is cached, in bytes.
const LONGEST_KEY: usize = 4096;

/// The result of the first three stages for a request.
#[derive(Debug)]
pub(crate) struct CachedPlan {
    /// The request without its body.
    pub request: Arc<ApiRequest>,
    pub plan: Plan,
    pub statement: Option<RenderedStatement>,
    /// The statement that asks the planner for its guess of the total.
    pub estimate: Option<RenderedStatement>,
    /// Whether a regular expression may hold a back reference, which is refused to anonymous
    /// callers.
    pub may_refer_back: bool,
}

/// The cached requests, by head alone and by whole shape.
pub(crate) struct PlanCache {
    heads: Mutex<LruCache<String, Arc<ApiRequest>>>,
    plans: Mutex<LruCache<String, Arc<CachedPlan>>>,
    hits: AtomicU64,
    misses: AtomicU64,
}

impl PlanCache {
    /// A cache of `capacity` shapes, at least one.
    pub(crate) fn new(capacity: usize) -> Self {
        let capacity = NonZeroUsize::new(capacity).unwrap_or(NonZeroUsize::MIN);
        Self {
            heads: Mutex::new(LruCache::new(capacity)),
            plans: Mutex::new(LruCache::new(capacity)),
            hits: AtomicU64::new(0),
            misses: AtomicU64::new(0),
        }
    }

    /// Looks up a head.
    fn head(&self, key: &str) -> Option<Arc<ApiRequest>> {
        lock(&self.heads).get(key).cloned()
    }

    /// Stores a head.
    fn put_head(&self, key: &str, head: Arc<ApiRequest>) {
        lock(&self.heads).put(key.to_owned(), head);
    }

    /// Looks up a shape, and counts the hit or miss.
    fn get(&self, key: &str) -> Option<Arc<CachedPlan>> {
        let plan = lock(&self.plans).get(key).cloned();
        let counter = if plan.is_some() { &self.hits } else { &self.misses };
        counter.fetch_add(1, Ordering::Relaxed);
        plan
    }

    /// Stores a shape.
    fn put(&self, key: String, cached: Arc<CachedPlan>) {
        lock(&self.plans).put(key, cached);
    }

    /// Hits and misses so far.
    pub(crate) fn figures(&self) -> (u64, u64) {
        (self.hits.load(Ordering::Relaxed), self.misses.load(Ordering::Relaxed))
    }
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

/// A parsed request, or the cache entry of a similar one.
pub(crate) struct ParsedRequest {
    lookup: ParseLookup,
    payload: Option<Payload>,
    /// The key under which a new shape is cached.
    key: Option<String>,
}

enum ParseLookup {
    Shape(Arc<CachedPlan>),
    Head(Arc<ApiRequest>),
}

/// Parse: parses the parts of a request that are not cached.
pub(crate) fn parse(
    plans: &PlanCache,
    rules: &RequestRules,
    version: u64,
    incoming: &RawRequest<'_>,
) -> Result<ParsedRequest, RequestError> {
    let key = head_key(incoming, version);
    let bodiless = matches!(incoming.method, "GET" | "HEAD" | "DELETE" | "OPTIONS");
    let known = key.as_deref().filter(|_| bodiless).and_then(|key| plans.get(key));
    if let Some(cached) = known {
        return Ok(ParsedRequest { lookup: ParseLookup::Shape(cached), payload: None, key: None });
    }
    let head = head(plans, rules, incoming, key.as_deref())?;
    let payload = head.parse_body(incoming.body)?;
    let key = shape_key(key, payload.as_ref());
    let known = key.as_deref().filter(|_| payload.is_some()).and_then(|key| plans.get(key));
    let lookup = known.map_or(ParseLookup::Head(head), ParseLookup::Shape);
    Ok(ParsedRequest { lookup, payload, key })
}

/// The request without its body, parsed or from the cache.
fn head(
    plans: &PlanCache,
    rules: &RequestRules,
    incoming: &RawRequest<'_>,
    key: Option<&str>,
) -> Result<Arc<ApiRequest>, RequestError> {
    if let Some(head) = key.and_then(|key| plans.head(key)) {
        return Ok(head);
    }
    let head = Arc::new(ApiRequest::parse_head(incoming, rules)?);
    if let Some(key) = key {
        plans.put_head(key, head.clone());
    }
    Ok(head)
}

/// A request with its plan, or the cached shape of a similar one.
pub(crate) struct PlannedRequest {
    lookup: PlanLookup,
    payload: Option<Payload>,
    key: Option<String>,
}

enum PlanLookup {
    Shape(Arc<CachedPlan>),
    Plan(Arc<ApiRequest>, Box<Plan>),
}

impl ParsedRequest {
    /// Plan: plans a request that is not cached.
    pub(crate) fn plan(
        self,
        schema: &SchemaCache,
        rules: &PlanRules,
    ) -> Result<PlannedRequest, PlanError> {
        let Self { lookup, payload, key } = self;
        let head = match lookup {
            ParseLookup::Shape(cached) => {
                return Ok(PlannedRequest { lookup: PlanLookup::Shape(cached), payload, key });
            }
            ParseLookup::Head(head) => head,
        };
        let request = ApiRequest { payload, ..(*head).clone() };
        let plan = Box::new(Plan::new(&request, schema, rules)?);
        Ok(PlannedRequest { lookup: PlanLookup::Plan(head, plan), payload: request.payload, key })
    }
}

impl PlannedRequest {
    /// Render: writes the statement of a new plan, and caches both.
    pub(crate) fn render(self, plans: &PlanCache) -> (Arc<CachedPlan>, Option<Payload>) {
        let Self { lookup, payload, key } = self;
        let (request, plan) = match lookup {
            PlanLookup::Shape(cached) => return (cached, payload),
            PlanLookup::Plan(request, plan) => (request, *plan),
        };
        let (statement, estimate) =
            (RenderedStatement::new(&plan), RenderedStatement::estimate(&plan));
        let may_refer_back = request.query.may_refer_back();
        let cached = Arc::new(CachedPlan { request, plan, statement, estimate, may_refer_back });
        if let Some(key) = key {
            plans.put(key, cached.clone());
        }
        (cached, payload)
    }
}

/// The key of a request's head; `None` if it is too long to be cached.
fn head_key(incoming: &RawRequest<'_>, version: u64) -> Option<String> {
    let length = incoming.path.len() + incoming.query.len();
    if length > LONGEST_KEY {
        return None;
    }
    let mut key = String::with_capacity(length + 128);
    let parts = [
        Some(incoming.method),
        Some(incoming.path),
        Some(incoming.query),
        incoming.accept,
        incoming.accept_profile,
        incoming.content_profile,
        incoming.content_type,
        incoming.range,
    ];
    key.push_str(&version.to_string());
    for part in parts.into_iter().chain(incoming.prefer.iter().map(|p| Some(*p))) {
        // Control characters separate the parts: no header and no request line can contain them.
        key.push('\u{1}');
        key.push_str(part.unwrap_or("\u{2}"));
    }
    (key.len() <= LONGEST_KEY).then_some(key)
}

/// The key of head and body together.
fn shape_key(head: Option<String>, payload: Option<&Payload>) -> Option<String> {
    let mut key = head?;
    if let Some(payload) = payload {
        key.push('\u{3}');
        key.push_str(&payload.shape()?);
    }
    (key.len() <= 2 * LONGEST_KEY).then_some(key)
}
