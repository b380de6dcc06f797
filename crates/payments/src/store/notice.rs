//! What payers still have to be told.

use compat_pg::{Owner, PgError};

use crate::model::notice::Notice;

/// Takes so many; they are gone with the transaction.
pub(crate) async fn take(owner: &mut Owner, rows: i32) -> Result<Vec<Notice>, PgError> {
    let notices = sqlx::query_as(
        "select kind, email, language, server_name, spot_position, start_date, end_date,
           days, amount_cents, currency, refund_reason, receipt_number
         from public.take_payment_notices($1)",
    )
    .bind(rows)
    .fetch_all(&mut **owner)
    .await?;
    Ok(notices)
}

/// The site's name.
pub(crate) async fn site_name(owner: &mut Owner) -> Result<String, PgError> {
    let name = sqlx::query_scalar("select public.setting_text('site_name', 'Palmarès')")
        .fetch_one(&mut **owner)
        .await?;
    Ok(name)
}
