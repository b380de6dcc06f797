//! A checkout page of our own that takes no money. Its sessions are rows, and everyone who knows
//! the address of a session may choose its outcome (`wire/test_checkout.rs`). It is refused in
//! production.

use std::sync::Arc;

use compat_functions::BoxFuture;
use compat_http::{Clock, Entropy};
use compat_pg::{OwnerDb, PgError};

use super::{CheckoutRequest, Provider, ProviderError, RefundRequest, SESSION, Session};
use crate::model::payment::Money;
use crate::model::session_status::SessionStatus;
use crate::model::test_checkout::{TestCheckout, TestCheckoutStatus};
use crate::store::test_checkout::{self, NewTestCheckout};

/// The provider whose sessions are rows of `test_checkouts`.
pub(crate) struct TestProvider {
    pub db: OwnerDb,
    pub clock: Clock,
    pub entropy: Entropy,
    /// The site's address, without the last slash.
    pub site_url: Arc<str>,
}

/// The length of the random part of a session id, which must be impossible to guess.
const SESSION_LENGTH: usize = 32;

impl TestProvider {
    async fn create_session(&self, order: &CheckoutRequest) -> Result<Session, PgError> {
        let new_id = format!("cs_test_{}", self.entropy.alphanumeric_lower(SESSION_LENGTH));
        let new = NewTestCheckout {
            session: &new_id,
            payment: order.payment,
            amount_cents: order.amount_cents,
            currency: &order.currency,
            description: &order.description,
            language: order.language.code(),
            success_url: &order.success_url.replace(SESSION, &new_id),
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

    /// Locks a session, updates its status, and returns what `view` makes of it. `None` if there is
    /// no such session.
    async fn with_checkout<T>(
        &self,
        session: &str,
        expires: bool,
        view: impl FnOnce(&TestCheckout, TestCheckoutStatus) -> T,
    ) -> Result<Option<T>, PgError> {
        let mut owner = self.db.begin().await?;
        let Some(checkout) = test_checkout::read(&mut owner, session).await? else {
            return Ok(None);
        };
        let mut status = checkout.status_at(self.clock.now());
        if expires && status == TestCheckoutStatus::Open {
            status = TestCheckoutStatus::Expired;
        }
        // A status that time has decided is stored, so that it is final.
        let stored = match status {
            TestCheckoutStatus::Open | TestCheckoutStatus::Arriving => None,
            TestCheckoutStatus::Paid => Some("paid"),
            TestCheckoutStatus::Failed => Some("failed"),
            TestCheckoutStatus::Expired => Some("expired"),
        };
        if let Some(stored) = stored.filter(|stored| *stored != checkout.status) {
            test_checkout::set(&mut owner, session, stored, checkout.arrives_at).await?;
        }
        owner.commit().await?;
        Ok(Some(view(&checkout, status)))
    }
}

impl Provider for TestProvider {
    fn name(&self) -> &'static str {
        "test"
    }

    fn open<'a>(
        &'a self,
        order: &'a CheckoutRequest,
    ) -> BoxFuture<'a, Result<Session, ProviderError>> {
        Box::pin(async move { self.create_session(order).await.map_err(unavailable) })
    }

    fn status<'a>(
        &'a self,
        session: &'a str,
    ) -> BoxFuture<'a, Result<SessionStatus, ProviderError>> {
        Box::pin(async move {
            let status =
                self.with_checkout(session, false, session_status).await.map_err(unavailable)?;
            // The session was deleted together with its payment, so nothing can have been paid.
            Ok(status.unwrap_or(SessionStatus::Expired))
        })
    }

    fn expire<'a>(&'a self, session: &'a str) -> BoxFuture<'a, Result<(), ProviderError>> {
        Box::pin(async move {
            self.with_checkout(session, true, |_, _| ()).await.map(drop).map_err(unavailable)
        })
    }

    fn refund<'a>(&'a self, refund: &'a RefundRequest) -> BoxFuture<'a, Result<(), ProviderError>> {
        Box::pin(async move {
            let mut owner = self.db.begin().await.map_err(unavailable)?;
            let is_refunded = test_checkout::refund(&mut owner, refund.payment, refund.cents).await;
            let is_refunded = is_refunded.map_err(unavailable)?;
            owner.commit().await.map_err(unavailable)?;
            let refusal = || ProviderError::Refused("no such charge".to_owned());
            is_refunded.then_some(()).ok_or_else(refusal)
        })
    }
}

fn session_status(checkout: &TestCheckout, status: TestCheckoutStatus) -> SessionStatus {
    match status {
        TestCheckoutStatus::Open | TestCheckoutStatus::Arriving => SessionStatus::Open,
        TestCheckoutStatus::Paid => SessionStatus::Paid(Money {
            amount_cents: checkout.amount_cents,
            currency: checkout.currency.clone(),
            charge: Some(format!("pi_{}", checkout.session_id)),
        }),
        TestCheckoutStatus::Failed => SessionStatus::Failed,
        TestCheckoutStatus::Expired => SessionStatus::Expired,
    }
}

/// The sessions are in the site's own database, so its errors mean that the provider is
/// unavailable.
fn unavailable(error: PgError) -> ProviderError {
    ProviderError::Unavailable(error.to_string())
}
