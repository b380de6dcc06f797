//! Somebody on the checkout page that takes no money says what becomes of it.

use std::time::Duration;

use chrono::{DateTime, Utc};
use compat_pg::PgError;

use crate::flow::check_status::may_be_session;
use crate::flow::settle::settle;
use crate::model::test_checkout::{Choice, TestCheckout, TestCheckoutStatus};
use crate::store::test_checkout;
use crate::{Refusal, State};

/// How long money that takes its time is on its way.
const ARRIVES_AFTER: Duration = Duration::from_secs(20);

/// A session and how it stands now.
pub(crate) struct CheckoutView {
    pub checkout: TestCheckout,
    pub status: TestCheckoutStatus,
}

/// A session, for the page.
///
/// # Errors
/// When there is none, or the database cannot be asked.
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

/// Does what was chosen, if something still may be; where to go on.
///
/// # Errors
/// When there is no such session, or the database cannot be asked.
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
    // As a provider's notice would, at once.
    let session_status = state.provider()?.status(session).await?;
    settle(&state.pools().calls, Some(session), Some(checkout.payment_id), &session_status).await?;
    Ok(checkout.success_url)
}

/// The session as it was before.
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
