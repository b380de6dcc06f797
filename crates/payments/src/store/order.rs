//! Orders: opens a payment in the buyer's name, and links it to a provider's session.

use compat_pg::{Owner, PgError};
use serde::de::DeserializeOwned;
use uuid::Uuid;

use crate::buyer::Buyer;
use crate::model::order::{ArcadeOrderRequest, PaymentDetails, PrestigeOrderRequest, SessionLink};

const OPEN_PRESTIGE: &str = "select to_json(id)::text
    from public.open_prestige_payment($1::uuid, $2::integer, $3::text, $4::boolean)";

const OPEN_ARCADE: &str = "select to_json(id)::text from public.open_arcade_payment(
    $1::integer, $2::date, $3::date, $4::text, $5::text, $6::uuid, $7::text, $8::boolean)";

/// Opens a payment for days of Prestige, or finds the open one.
pub(crate) async fn open_prestige(
    buyer: &Buyer<'_>,
    request: &PrestigeOrderRequest,
) -> Result<Uuid, PgError> {
    let (server, days) = (request.server.to_string(), request.days.to_string());
    let params = [
        Some(&*server),
        Some(&*days),
        Some(request.language.code()),
        Some(bool_text(request.begins_at_once)),
    ];
    required(call(buyer, OPEN_PRESTIGE, &params).await?)
}

/// Opens a payment for an Arcade spot, or finds the open one.
pub(crate) async fn open_arcade(
    buyer: &Buyer<'_>,
    request: &ArcadeOrderRequest,
) -> Result<Uuid, PgError> {
    let (position, server) =
        (request.position.to_string(), request.server.map(|id| id.to_string()));
    let (starts, ends) = (request.starts.to_string(), request.ends.to_string());
    let params = [
        Some(&*position),
        Some(&*starts),
        Some(&*ends),
        Some(&*request.image_url),
        request.website_url.as_deref(),
        server.as_deref(),
        Some(request.language.code()),
        Some(bool_text(request.begins_at_once)),
    ];
    required(call(buyer, OPEN_ARCADE, &params).await?)
}

fn bool_text(value: bool) -> &'static str {
    if value { "true" } else { "false" }
}

fn required<T>(row: Option<T>) -> Result<T, PgError> {
    row.ok_or_else(|| PgError::Protocol("procedure returned no row".into()))
}

async fn call<T: DeserializeOwned>(
    buyer: &Buyer<'_>,
    sql: &str,
    params: &[Option<&str>],
) -> Result<Option<T>, PgError> {
    buyer.run(sql, params).await
}

/// Reads all that a provider needs to know of a payment.
pub(crate) async fn read(owner: &mut Owner, payment: Uuid) -> Result<PaymentDetails, PgError> {
    let details = sqlx::query_as(
        "select p.id, p.kind, p.server_id, p.days, p.amount_cents, p.currency, p.language,
           p.provider, p.session_url, p.expires_at, coalesce(u.email, '') as email,
           s.name as server_name, a.position as spot_position, a.start_date,
           a.start_date + p.days - 1 as end_date
         from public.payments as p
         left join public.profiles as u on u.id = p.user_id
         left join public.servers as s on s.id = p.server_id
         left join public.arcade_spots as a on a.id = p.spot_id
         where p.id = $1",
    )
    .bind(payment)
    .fetch_one(&mut **owner)
    .await?;
    Ok(details)
}

/// Links a payment to a session unless it has one already; returns its session afterwards.
pub(crate) async fn link_session(
    owner: &mut Owner,
    payment: Uuid,
    provider: &str,
    session: &str,
    url: &str,
) -> Result<SessionLink, PgError> {
    let link = sqlx::query_as(
        "select session_id, session_url from public.set_payment_session($1, $2, $3, $4)",
    )
    .bind(payment)
    .bind(provider)
    .bind(session)
    .bind(url)
    .fetch_one(&mut **owner)
    .await?;
    Ok(link)
}
