//! The facts of a widget, read only from what visitors may see.

use compat_pg::{Owner, PgError};
use uuid::Uuid;

use crate::WidgetFacts;

/// The figures of a public server; its name is unchanged from the database.
pub(crate) async fn find(owner: &mut Owner, server: Uuid) -> Result<Option<WidgetFacts>, PgError> {
    let facts = sqlx::query_as(
        "select
           servers_public.slug,
           servers_public.name,
           games.name as game_name,
           servers_public.logo_image_url as logo_url,
           servers_public.monthly_votes,
           servers_public.game_rank,
           servers_public.is_online,
           servers_public.online_players,
           servers_public.max_players,
           servers_public.status_checked_at
         from public.servers_public
         join public.games on games.id = servers_public.game_id
         where servers_public.id = $1",
    )
    .bind(server)
    .fetch_optional(&mut **owner)
    .await?;
    Ok(facts)
}
