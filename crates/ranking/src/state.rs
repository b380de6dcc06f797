//! The shared state of the handlers and jobs.

use std::net::IpAddr;
use std::sync::Arc;
use std::time::Duration;

use compat_fair_semaphore::KeyedLimiter;
use compat_http::{ServiceEnvironment, SettingProblem};
use compat_pg::OwnerDb;
use uuid::Uuid;

use crate::captcha::Captcha;
use crate::leaderboard_cache::{self, Leaderboards};
use crate::lookup_batcher::LookupBatcher;
use crate::model::voter::{IpHash, NetworkHash};
use crate::network_blocklist::NetworkBlocklist;
use crate::pool_budgets;
use crate::receipt::Receipts;
use crate::rejection_counts::RejectionCounts;
use crate::secret::Key;
use crate::server_changes::ServerChanges;
use crate::vote_batcher::VoteBatcher;
use crate::workers::push::Vapid;
use crate::{Config, RateLimitConfig};

/// The shared state of the handlers and jobs; cheap to clone.
#[derive(Clone)]
pub struct State(Arc<Inner>);

struct Inner {
    environment: ServiceEnvironment,
    pools: PoolPartitions,
    vote_batcher: VoteBatcher,
    lookup_batcher: LookupBatcher,
    config: Config,
    addresses: Key,
    captcha: Captcha,
    vapid: Vapid,
    receipts: Receipts,
    mails: Key,
    limits: Limits,
    leaderboards: Leaderboards,
    network_blocklist: NetworkBlocklist,
    rejection_counts: RejectionCounts,
    server_changes: ServerChanges,
    game_hosts: KeyedLimiter<String>,
    status_queries: KeyedLimiter<Uuid>,
}

/// The owner's connections, divided by kind of work, so that votes that wait for each other delay
/// nothing else.
pub(crate) struct PoolPartitions {
    /// Votes and clicks.
    pub votes: OwnerDb,
    /// The vote API.
    pub questions: OwnerDb,
    /// Jobs that refresh rankings and figures; nothing slower shares their connections.
    pub figures: OwnerDb,
    /// The job that closes days, weeks and months in many steps, apart from the other figures.
    pub closing: OwnerDb,
    /// Deliveries of votes.
    pub deliveries: OwnerDb,
    /// All other jobs.
    pub jobs: OwnerDb,
}

/// A rate limit by address, within one process. The cooldown, on which all processes must agree, is
/// kept in the database.
type RateLimit = compat_http::RateLimit<IpHash>;

/// The rate limits of one client, by kind of work.
pub(crate) struct Limits {
    /// Attempts to vote.
    pub votes: RateLimit,
    /// Requests for challenges.
    pub challenges: RateLimit,
    /// Reports of clicks.
    pub clicks: RateLimit,
    /// Requests for reminders, and their cancellations.
    pub reminders: RateLimit,
    /// Requests to the vote API by a public server id.
    pub questions: RateLimit,
    /// Requests to the vote API by a token.
    pub token_questions: RateLimit,
    /// Requests for the status of servers.
    pub states: RateLimit,
    /// Announcements of new servers.
    pub announcements: RateLimit,
    /// Test deliveries to receivers.
    pub trials: RateLimit,
    /// Reports by people without an account.
    pub notices: RateLimit,
    /// Requests to copy a picture from another site.
    pub pictures: RateLimit,
    /// Reports of page errors.
    pub page_errors: RateLimit,
}

/// The limit for announcements; more new servers in an hour are abuse.
const ANNOUNCEMENTS: RateLimitConfig =
    RateLimitConfig { burst: 5, refill: Duration::from_secs(10 * 60) };

/// The limit for reports without an account; frequent reporters can create an account.
const NOTICES: RateLimitConfig =
    RateLimitConfig { burst: 10, refill: Duration::from_secs(10 * 60) };

/// The limit for picture copies; a person who fills in a form needs fewer.
const PICTURES: RateLimitConfig = RateLimitConfig { burst: 20, refill: Duration::from_secs(10) };

/// The limit for page errors. A visit reports each error once and five at most; several visitors
/// may share an address.
const PAGE_ERRORS: RateLimitConfig = RateLimitConfig { burst: 20, refill: Duration::from_secs(60) };

/// The limit for test deliveries; more attempts are likely a port scan.
const TRIALS: RateLimitConfig = RateLimitConfig { burst: 10, refill: Duration::from_secs(10) };

