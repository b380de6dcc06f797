//! A checkout page of our own that takes no money: its sessions are rows, and whoever has one's
//! address says what becomes of it (`wire/test_checkout.rs`). Refused in production.

use std::sync::Arc;

use compat_functions::BoxFuture;
use compat_http::{Clock, Entropy};
use compat_pg::{OwnerDb, PgError};

use super::{Fault, Order, Provider, Refund, SESSION, Session, SessionStatus};
use crate::model::payment::Money;
use crate::model::test_checkout::{Stand, TestCheckout};
use crate::store::test_checkout::{self, New};

/// The page's sessions.
pub(crate) struct Test {
    pub db: OwnerDb,
    pub clock: Clock,
    pub entropy: Entropy,
    /// The site's address, without the last slash.
    pub site_url: Arc<str>,
}

/// Nobody guesses one.
const SESSION_LENGTH: usize = 32;

impl Test {
    async fn opened(&self, order: &Order) -> Result<Session, PgError> {
        let drawn = format!("cs_test_{}", self.entropy.alphanumeric_lower(SESSION_LENGTH));
        let new = New {
            session: &drawn,
            payment: order.payment,
            amount_cents: order.amount_cents,
            currency: &order.currency,
            description: &order.description,
            language: order.language.code(),
            success_url: &order.success_url.replace(SESSION, &drawn),
            cancel_url: &order.cancel_url,
            at: self.clock.now(),
            ends_at: order.ends_at,
        };
        let mut owner = self.db.begin().await?;
        let id = test_checkout::open(&mut owner, &new).await?;
        owner.commit().await?;
        let url = format!("{}/payments/test/{id}", self.site_url);
        Ok(Session { id, url })
    }

    /// Opens what is read to the work, and keeps what it changed.
    async fn with<T>(
        &self,
        session: &str,
        ends: bool,
        tell: impl FnOnce(&TestCheckout, Stand) -> T,
    ) -> Result<Option<T>, PgError> {
        let mut owner = self.db.begin().await?;
        let Some(checkout) = test_checkout::read(&mut owner, session).await? else {
            return Ok(None);
        };
        let mut stand = checkout.stand(self.clock.now());
        if ends && stand == Stand::Open {
            stand = Stand::Expired;
        }
        // What time has decided is noted, so that it stays so.
        let status = match stand {
            Stand::Open | Stand::Arriving => None,
            Stand::Paid => Some("paid"),
            Stand::Failed => Some("failed"),
            Stand::Expired => Some("expired"),
        };
        if let Some(status) = status.filter(|status| *status != checkout.status) {
            test_checkout::set(&mut owner, session, status, checkout.arrives_at).await?;
        }
        owner.commit().await?;
        Ok(Some(tell(&checkout, stand)))
    }
}

impl Provider for Test {
    fn name(&self) -> &'static str {
        "test"
    }

    fn open<'a>(&'a self, order: &'a Order) -> BoxFuture<'a, Result<Session, Fault>> {
        Box::pin(async move { self.opened(order).await.map_err(busy) })
    }

    fn look<'a>(&'a self, session: &'a str) -> BoxFuture<'a, Result<SessionStatus, Fault>> {
        Box::pin(async move {
            let standing = self.with(session, false, standing).await.map_err(busy)?;
            // Of a session that went with its payment nobody can have paid anything.
            Ok(standing.unwrap_or(SessionStatus::Expired))
        })
    }

    fn expire<'a>(&'a self, session: &'a str) -> BoxFuture<'a, Result<(), Fault>> {
        Box::pin(async move { self.with(session, true, |_, _| ()).await.map(drop).map_err(busy) })
    }

    fn refund<'a>(&'a self, refund: &'a Refund) -> BoxFuture<'a, Result<(), Fault>> {
        Box::pin(async move {
            let mut owner = self.db.begin().await.map_err(busy)?;
            let given = test_checkout::refund(&mut owner, refund.payment, refund.cents).await;
            let given = given.map_err(busy)?;
            owner.commit().await.map_err(busy)?;
            let refused = || Fault::Refused("there is no such charge".to_owned());
            given.then_some(()).ok_or_else(refused)
        })
    }
}

fn standing(checkout: &TestCheckout, stand: Stand) -> SessionStatus {
    match stand {
        Stand::Open | Stand::Arriving => SessionStatus::Open,
        Stand::Paid => SessionStatus::Paid(Money {
            amount_cents: checkout.amount_cents,
            currency: checkout.currency.clone(),
            charge: Some(format!("pi_{}", checkout.session_id)),
        }),
        Stand::Failed => SessionStatus::Failed,
        Stand::Expired => SessionStatus::Expired,
    }
}

/// Its rows are the site's own database, which may be away.
fn busy(error: PgError) -> Fault {
    Fault::Busy(error.to_string())
}
