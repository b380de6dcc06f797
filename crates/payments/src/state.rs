//! The state of payments.

use std::net::IpAddr;
use std::sync::Arc;
use std::time::Duration;

use compat_http::{RateLimit, RateLimitConfig, ServiceEnvironment, SettingProblem, client_prefix};
use compat_pg::{ActingDb, OwnerDb};
use ipnet::IpNet;

use crate::config::ProviderName;
use crate::pictures::PictureCopier;
use crate::provider::{Provider, Stripe, TestProvider};
use crate::{Config, Refusal, pool_budgets};

/// The state that handlers and jobs share; cheap to clone.
#[derive(Clone)]
pub struct State(Arc<Inner>);

struct Inner {
    environment: ServiceEnvironment,
    acting: ActingDb,
    pools: PoolPartitions,
    provider: Option<Box<dyn Provider>>,
    copier: Arc<dyn PictureCopier>,
    config: Config,
    limits: Limits,
}

/// The owner's connections by purpose, so that jobs that wait for a slow provider do not delay
/// webhook events.
pub(crate) struct PoolPartitions {
    /// For orders, webhook events and status checks, whose callers wait.
    pub calls: OwnerDb,
    /// For periodic jobs.
    pub jobs: OwnerDb,
}

/// How often one client may ask for each kind of work.
pub(crate) struct Limits {
    /// The limit on orders.
    pub orders: RateLimit<IpNet>,
    /// The limit on status checks.
    pub status_checks: RateLimit<IpNet>,
}

/// Each order is a call to the provider.
const ORDERS: RateLimitConfig = RateLimitConfig { burst: 20, refill: Duration::from_secs(6) };

/// A waiting page asks every few seconds.
const STATUS_CHECKS: RateLimitConfig =
    RateLimitConfig { burst: 60, refill: Duration::from_secs(1) };

impl State {
    /// Builds the state.
    ///
    /// # Errors
    /// Every invalid setting.
    pub fn new(
        environment: ServiceEnvironment,
        owner: &OwnerDb,
        acting: ActingDb,
        config: Config,
        copier: Arc<dyn PictureCopier>,
    ) -> Result<Self, Vec<SettingProblem>> {
        let problems = config.problems();
        if !problems.is_empty() {
            return Err(problems);
        }
        let pools = PoolPartitions {
            calls: owner.with_budget(pool_budgets::CALLS),
            jobs: owner.with_budget(pool_budgets::JOBS),
        };
        Ok(Self(Arc::new(Inner {
            provider: provider(&environment, &pools, &config),
            limits: Limits {
                orders: RateLimit::new(ORDERS),
                status_checks: RateLimit::new(STATUS_CHECKS),
            },
            environment,
            acting,
            copier,
            pools,
            config,
        })))
    }

    pub(crate) fn environment(&self) -> &ServiceEnvironment {
        &self.0.environment
    }

    pub(crate) fn acting(&self) -> &ActingDb {
        &self.0.acting
    }

    pub(crate) fn pools(&self) -> &PoolPartitions {
        &self.0.pools
    }

    /// The copier of pictures on other sites.
    pub(crate) fn copier(&self) -> &dyn PictureCopier {
        &*self.0.copier
    }

    pub(crate) fn config(&self) -> &Config {
        &self.0.config
    }

    /// The payment provider.
    ///
    /// # Errors
    /// [`Refusal::Disabled`] where none is set up.
    pub(crate) fn provider(&self) -> Result<&dyn Provider, Refusal> {
        self.0.provider.as_deref().ok_or(Refusal::Disabled)
    }

    /// The provider with this name, if it is the one that is set up.
    pub(crate) fn provider_named(&self, name: Option<&str>) -> Option<&dyn Provider> {
        self.0.provider.as_deref().filter(|provider| Some(provider.name()) == name)
    }

    /// Counts a call against a client's rate limit.
    ///
    /// # Errors
    /// [`Refusal::TooManyRequests`].
    pub(crate) fn count(
        &self,
        limit: impl FnOnce(&Limits) -> &RateLimit<IpNet>,
        ip: IpAddr,
    ) -> Result<(), Refusal> {
        let too_often = |retry_after| Refusal::TooManyRequests { retry_after };
        limit(&self.0.limits)
            .take(&client_prefix(ip), self.0.environment.clock.now())
            .map_err(too_often)
    }
}

fn provider(
    environment: &ServiceEnvironment,
    pools: &PoolPartitions,
    config: &Config,
) -> Option<Box<dyn Provider>> {
    match config.provider? {
        ProviderName::Test => Some(Box::new(TestProvider {
            db: pools.calls.clone(),
            clock: environment.clock.clone(),
            entropy: environment.entropy.clone(),
            site_url: Arc::clone(&environment.public_url),
        })),
        ProviderName::Stripe => Some(Box::new(Stripe {
            outgoing: environment.outgoing.clone(),
            key: config.stripe_key.clone()?,
            api_url: config.stripe_api_url.trim_end_matches('/').to_owned(),
        })),
    }
}