impl State {
    /// Creates the state.
    ///
    /// # Errors
    /// All invalid settings.
    pub fn new(
        environment: ServiceEnvironment,
        owner: &OwnerDb,
        config: Config,
    ) -> Result<Self, Vec<SettingProblem>> {
        let problems = config.problems();
        if !problems.is_empty() {
            return Err(problems);
        }
        let votes = owner.with_budget(pool_budgets::VOTES);
        let questions = owner.with_budget(pool_budgets::QUESTIONS);
        let server_changes = ServerChanges::default();
        Ok(Self(Arc::new(Inner {
            vote_batcher: VoteBatcher::new(votes.clone(), server_changes.clone()),
            lookup_batcher: LookupBatcher::new(questions.clone()),
            network_blocklist: NetworkBlocklist::new(votes.clone(), environment.clock.clone()),
            pools: PoolPartitions {
                votes,
                questions,
                figures: owner.with_budget(pool_budgets::FIGURES),
                closing: owner.with_budget(pool_budgets::CLOSING),
                deliveries: owner.with_budget(pool_budgets::DELIVERIES),
                jobs: owner.with_budget(pool_budgets::JOBS),
            },
            addresses: Key::derive(&config.site_secret, "votes/addresses"),
            mails: Key::derive(&config.site_secret, "mails"),
            vapid: Vapid::new(&config.site_secret),
            receipts: Receipts::new(&config.site_secret),
            captcha: Captcha::new(&config.site_secret, &config.captcha),
            limits: Limits {
                votes: RateLimit::new(config.vote_rate),
                challenges: RateLimit::new(config.challenge_rate),
                clicks: RateLimit::new(config.click_rate),
                reminders: RateLimit::new(config.reminder_rate),
                questions: RateLimit::new(config.question_rate),
                token_questions: RateLimit::new(config.token_question_rate),
                states: RateLimit::new(config.status_ask_rate),
                announcements: RateLimit::new(ANNOUNCEMENTS),
                trials: RateLimit::new(TRIALS),
                notices: RateLimit::new(NOTICES),
                pictures: RateLimit::new(PICTURES),
                page_errors: RateLimit::new(PAGE_ERRORS),
            },
            leaderboards: leaderboard_cache::new(environment.clock.clone()),
            rejection_counts: RejectionCounts::default(),
            server_changes,
            // The job and visitors share this limiter: a host gets one query at a time from both.
            game_hosts: KeyedLimiter::new(|_| 1),
            status_queries: KeyedLimiter::new(|_| 1),
            environment,
            config,
        })))
    }

    pub(crate) fn environment(&self) -> &ServiceEnvironment {
        &self.0.environment
    }

    pub(crate) fn pools(&self) -> &PoolPartitions {
        &self.0.pools
    }

    pub(crate) fn vote_batcher(&self) -> &VoteBatcher {
        &self.0.vote_batcher
    }

    pub(crate) fn lookup_batcher(&self) -> &LookupBatcher {
        &self.0.lookup_batcher
    }

    pub(crate) fn config(&self) -> &Config {
        &self.0.config
    }

    pub(crate) fn captcha(&self) -> &Captcha {
        &self.0.captcha
    }

    /// The key that signs push messages to browsers.
    pub(crate) fn vapid(&self) -> &Vapid {
        &self.0.vapid
    }

    /// The key that signs vote receipts.
    pub(crate) fn receipts(&self) -> &Receipts {
        &self.0.receipts
    }

    /// The key that signs the links in mails.
    pub(crate) fn mails(&self) -> &Key {
        &self.0.mails
    }

    /// The limiter by game host: one query to a host at a time.
    pub(crate) fn game_hosts(&self) -> &KeyedLimiter<String> {
        &self.0.game_hosts
    }

    /// The limiter by server id, so that visitors who wait for the same server share one query.
    pub(crate) fn status_queries(&self) -> &KeyedLimiter<Uuid> {
        &self.0.status_queries
    }

    pub(crate) fn limits(&self) -> &Limits {
        &self.0.limits
    }

    /// The cached top voters.
    pub(crate) fn leaderboards(&self) -> &Leaderboards {
        &self.0.leaderboards
    }

    /// The cached banned networks.
    pub(crate) fn network_blocklist(&self) -> &NetworkBlocklist {
        &self.0.network_blocklist
    }

    /// The rejected votes that are not stored yet.
    pub(crate) fn rejection_counts(&self) -> &RejectionCounts {
        &self.0.rejection_counts
    }

    /// The servers whose changes are not broadcast yet.
    pub(crate) fn server_changes(&self) -> &ServerChanges {
        &self.0.server_changes
    }

    /// The keyed hash of a client's address, under which votes and bans are stored.
    pub fn voter(&self, ip: IpAddr) -> IpHash {
        IpHash::of(&self.0.addresses, ip)
    }

    /// The keyed hash of the network of a client's address.
    pub fn network(&self, ip: IpAddr) -> NetworkHash {
        NetworkHash::of(&self.0.addresses, ip)
    }
}
