//! Secrets that are guessed at, counted per account whatever address the guesses come from.
//!
//! Only failures count, and unknown accounts are counted like known ones. A guess is paid for
//! before it is looked at and given back when it was right, so that many at once find no more coins
//! than one after the other.

use std::net::IpAddr;

use compat_pg::Owner;
use sqlx::PgConnection;

use super::limit::network;
use crate::error::{AuthError, RateLimitRefusal};
use crate::model::TokenHash;
use crate::state::State;
use crate::store;

/// What is guessed at.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum AttemptKind {
    Password,
    /// A mailed or texted code.
    Code,
    /// A second factor's code.
    Factor,
}

/// So many failures at once, and so many seconds give one back.
#[derive(Debug, Clone, Copy)]
struct AttemptBudget {
    name: &'static str,
    burst: f64,
    seconds: f64,
}

impl AttemptKind {
    /// What everybody may fail together at one account.
    fn common(self) -> AttemptBudget {
        match self {
            Self::Password => AttemptBudget { name: "guess password", burst: 25.0, seconds: 10.0 },
            Self::Code => AttemptBudget { name: "guess code", burst: 10.0, seconds: 360.0 },
            Self::Factor => AttemptBudget { name: "guess factor", burst: 15.0, seconds: 60.0 },
        }
    }

    /// What a network may fail at one account before it draws on the common budget. Without it,
    /// strangers who keep the common one empty would lock the owner out. Codes have none: they are
    /// short, there is a link beside each, and a second factor is asked of nobody but its owner.
    fn own(self) -> Option<AttemptBudget> {
        let own = AttemptBudget { name: "guess password here", burst: 5.0, seconds: 60.0 };
        (self == Self::Password).then_some(own)
    }
}

/// A guess that was paid for, until it is known what it was worth.
#[must_use = "a right guess is given back"]
pub struct PendingAttempt(Option<(AttemptBudget, String)>);

/// Takes a guess at the secret of `account`, the stored form of an address or an id, inside the
/// caller's transaction; it counts once that is committed.
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
    // The address itself is not kept among the counters.
    let account = TokenHash::of(account, "").as_str().to_owned();
    let own = guess.own().map(|budget| (budget, format!("{account} {}", network(client))));
    for (budget, subject) in own.into_iter().chain([(guess.common(), account)]) {
        let (rate, now) = (1.0 / budget.seconds, state.now());
        let taken =
            store::allowance::take(conn, budget.name, &subject, budget.burst, rate, now).await?;
        if taken {
            return Ok(PendingAttempt(Some((budget, subject))));
        }
    }
    Err(AuthError::RateLimit(RateLimitRefusal::TooManyRequests))
}

/// The same in a transaction of its own.
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
    /// Gives the guess back, in the transaction of what it opened.
    pub async fn release(&self, tx: &mut Owner) -> Result<(), AuthError> {
        if let Some((budget, subject)) = &self.0 {
            store::allowance::release(tx, budget.name, subject, budget.burst).await?;
        }
        Ok(())
    }

    /// Gives the guess back where nothing was opened for another reason than a wrong secret. When
    /// that fails, a coin is lost and time gives it back.
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
            tracing::warn!(%error, "attempt not released; it stays counted");
        }
    }
}
