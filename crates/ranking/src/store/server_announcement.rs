//! `public.server_announcements`, through the procedure that claims an announcement.

use compat_pg::{Owner, PgError};
use uuid::Uuid;

use crate::model::announcement::Announcement;

/// Claims the only announcement of a new public server of this owner; `None` when it was claimed
/// before.
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
