//! The readers of the weekly email.

use compat_pg::{Owner, PgError};
use uuid::Uuid;

/// An owner who has subscribed to the weekly email, with their address.
#[derive(Debug, sqlx_macros::FromRow)]
pub(crate) struct Reader {
    pub email: String,
    pub language: String,
    pub site_name: String,
}

/// The reader with this account; `None` when they have not subscribed.
pub(crate) async fn reader(owner: &mut Owner, account: Uuid) -> Result<Option<Reader>, PgError> {
    let reader = sqlx::query_as(
        "select
           u.email::text as email, coalesce(p.language, 'fr') as language,
           public.setting_text('site_name', 'Palmarès') as site_name
         from public.profiles as p
         inner join auth.users as u on u.id = p.id
         where
           p.id = $1 and p.weekly_mail and not p.is_banned
           and u.email is not null and u.email_confirmed_at is not null",
    )
    .bind(account)
    .fetch_optional(&mut **owner)
    .await?;
    Ok(reader)
}

/// Sets whether an account wants the weekly mail; returns whether the account exists.
pub(crate) async fn set_wanted(
    owner: &mut Owner,
    account: Uuid,
    wanted: bool,
) -> Result<bool, PgError> {
    let owner_exists = sqlx::query_scalar("select public.set_weekly_mail($1, $2)")
        .bind(account)
        .bind(wanted)
        .fetch_one(&mut **owner)
        .await?;
    Ok(owner_exists)
}
