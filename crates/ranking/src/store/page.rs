//! What public pages are about. Everything is read from what visitors may read themselves: the
//! view of public servers, the games, the settings.

use chrono::{DateTime, Utc};
use compat_pg::{Owner, PgError};
use uuid::Uuid;

/// A public server as stored.
#[derive(Debug, sqlx::FromRow)]
pub(crate) struct ServerRow {
    pub id: Uuid,
    pub slug: String,
    pub name: String,
    pub description: String,
    pub language: String,
    pub game_name: String,
    pub game_slug: String,
    pub logo_url: Option<String>,
    pub banner_url: Option<String>,
    pub total_votes: i32,
    pub monthly_votes: i32,
    pub online_players: i32,
    pub max_players: i32,
    pub is_online: bool,
    pub review_count: i32,
    pub rating_average: Option<f64>,
    pub updated_at: DateTime<Utc>,
}

/// A game as stored, with the count of its page.
#[derive(Debug, sqlx::FromRow)]
pub(crate) struct GameRow {
    pub name: String,
    pub slug: String,
    pub logo_url: Option<String>,
    pub backdrop_url: Option<String>,
    pub server_count: i64,
}

/// A server by id or slug; one of the two is given.
pub(crate) async fn server(
    owner: &mut Owner,
    id: Option<Uuid>,
    slug: Option<&str>,
) -> Result<Option<ServerRow>, PgError> {
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

/// The game that gives a page its name, by slug or by the word of a shortcut; one is given. A page
/// that several games share is named after the one whose own slug it is.
pub(crate) async fn game(
    owner: &mut Owner,
    slug: Option<&str>,
    shortcut: Option<&str>,
) -> Result<Option<GameRow>, PgError> {
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
