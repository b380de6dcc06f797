//! `public.server_announcements`, through the procedure that takes one.

use compat_pg::{Owner, PgError};
use uuid::Uuid;

use crate::model::announcement::Announcement;

/// The one announcement a new public server of this owner's has; none once it was taken.
pub(crate) async fn take(
    owner: &mut Owner,
    server: Uuid,
    server_owner: Uuid,
) -> Result<Option<Announcement>, PgError> {
    let announcement = sqlx::query_as(
        "select
           $1::uuid as id,
           name,
           description,
           game_name,
           logo_image_url
         from public.claim_server_announcement($1, $2)",
    )
    .bind(server)
    .bind(server_owner)
    .fetch_optional(&mut **owner)
    .await?;
    Ok(announcement)
}
