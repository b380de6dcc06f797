//! The facts of social cards, read only from what visitors may see. Names are unchanged from the
//! database.

use compat_pg::{Owner, PgError};
use uuid::Uuid;

use crate::GameQuery;
use crate::model::card::{EventCard, GamesCard, PlacedServer, ServerCard};

/// A public server.
pub(crate) async fn server(owner: &mut Owner, slug: &str) -> Result<Option<ServerCard>, PgError> {
    let card = sqlx::query_as(
        "select
           servers_public.slug,
           servers_public.name,
           games.name as game_name,
           games.accent_color,
           servers_public.logo_image_url as logo_url,
           coalesce(servers_public.backdrop_url, games.backdrop_url) as backdrop_url,
           servers_public.game_rank,
           servers_public.monthly_votes,
           public.month_of(public.site_today()) as month
         from public.servers_public
         join public.games on games.id = servers_public.game_id
         where servers_public.slug = $1",
    )
    .bind(slug)
    .fetch_optional(&mut **owner)
    .await?;
    Ok(card)
}

/// One game, or the first game of a shortcut page, with its number of servers.
pub(crate) async fn games(
    owner: &mut Owner,
    query: GameQuery<'_>,
) -> Result<Option<GamesCard>, PgError> {
    let (slug, shortcut) = words(query);
    let card = sqlx::query_as(
        "select
           games.name,
           games.slug,
           games.accent_color,
           games.logo_url,
           games.backdrop_url,
           (
             select coalesce(sum(game_figures.servers), 0)
             from public.game_figures
             join public.games as shown on shown.id = game_figures.game_id
             where shown.is_active and (shown.slug = $1 or shown.shortcut = $2)
           ) as server_count
         from public.games
         where games.is_active and (games.slug = $1 or games.shortcut = $2)
         order by games.sort_order, games.name
         limit 1",
    )
    .bind(slug)
    .bind(shortcut)
    .fetch_optional(&mut **owner)
    .await?;
    Ok(card)
}

/// The top three servers of these games, read along the index by votes of each game.
pub(crate) async fn first_servers(
    owner: &mut Owner,
    query: GameQuery<'_>,
) -> Result<Vec<PlacedServer>, PgError> {
    let (slug, shortcut) = words(query);
    let first = sqlx::query_as(
        "select placed.slug, placed.name, placed.logo_url, placed.monthly_votes
         from public.games
         cross join lateral (
           select
             servers_public.id,
             servers_public.slug,
             servers_public.name,
             servers_public.logo_image_url as logo_url,
             servers_public.monthly_votes
           from public.servers_public
           where servers_public.game_id = games.id
           order by servers_public.monthly_votes desc, servers_public.id
           limit 3
         ) as placed
         where games.is_active and (games.slug = $1 or games.shortcut = $2)
         order by placed.monthly_votes desc, placed.id
         limit 3",
    )
    .bind(slug)
    .bind(shortcut)
    .fetch_all(&mut **owner)
    .await?;
    Ok(first)
}

/// An announced contest in this language.
pub(crate) async fn event(
    owner: &mut Owner,
    id: Uuid,
    language: &str,
) -> Result<Option<EventCard>, PgError> {
    let card = sqlx::query_as(
        "select
           coalesce(case $2 when 'en' then name_en when 'es' then name_es end, name) as name,
           public.site_day(start_date) as starts_on,
           public.site_day(end_date - interval '1 microsecond') as ends_on,
           target_votes,
           winner_count,
           prestige_days
         from public.competitive_events
         where id = $1 and is_active",
    )
    .bind(id)
    .bind(language)
    .fetch_optional(&mut **owner)
    .await?;
    Ok(card)
}

fn words(query: GameQuery<'_>) -> (Option<&str>, Option<&str>) {
    match query {
        GameQuery::Slug(slug) => (Some(slug), None),
        GameQuery::Shortcut(word) => (None, Some(word)),
    }
}
