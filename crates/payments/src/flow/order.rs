//! Somebody orders: a payment is opened in their name, and then a page where it is paid.
//!
//! The payment comes first and survives us: whatever is lost on the way, the same order goes on with
//! it, and a session that was never noted is known by the payment it carries.

use std::time::Duration;

use compat_pg::PgError;
use uuid::Uuid;

use crate::buyer::Buyer;
use crate::model::order::{ArcadeWish, Ordered, PrestigeWish};
use crate::pictures::is_elsewhere;
use crate::provider::{Order, Provider, SESSION};
use crate::store::{arcade_spot, order};
use crate::{Refusal, State};

/// How much longer than the payment its session may last by itself. We end it when the payment's
/// time is over; a provider takes no session that ends within half an hour, and an order may go on
/// until shortly before its end.
const SESSION_OUTLASTS: Duration = Duration::from_secs(30 * 60);

/// Where to pay, and what.
#[derive(Debug)]
pub(crate) struct Opened {
    pub payment: Uuid,
    pub url: String,
}

/// Promoted days.
///
/// # Errors
/// When they may not be bought, or the provider does not open a page.
#[tracing::instrument(name = "payments.order_prestige", skip_all, fields(server = %wish.server))]
pub(crate) async fn order_prestige(
    state: &State,
    buyer: &Buyer<'_>,
    wish: &PrestigeWish,
) -> Result<Opened, Refusal> {
    let provider = state.provider()?;
    state.count(|limits| &limits.orders, buyer.client)?;
    let payment = order::open_prestige(buyer, wish).await.map_err(Refusal::of_order)?;
    hand_over(state, provider, payment).await
}

/// A tile, whose days are held meanwhile. A picture that stands elsewhere is copied first, so that
/// nobody pays for one that nobody will see.
///
/// # Errors
/// When it may not be booked, or the provider does not open a page.
#[tracing::instrument(name = "payments.order_arcade", skip_all, fields(position = wish.position))]
pub(crate) async fn order_arcade(
    state: &State,
    buyer: &Buyer<'_>,
    wish: &mut ArcadeWish,
) -> Result<Opened, Refusal> {
    let provider = state.provider()?;
    state.count(|limits| &limits.orders, buyer.client)?;
    if is_elsewhere(&wish.image_url) {
        let account = buyer.caller.claims().and_then(|claims| claims.sub());
        let account = account.ok_or(Refusal::SignedOut)?;
        let copied = state.copier().copy(&wish.image_url, account).await;
        wish.image_url = copied.map_err(Refusal::NoPicture)?;
    }
    let wish = &*wish;
    let payment = match opened_arcade(buyer, wish).await {
        // An exclusion constraint: two stretches of days on one tile overlap.
        Err(error) if error.code() == Some("23P01") => {
            let mut owner = state.pools().calls.begin().await?;
            let taken = arcade_spot::days_taken(&mut owner, wish.position).await?;
            owner.commit().await?;
            return Err(Refusal::DaysTaken { taken });
        }
        opened => opened.map_err(Refusal::of_order)?,
    };
    hand_over(state, provider, payment).await
}

async fn opened_arcade(buyer: &Buyer<'_>, wish: &ArcadeWish) -> Result<Uuid, PgError> {
    crate::again::again(|| order::open_arcade(buyer, wish)).await
}

/// Gives a payment the page where it is paid, or finds the one it has.
async fn hand_over(
    state: &State,
    provider: &dyn Provider,
    payment: Uuid,
) -> Result<Opened, Refusal> {
    let db = &state.pools().calls;
    let mut owner = db.begin().await?;
    let ordered = order::read(&mut owner, payment).await?;
    owner.commit().await?;
    let is_ours = ordered.provider.as_deref() == Some(provider.name());
    if let Some(url) = ordered.session_url.clone().filter(|_| is_ours) {
        return Ok(Opened { payment, url });
    }
    let session = provider.open(&order_of(state, &ordered)).await?;
    let mut owner = db.begin().await?;
    let tied = order::tie(&mut owner, payment, provider.name(), &session.id, &session.url).await?;
    owner.commit().await?;
    if tied.session_id.as_deref() != Some(&session.id) {
        // Nobody was given its address, so nobody can have paid there.
        if let Err(fault) = provider.expire(&session.id).await {
            tracing::info!(%fault, "a session nobody has is left to its end");
        }
    }
    // The time was over before the provider answered: the next order is a new one.
    let url = tied.session_url.ok_or(Refusal::ProviderBusy)?;
    Ok(Opened { payment, url })
}

fn order_of(state: &State, ordered: &Ordered) -> Order {
    let site_url = &*state.environment().public_url;
    Order {
        payment: ordered.id,
        description: ordered.description(),
        amount_cents: ordered.amount_cents,
        currency: ordered.currency.clone(),
        language: ordered.language(),
        email: ordered.email.clone(),
        success_url: format!("{site_url}{}", ordered.success_path(SESSION)),
        cancel_url: format!("{site_url}{}", ordered.cancel_path()),
        ends_at: ordered.expires_at + SESSION_OUTLASTS,
    }
}
