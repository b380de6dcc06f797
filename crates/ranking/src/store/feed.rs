//! The newest public servers, read along the indexes by age. Texts are unchanged from the database.

use compat_pg::{Owner, PgError};

use crate::model::feed::{FeedGame, NewServer};

/// A game that has a page.
pub(crate) async fn game(owner: &mut Owner, slug: &str) -> Result<Option<FeedGame>, PgError> {
    let game = sqlx::query_as(
        "select name, slug, page_slug
         from public.games
         where is_active and slug = $1",
    )
    .bind(slug)
    .fetch_optional(&mut **owner)
    .await?;
    Ok(game)
}

/// The newest servers of all games.
pub(crate) async fn newest(owner: &mut Owner, limit: i64) -> Result<Vec<NewServer>, PgError> {
    let servers = sqlx::query_as(
        "select
           servers_public.id,
           servers_public.slug,
           servers_public.name,
           servers_public.description,
           servers_public.language,
           games.name as game_name,
           games.slug as game_slug,
           servers_public.created_at,
           servers_public.updated_at
         from public.servers_public
         join public.games on games.id = servers_public.game_id
         order by servers_public.created_at desc, servers_public.id
         limit $1",
    )
    .bind(limit)
    .fetch_all(&mut **owner)
    .await?;
    Ok(servers)
}

/// The newest servers of one game.
pub(crate) async fn newest_of(
    owner: &mut Owner,
    game: &str,
    limit: i64,
) -> Result<Vec<NewServer>, PgError> {
    let servers = sqlx::query_as(
        "select
           servers_public.id,
           servers_public.slug,
           servers_public.name,
           servers_public.description,
           servers_public.language,
           games.name as game_name,
           games.slug as game_slug,
           servers_public.created_at,
           servers_public.updated_at
         from public.servers_public
         join public.games on games.id = servers_public.game_id
         where servers_public.game_slug = $1
         order by servers_public.created_at desc, servers_public.id
         limit $2",
    )
    .bind(game)
    .bind(limit)
    .fetch_all(&mut **owner)
    .await?;
    Ok(servers)
}
