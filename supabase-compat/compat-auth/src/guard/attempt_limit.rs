//! Limits of attempts at secrets, counted per account whatever address they come from.
//!
//! Only failures count, and unknown accounts are counted like known ones. An attempt is counted
//! before it is checked and released if it was correct, so that concurrent attempts get no larger
//! budget than sequential ones.

use std::net::IpAddr;

use compat_pg::Owner;
use sqlx::PgConnection;

use super::limit::network;
use crate::error::{AuthError, RateLimitRefusal};
use crate::model::TokenHash;
use crate::state::State;
use crate::store;

/// The kind of secret.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum AttemptKind {
    Password,
    /// A mailed or texted code.
    Code,
    /// A second factor's code.
    Factor,
}

/// A budget of failures: `burst` at once, and one is restored every `seconds`.
#[derive(Debug, Clone, Copy)]
struct AttemptBudget {
    name: &'static str,
    burst: f64,
    seconds: f64,
}

impl AttemptKind {
    /// The budget of an account that all clients share.
    fn common(self) -> AttemptBudget {
        match self {
            Self::Password => AttemptBudget { name: "guess password", burst: 25.0, seconds: 10.0 },
            Self::Code => AttemptBudget { name: "guess code", burst: 10.0, seconds: 360.0 },
            Self::Factor => AttemptBudget { name: "guess factor", burst: 15.0, seconds: 60.0 },
        }
    }

    /// The budget of one network at one account, which is used before the common one. Without it,
    /// strangers who exhaust the common budget would lock the owner out. Codes have none: they are
    /// short, every code comes with a link, and only the owner is asked for a second factor.
    fn own(self) -> Option<AttemptBudget> {
        let own = AttemptBudget { name: "guess password here", burst: 5.0, seconds: 60.0 };
        (self == Self::Password).then_some(own)
    }
}

/// A counted attempt whose result is not known yet.
#[must_use = "a right guess is given back"]
pub struct PendingAttempt(Option<(AttemptBudget, String)>);

/// Counts an attempt at the secret of `account` (the stored form of an address, or an id) in the
/// caller's transaction; it takes effect with the commit.
///
/// # Errors
/// [`RateLimitRefusal::TooManyRequests`] after too many failures.
pub async fn reserve(
    state: &State,
    conn: &mut PgConnection,
    guess: AttemptKind,
    account: &str,
    client: IpAddr,
) -> Result<PendingAttempt, AuthError> {
    if !state.config.limits.per_account {
        return Ok(PendingAttempt(None));
    }
    // The counters store a hash instead of the address.
    let account = TokenHash::of(account, "").as_str().to_owned();
    let own = guess.own().map(|budget| (budget, format!("{account} {}", network(client))));
    for (budget, subject) in own.into_iter().chain([(guess.common(), account)]) {
        let (rate, now) = (1.0 / budget.seconds, state.now());
        let remaining =
            store::allowance::take(conn, budget.name, &subject, budget.burst, rate, now).await?;
        if remaining {
            return Ok(PendingAttempt(Some((budget, subject))));
        }
    }
    Err(AuthError::RateLimit(RateLimitRefusal::TooManyRequests))
}

/// Like [`reserve`], in a transaction of its own.
///
/// # Errors
/// As [`reserve`].
pub async fn reserve_alone(
    state: &State,
    guess: AttemptKind,
    account: &str,
    client: IpAddr,
) -> Result<PendingAttempt, AuthError> {
    if !state.config.limits.per_account {
        return Ok(PendingAttempt(None));
    }
    let mut tx = state.begin().await?;
    let attempt = reserve(state, &mut tx, guess, account, client).await?;
    tx.commit().await?;
    Ok(attempt)
}

impl PendingAttempt {
    /// Releases the attempt in the transaction of the successful flow.
    pub async fn release(&self, tx: &mut Owner) -> Result<(), AuthError> {
        if let Some((budget, subject)) = &self.0 {
            store::allowance::release(tx, budget.name, subject, budget.burst).await?;
        }
        Ok(())
    }

    /// Releases the attempt when the flow failed for another reason than a wrong secret. If that
    /// fails, the attempt stays counted until its budget refills.
    pub async fn refund(&self, state: &State) {
        if self.0.is_none() {
            return;
        }
        let release = async {
            let mut tx = state.begin().await?;
            self.release(&mut tx).await?;
            Ok::<_, AuthError>(tx.commit().await?)
        };
        if let Err(error) = release.await {
            tracing::warn!(%error, "cannot release an attempt; it stays counted");
        }
    }
}
