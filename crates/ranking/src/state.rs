//! What the ranking runs with.

use std::net::IpAddr;
use std::sync::Arc;
use std::time::Duration;

use compat_fair_semaphore::KeyedLimiter;
use compat_http::{ServiceEnvironment, SettingProblem};
use compat_pg::OwnerDb;
use uuid::Uuid;

use crate::captcha::Captcha;
use crate::leaderboard_cache::{self, Leaderboards};
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

/// What the ranking runs with; cheap to clone.
#[derive(Clone)]
pub struct State(Arc<Inner>);

struct Inner {
    environment: ServiceEnvironment,
    pools: PoolPartitions,
    vote_batcher: VoteBatcher,
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

/// The owner's connections by what they are for, so that votes that wait for each other keep
/// nobody else waiting.
pub(crate) struct PoolPartitions {
    /// Votes and clicks.
    pub votes: OwnerDb,
    /// The vote API.
    pub questions: OwnerDb,
    /// What keeps lists and figures right by itself, which takes turns with nothing slower.
    pub figures: OwnerDb,
    /// What ends days, weeks and months: many steps, which wait for no other figures.
    pub closing: OwnerDb,
    /// What is told of votes.
    pub deliveries: OwnerDb,
    /// What else runs by itself.
    pub jobs: OwnerDb,
}

/// Buckets by address. What N processes must agree on, the cooldown, is the database's.
type RateLimit = compat_http::RateLimit<IpHash>;

/// How often one client may ask for each kind of work.
pub(crate) struct Limits {
    /// Votes tried.
    pub votes: RateLimit,
    /// Challenges asked for.
    pub challenges: RateLimit,
    /// Clicks told.
    pub clicks: RateLimit,
    /// Reminders asked for or ended.
    pub reminders: RateLimit,
    /// Questions to the vote API by a server's public id.
    pub questions: RateLimit,
    /// Questions to the vote API by a token.
    pub token_questions: RateLimit,
    /// Servers' states asked for.
    pub states: RateLimit,
    /// New servers to announce.
    pub announcements: RateLimit,
    /// Receivers tried out.
    pub trials: RateLimit,
    /// Reports without an account.
    pub notices: RateLimit,
    /// Pictures to be copied from elsewhere.
    pub pictures: RateLimit,
    /// Errors of pages reported.
    pub page_errors: RateLimit,
}

/// Who has more new servers than these within an hour is not announcing them to please anybody.
const ANNOUNCEMENTS: RateLimitConfig =
    RateLimitConfig { burst: 5, refill: Duration::from_secs(10 * 60) };

/// Who reports more than these has an account worth making.
const NOTICES: RateLimitConfig =
    RateLimitConfig { burst: 10, refill: Duration::from_secs(10 * 60) };

/// Who wants more than these fills no form.
const PICTURES: RateLimitConfig = RateLimitConfig { burst: 20, refill: Duration::from_secs(10) };

/// A visit reports each error once and five at most; these are several visits behind one address.
const PAGE_ERRORS: RateLimitConfig = RateLimitConfig { burst: 20, refill: Duration::from_secs(60) };

/// Who tries out more than these is looking for open ports.
const TRIALS: RateLimitConfig = RateLimitConfig { burst: 10, refill: Duration::from_secs(10) };

impl State {
    /// Puts the ranking together.
    ///
    /// # Errors
    /// The settings it cannot run with, all of them.
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
        let server_changes = ServerChanges::default();
        Ok(Self(Arc::new(Inner {
            vote_batcher: VoteBatcher::new(votes.clone(), server_changes.clone()),
            network_blocklist: NetworkBlocklist::new(votes.clone(), environment.clock.clone()),
            pools: PoolPartitions {
                votes,
                questions: owner.with_budget(pool_budgets::QUESTIONS),
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

    pub(crate) fn config(&self) -> &Config {
        &self.0.config
    }

    pub(crate) fn captcha(&self) -> &Captcha {
        &self.0.captcha
    }

    /// What the site's messages to browsers are signed with.
    pub(crate) fn vapid(&self) -> &Vapid {
        &self.0.vapid
    }

    /// What votes that were taken are told under.
    pub(crate) fn receipts(&self) -> &Receipts {
        &self.0.receipts
    }

    /// What proves that somebody holds a mail of ours.
    pub(crate) fn mails(&self) -> &Key {
        &self.0.mails
    }

    /// Game servers' hosts, each asked once at a time.
    pub(crate) fn game_hosts(&self) -> &KeyedLimiter<String> {
        &self.0.game_hosts
    }

    /// Servers that visitors wait for, by id: they share one question.
    pub(crate) fn status_queries(&self) -> &KeyedLimiter<Uuid> {
        &self.0.status_queries
    }

    pub(crate) fn limits(&self) -> &Limits {
        &self.0.limits
    }

    /// Best voters as they were counted a moment ago.
    pub(crate) fn leaderboards(&self) -> &Leaderboards {
        &self.0.leaderboards
    }

    /// Networks that may not vote.
    pub(crate) fn network_blocklist(&self) -> &NetworkBlocklist {
        &self.0.network_blocklist
    }

    /// Votes refused that are not written down yet.
    pub(crate) fn rejection_counts(&self) -> &RejectionCounts {
        &self.0.rejection_counts
    }

    /// Servers whose figures changed and that open pages were not told of yet.
    pub(crate) fn server_changes(&self) -> &ServerChanges {
        &self.0.server_changes
    }

    /// The keyed hash that stands for a client's address, as votes and bans are stored under.
    pub fn voter(&self, ip: IpAddr) -> IpHash {
        IpHash::of(&self.0.addresses, ip)
    }

    /// The number that stands for its network.
    pub fn network(&self, ip: IpAddr) -> NetworkHash {
        NetworkHash::of(&self.0.addresses, ip)
    }
}
