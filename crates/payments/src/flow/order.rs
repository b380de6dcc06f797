//! A buyer orders: a payment is opened in their name, and then a page on which it is paid.
//!
//! The payment is stored first and survives a crash. If an answer is lost, a repeated order
//! continues with the same payment, and a session that was not stored is found by the payment's id
//! in it.

use std::time::Duration;

use compat_pg::PgError;
use uuid::Uuid;

use crate::buyer::Buyer;
use crate::model::order::{ArcadeOrderRequest, PaymentDetails, PrestigeOrderRequest};
use crate::pictures::is_external;
use crate::provider::{CheckoutRequest, Provider, SESSION};
use crate::store::{arcade_spot, order};
use crate::{Refusal, State};

/// How much longer than its payment a session may last. We end the session when the payment
/// expires, so this is only a fallback; providers refuse a session that ends within half an hour,
/// and an order may be continued until shortly before the payment expires.
const SESSION_OUTLASTS: Duration = Duration::from_secs(30 * 60);

/// A payment, and the address of the page on which it is paid.
#[derive(Debug)]
pub(crate) struct PaymentPage {
    pub payment: Uuid,
    pub url: String,
}

/// Orders days of Prestige for a server.
///
/// # Errors
/// When the order is refused, or the provider does not open a page.
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

/// Orders an Arcade spot, whose days are reserved until the payment ends. A picture on another site
/// is copied first, so that nobody pays for a spot whose picture cannot be shown.
///
/// # Errors
/// When the order is refused, or the provider does not open a page.
#[tracing::instrument(name = "payments.order_arcade", skip_all, fields(position = request.position))]
pub(crate) async fn order_arcade(
    state: &State,
    buyer: &Buyer<'_>,
    request: &mut ArcadeOrderRequest,
) -> Result<PaymentPage, Refusal> {
    let provider = state.provider()?;
    state.count(|limits| &limits.orders, buyer.client)?;
    if is_external(&request.image_url) {
        let account = buyer.caller.claims().and_then(|claims| claims.sub());
        let account = account.ok_or(Refusal::Unauthenticated)?;
        let copied = state.copier().copy(&request.image_url, account).await;
        request.image_url = copied.map_err(Refusal::PictureRejected)?;
    }
    let request = &*request;
    let payment = match open_arcade(buyer, request).await {
        // `exclusion_violation`: the days overlap with another booking of the spot.
        Err(error) if error.code() == Some("23P01") => {
            let mut owner = state.pools().calls.begin().await?;
            let days = arcade_spot::days_taken(&mut owner, request.position).await?;
            owner.commit().await?;
            return Err(Refusal::DaysTaken { taken: days });
        }
        opened => opened.map_err(Refusal::of_order)?,
    };
    payment_page(state, provider, payment).await
}

async fn open_arcade(buyer: &Buyer<'_>, request: &ArcadeOrderRequest) -> Result<Uuid, PgError> {
    crate::retry::retry_on_conflict(|| order::open_arcade(buyer, request)).await
}

/// Returns the page of a payment; opens a session if the payment has none.
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
        // The payment has another session. This one's address was given to nobody, so it cannot
        // have been paid.
        if let Err(error) = provider.expire(&session.id).await {
            tracing::info!(%error, "unused session not expired: provider error");
        }
    }
    // The payment expired before the provider answered. The next order opens a new payment.
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
