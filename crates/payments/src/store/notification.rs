//! The content of emails to payers.

use compat_pg::{Owner, PgError};

use crate::model::notification::{Notification, Payload};

/// Loads the content of an email; `None` where the payment or its payer's account was deleted.
pub(crate) async fn load(
    owner: &mut Owner,
    payload: &Payload,
) -> Result<Option<Notification>, PgError> {
    // These are the days that were ordered. A withdrawal from the contract does not change them,
    // nor does any later change of the spot.
    let notification = sqlx::query_as(
        "select
           $2::text as kind, u.email, p.language, s.name as server_name, a.position as spot_position,
           a.start_date, a.start_date + p.days - 1 as end_date, p.days, $3::integer as amount_cents,
           p.currency, $4::text as refund_reason, $5::bigint as receipt_number
         from public.payments as p
         inner join public.profiles as u on u.id = p.user_id
         left join public.servers as s on s.id = p.server_id
         left join public.arcade_spots as a on a.id = p.spot_id
         where p.id = $1 and u.email <> ''",
    )
    .bind(payload.subject_id)
    .bind(&payload.kind)
    .bind(payload.amount_cents)
    .bind(&payload.refund_reason)
    .bind(payload.receipt_number)
    .fetch_optional(&mut **owner)
    .await?;
    Ok(notification)
}

/// The site's name.
pub(crate) async fn site_name(owner: &mut Owner) -> Result<String, PgError> {
    let name = sqlx::query_scalar("select public.setting_text('site_name', 'Palmarès')")
        .fetch_one(&mut **owner)
        .await?;
    Ok(name)
}
