//! What the handlers of this service run with.

use std::net::IpAddr;
use std::ops::Deref;
use std::sync::Arc;
use std::time::Duration;

use compat_http::{RateLimit, RateLimitConfig, ServiceEnvironment};
use compat_pg::{ActingDb, OwnerDb};
use uuid::Uuid;

use crate::Config;
use crate::byte_quota::ByteQuota;
use crate::changes::Changes;
use crate::hub::Hub;
use crate::question_limit::QuestionLimit;
use crate::read_rights::ReadRights;
use crate::relay::RelayQueue;
use crate::session::SharedRate;
use crate::sockets::Sockets;
use crate::stats::Stats;

/// The service's state; clones share everything.
#[derive(Clone)]
pub struct State(Arc<Inner>);

/// See [`State`].
pub struct Inner {
    pub(crate) environment: ServiceEnvironment,
    pub(crate) config: Config,
    pub(crate) owner: OwnerDb,
    /// The same database with a budget of its own for queries that clients cause, so that a flood
    /// of joins does not keep the processes from each other.
    pub(crate) questions: OwnerDb,
    /// The database on behalf of callers.
    pub(crate) acting: ActingDb,
    pub(crate) question_limit: QuestionLimit,
    /// The cache of rights to read private topics.
    pub(crate) read_rights: ReadRights,
    /// The quota for bytes that sockets keep while they wait for the database.
    pub(crate) pending: ByteQuota,
    /// The quota for bytes that wait to be read by sockets.
    pub(crate) unread: ByteQuota,
    pub(crate) changes: Changes,
    pub(crate) hub: Hub,
    pub(crate) relay: RelayQueue,
    pub(crate) sockets: Sockets,
    pub(crate) stats: Stats,
    /// The rate limit of tracks and untracks of all sockets.
    pub(crate) presence_calls: SharedRate,
    /// The rate limit of broadcasts over REST, by the first address of a client's network.
    pub(crate) rest_calls: RateLimit<IpAddr>,
    /// The id of this process among those on the database.
    pub(crate) node: Uuid,
}

impl State {
    /// A service for the database of `owner`. `acting` asks row security who may use private
    /// channels and see changes. `questions` is the same database as `owner`, with a budget of its
    /// own for queries that clients cause.
    pub fn new(
        environment: ServiceEnvironment,
        owner: OwnerDb,
        questions: OwnerDb,
        acting: ActingDb,
        config: Config,
    ) -> Self {
        let relay = RelayQueue::default();
        let hub = Hub::new(relay.clone(), config.presence_limits());
        let stats = Stats::default();
        let rest_calls = RateLimit::new(RateLimitConfig {
            burst: config.max_events_per_second,
            refill: Duration::from_secs(1) / config.max_events_per_second.max(1),
        });
        let question_limit = QuestionLimit::new();
        let read_rights = ReadRights::new(
            &environment.clock,
            questions.clone(),
            acting.clone(),
            question_limit.clone(),
            config.rights_ttl,
        );
        Self(Arc::new(Inner {
            changes: Changes::new(
                owner.clone(),
                questions.clone(),
                (acting.clone(), question_limit.clone()),
                hub.clone(),
                environment.entropy.clone(),
                stats.clone(),
                &config,
            ),
            acting,
            question_limit,
            read_rights,
            pending: ByteQuota::new(config.pending_limits()),
            unread: ByteQuota::new(config.unread_limits()),
            hub,
            relay,
            sockets: Sockets::new(config.max_sockets, config.max_sockets_per_address),
            stats,
            presence_calls: SharedRate::per_second(config.max_presence_events_per_second),
            questions,
            rest_calls,
            node: environment.entropy.uuid(),
            environment,
            config,
            owner,
        }))
    }
}

impl Deref for State {
    type Target = Inner;

    fn deref(&self) -> &Inner {
        &self.0
    }
}
