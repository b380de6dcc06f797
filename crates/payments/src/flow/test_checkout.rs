//! The checkout page that takes no money: shows a session, and applies the outcome that a person
//! chooses.

use std::time::Duration;

use chrono::{DateTime, Utc};
use compat_pg::PgError;

use crate::flow::check_status::may_be_session;
use crate::flow::settle::settle;
use crate::model::test_checkout::{Choice, TestCheckout, TestCheckoutStatus};
use crate::store::test_checkout;
use crate::{Refusal, State};

/// How long delayed money takes to arrive.
const ARRIVES_AFTER: Duration = Duration::from_secs(20);

/// A session and its current status.
pub(crate) struct CheckoutView {
    pub checkout: TestCheckout,
    pub status: TestCheckoutStatus,
}

/// Loads a session for the page.
///
/// # Errors
/// When the session does not exist, or the database fails.
pub(crate) async fn show(state: &State, session: &str) -> Result<CheckoutView, Refusal> {
    if !may_be_session(session) {
        return Err(Refusal::PaymentNotFound);
    }
    let mut owner = state.pools().calls.begin().await?;
    let checkout = test_checkout::read(&mut owner, session).await?;
    owner.commit().await?;
    let checkout = checkout.ok_or(Refusal::PaymentNotFound)?;
    let status = checkout.status_at(state.environment().clock.now());
    Ok(CheckoutView { checkout, status })
}

/// Applies the choice if the session is still open; returns the address to which the payer is
/// redirected.
///
/// # Errors
/// When the session does not exist, or the database fails.
#[tracing::instrument(name = "payments.choose_test_outcome", skip_all, fields(choice = choice.as_str()))]
pub(crate) async fn choose(
    state: &State,
    session: &str,
    choice: Choice,
) -> Result<String, Refusal> {
    if !may_be_session(session) {
        return Err(Refusal::PaymentNotFound);
    }
    let now = state.environment().clock.now();
    let checkout =
        record_choice(state, session, choice, now).await?.ok_or(Refusal::PaymentNotFound)?;
    if choice == Choice::GiveUp && checkout.status_at(now) == TestCheckoutStatus::Open {
        return Ok(checkout.cancel_url);
    }
    // The payment is settled at once, as a provider's webhook event would do.
    let session_status = state.provider()?.status(session).await?;
    settle(&state.pools().calls, Some(session), Some(checkout.payment_id), &session_status).await?;
    Ok(checkout.success_url)
}

/// Records the choice; returns the session as it was before.
async fn record_choice(
    state: &State,
    session: &str,
    choice: Choice,
    now: DateTime<Utc>,
) -> Result<Option<TestCheckout>, PgError> {
    let mut owner = state.pools().calls.begin().await?;
    let checkout = test_checkout::read(&mut owner, session).await?;
    if let Some(TestCheckoutStatus::Open) =
        checkout.as_ref().map(|checkout| checkout.status_at(now))
    {
        match choice {
            Choice::Pay => test_checkout::set(&mut owner, session, "paid", None).await?,
            Choice::Fail => test_checkout::set(&mut owner, session, "failed", None).await?,
            Choice::PayLater => {
                let arrives = Some(now + ARRIVES_AFTER);
                test_checkout::set(&mut owner, session, "open", arrives).await?;
            }
            Choice::GiveUp => {}
        }
    }
    owner.commit().await?;
    Ok(checkout)
}
