//! What public pages are about. Everything is read from what visitors may read themselves: the
//! view of public servers, the games, the settings.

use chrono::{DateTime, Utc};
use compat_pg::{Owner, PgError};

use crate::{GameFacts, GameQuery, ServerFacts, ServerQuery};

/// A public server, its name and description as they are stored.
pub(crate) async fn server(
    owner: &mut Owner,
    query: ServerQuery<'_>,
) -> Result<Option<ServerFacts>, PgError> {
    let (id, slug) = match query {
        ServerQuery::Id(id) => (Some(id), None),
        ServerQuery::Slug(slug) => (None, Some(slug)),
    };
    let row = sqlx::query_as(
        "select
           servers_public.id,
           servers_public.slug,
           servers_public.name,
           servers_public.description,
           servers_public.language,
           games.name as game_name,
           games.page_slug as game_slug,
           servers_public.logo_image_url as logo_url,
           servers_public.banner_image_url as banner_url,
           servers_public.total_votes,
           servers_public.monthly_votes,
           servers_public.online_players,
           servers_public.max_players,
           servers_public.is_online,
           servers_public.review_count,
           servers_public.rating_average::float8 as rating_average,
           servers_public.updated_at
         from public.servers_public
         join public.games on games.id = servers_public.game_id
         where servers_public.id = $1 or servers_public.slug = $2",
    )
    .bind(id)
    .bind(slug)
    .fetch_optional(&mut **owner)
    .await?;
    Ok(row)
}

/// The game that gives a page its name. A page that several games share is named after the one
/// whose own slug it is.
pub(crate) async fn game(
    owner: &mut Owner,
    query: GameQuery<'_>,
) -> Result<Option<GameFacts>, PgError> {
    let (slug, shortcut) = match query {
        GameQuery::Slug(slug) => (Some(slug), None),
        GameQuery::Shortcut(word) => (None, Some(word)),
    };
    let row = sqlx::query_as(
        "select
           games.name,
           games.page_slug as slug,
           games.logo_url,
           games.backdrop_url,
           (
             select count(*)
             from public.servers_public
             join public.games as shown on shown.id = servers_public.game_id
             where shown.is_active and (shown.page_slug = $1 or shown.shortcut = $2)
           ) as server_count
         from public.games
         where games.is_active and (games.page_slug = $1 or games.shortcut = $2)
         order by games.slug = games.page_slug desc, games.sort_order, games.name
         limit 1",
    )
    .bind(slug)
    .bind(shortcut)
    .fetch_optional(&mut **owner)
    .await?;
    Ok(row)
}

/// Slugs of public servers and when they last changed, newest first.
pub(crate) async fn server_slugs(
    owner: &mut Owner,
    limit: i64,
) -> Result<Vec<(String, DateTime<Utc>)>, PgError> {
    let rows = sqlx::query_as(
        "select slug, updated_at
         from public.servers_public
         order by updated_at desc, id
         limit $1",
    )
    .bind(limit)
    .fetch_all(&mut **owner)
    .await?;
    Ok(rows)
}

/// Slug and shortcut of every game that has a page.
pub(crate) async fn game_slugs(
    owner: &mut Owner,
) -> Result<Vec<(String, Option<String>)>, PgError> {
    let rows = sqlx::query_as(
        "select page_slug, shortcut
         from public.games
         where is_active
         order by sort_order, name",
    )
    .fetch_all(&mut **owner)
    .await?;
    Ok(rows)
}

/// Every setting, its value as JSON text.
pub(crate) async fn settings(owner: &mut Owner) -> Result<Vec<(String, String)>, PgError> {
    let rows = sqlx::query_as("select setting_key, setting_value from public.site_settings")
        .fetch_all(&mut **owner)
        .await?;
    Ok(rows)
}
