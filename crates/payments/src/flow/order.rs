//! Somebody orders: a payment is opened in their name, and then a page where it is paid.
//!
//! The payment comes first and survives us: whatever is lost on the way, the same order goes on with
//! it, and a session that was never noted is known by the payment it carries.

use std::time::Duration;

use compat_pg::PgError;
use uuid::Uuid;

use crate::buyer::Buyer;
use crate::model::order::{ArcadeOrderRequest, PaymentDetails, PrestigeOrderRequest};
use crate::pictures::is_elsewhere;
use crate::provider::{CheckoutRequest, Provider, SESSION};
use crate::store::{arcade_spot, order};
use crate::{Refusal, State};

/// How much longer than the payment its session may last by itself. We end it when the payment's
/// time is over; a provider takes no session that ends within half an hour, and an order may go on
/// until shortly before its end.
const SESSION_OUTLASTS: Duration = Duration::from_secs(30 * 60);

/// Where to pay, and what.
#[derive(Debug)]
pub(crate) struct PaymentPage {
    pub payment: Uuid,
    pub url: String,
}

/// Promoted days.
///
/// # Errors
/// When they may not be bought, or the provider does not open a page.
#[tracing::instrument(name = "payments.order_prestige", skip_all, fields(server = %request.server))]
pub(crate) async fn order_prestige(
    state: &State,
    buyer: &Buyer<'_>,
    request: &PrestigeOrderRequest,
) -> Result<PaymentPage, Refusal> {
    let provider = state.provider()?;
    state.count(|limits| &limits.orders, buyer.client)?;
    let payment = order::open_prestige(buyer, request).await.map_err(Refusal::of_order)?;
    payment_page(state, provider, payment).await
}

/// A tile, whose days are held meanwhile. A picture that stands elsewhere is copied first, so that
/// nobody pays for one that nobody will see.
///
/// # Errors
/// When it may not be booked, or the provider does not open a page.
#[tracing::instrument(name = "payments.order_arcade", skip_all, fields(position = request.position))]
pub(crate) async fn order_arcade(
    state: &State,
    buyer: &Buyer<'_>,
    request: &mut ArcadeOrderRequest,
) -> Result<PaymentPage, Refusal> {
    let provider = state.provider()?;
    state.count(|limits| &limits.orders, buyer.client)?;
    if is_elsewhere(&request.image_url) {
        let account = buyer.caller.claims().and_then(|claims| claims.sub());
        let account = account.ok_or(Refusal::Unauthenticated)?;
        let copied = state.copier().copy(&request.image_url, account).await;
        request.image_url = copied.map_err(Refusal::PictureRejected)?;
    }
    let request = &*request;
    let payment = match open_arcade(buyer, request).await {
        // An exclusion constraint: two stretches of days on one tile overlap.
        Err(error) if error.code() == Some("23P01") => {
            let mut owner = state.pools().calls.begin().await?;
            let taken = arcade_spot::days_taken(&mut owner, request.position).await?;
            owner.commit().await?;
            return Err(Refusal::DaysTaken { taken });
        }
        opened => opened.map_err(Refusal::of_order)?,
    };
    payment_page(state, provider, payment).await
}

async fn open_arcade(buyer: &Buyer<'_>, request: &ArcadeOrderRequest) -> Result<Uuid, PgError> {
    crate::retry::retry_on_conflict(|| order::open_arcade(buyer, request)).await
}

/// Gives a payment the page where it is paid, or finds the one it has.
async fn payment_page(
    state: &State,
    provider: &dyn Provider,
    payment: Uuid,
) -> Result<PaymentPage, Refusal> {
    let db = &state.pools().calls;
    let mut owner = db.begin().await?;
    let details = order::read(&mut owner, payment).await?;
    owner.commit().await?;
    let is_ours = details.provider.as_deref() == Some(provider.name());
    if let Some(url) = details.session_url.clone().filter(|_| is_ours) {
        return Ok(PaymentPage { payment, url });
    }
    let session = provider.open(&checkout_request(state, &details)).await?;
    let mut owner = db.begin().await?;
    let link = order::link_session(&mut owner, payment, provider.name(), &session.id, &session.url)
        .await?;
    owner.commit().await?;
    if link.session_id.as_deref() != Some(&session.id) {
        // Nobody was given its address, so nobody can have paid there.
        if let Err(error) = provider.expire(&session.id).await {
            tracing::info!(%error, "unused session not expired: provider error");
        }
    }
    // The time was over before the provider answered: the next order is a new one.
    let url = link.session_url.ok_or(Refusal::ProviderBusy)?;
    Ok(PaymentPage { payment, url })
}

fn checkout_request(state: &State, details: &PaymentDetails) -> CheckoutRequest {
    let site_url = &*state.environment().public_url;
    CheckoutRequest {
        payment: details.id,
        description: details.description(),
        amount_cents: details.amount_cents,
        currency: details.currency.clone(),
        language: details.language(),
        email: details.email.clone(),
        success_url: format!("{site_url}{}", details.success_path(SESSION)),
        cancel_url: format!("{site_url}{}", details.cancel_path()),
        ends_at: details.expires_at + SESSION_OUTLASTS,
    }
}
