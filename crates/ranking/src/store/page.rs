//! The facts of public pages. Everything is read from what visitors may see: the view of public
//! servers, the games, the settings.

use chrono::NaiveDate;
use compat_pg::{Owner, PgError};
use uuid::Uuid;

use crate::{
    EventFacts, GameFacts, GameQuery, ServerFacts, ServerQuery, SitemapPlace, SitemapServer,
};

/// A public server; its name and description are unchanged from the database.
pub(crate) async fn server(
    owner: &mut Owner,
    query: ServerQuery<'_>,
) -> Result<Option<ServerFacts>, PgError> {
    let (id, slug) = match query {
        ServerQuery::Id(id) => (Some(id), None),
        ServerQuery::Slug(slug) => (None, Some(slug)),
    };
    // One of the two parameters is null, and a comparison with null matches no row.
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
           coalesce(servers_public.backdrop_url, games.backdrop_url) as backdrop_url,
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

/// The current slug of the public server that once had this one.
pub(crate) async fn moved_server(owner: &mut Owner, slug: &str) -> Result<Option<String>, PgError> {
    let slug = sqlx::query_scalar(
        "select servers_public.slug
         from public.server_former_slugs
         join public.servers_public on servers_public.id = server_former_slugs.server_id
         where server_former_slugs.slug = $1",
    )
    .bind(slug)
    .fetch_optional(&mut **owner)
    .await?;
    Ok(slug)
}

/// The slug of the newest public server.
pub(crate) async fn newest_server(owner: &mut Owner) -> Result<Option<String>, PgError> {
    let slug = sqlx::query_scalar(
        "select servers_public.slug
         from (
           select server_id
           from public.server_standings
           where is_listed
           order by created_at desc, server_id
           limit 1
         ) as newest
         join public.servers_public on servers_public.id = newest.server_id",
    )
    .fetch_optional(&mut **owner)
    .await?;
    Ok(slug)
}

/// The slug of the best placed public server with reviews, among the first hundred.
pub(crate) async fn reviewed_server(owner: &mut Owner) -> Result<Option<String>, PgError> {
    let slug = sqlx::query_scalar(
        "select servers_public.slug
         from (
           select server_id, monthly_votes
           from public.server_standings
           where is_listed
           order by monthly_votes desc, server_id
           limit 100
         ) as placed
         join public.servers_public on servers_public.id = placed.server_id
         where servers_public.review_count > 0
         order by placed.monthly_votes desc, placed.server_id
         limit 1",
    )
    .fetch_optional(&mut **owner)
    .await?;
    Ok(slug)
}

/// One game, or the first game of a shortcut page, with its number of servers.
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
           games.slug,
           games.page_slug,
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
    Ok(row)
}

/// The number of public servers, from stored figures that are seconds old, because counting is
/// slow.
pub(crate) async fn server_count(owner: &mut Owner) -> Result<i64, PgError> {
    let count = sqlx::query_scalar("select coalesce(sum(servers), 0) from public.game_figures")
        .fetch_one(&mut **owner)
        .await?;
    Ok(count)
}

/// The position after the first `skip` public servers, read along the index by age alone.
pub(crate) async fn sitemap_place(
    owner: &mut Owner,
    skip: i64,
) -> Result<Option<SitemapPlace>, PgError> {
    let place = sqlx::query_as(
        "select created_at, server_id as id
         from public.server_standings
         where is_listed
         order by created_at asc, server_id desc
         offset $1
         limit 1",
    )
    .bind(skip)
    .fetch_optional(&mut **owner)
    .await?;
    Ok(place)
}

/// Public servers in the order they were added, from a position on; the index scan begins at that
/// position.
pub(crate) async fn sitemap_servers(
    owner: &mut Owner,
    from: SitemapPlace,
    limit: i64,
) -> Result<Vec<SitemapServer>, PgError> {
    // `created_at >= $1` says where the index scan begins. A row comparison could not, since `id`
    // falls while `created_at` rises.
    let rows = sqlx::query_as(
        "select
           id,
           slug,
           created_at,
           updated_at,
           logo_image_url as logo_url,
           banner_image_url as banner_url
         from public.servers_public
         where
           created_at >= $1
           and (created_at > $1 or id <= $2)
         order by created_at asc, id desc
         limit $3",
    )
    .bind(from.created_at)
    .bind(from.id)
    .bind(limit)
    .fetch_all(&mut **owner)
    .await?;
    Ok(rows)
}

/// The slug of every game, and of the page that shows it.
pub(crate) async fn game_slugs(owner: &mut Owner) -> Result<Vec<(String, String)>, PgError> {
    let rows = sqlx::query_as(
        "select slug, page_slug
         from public.games
         where is_active
         order by sort_order, name",
    )
    .fetch_all(&mut **owner)
    .await?;
    Ok(rows)
}

/// The shortcuts that show several games.
pub(crate) async fn shared_shortcuts(owner: &mut Owner) -> Result<Vec<String>, PgError> {
    let rows = sqlx::query_scalar(
        "select shortcut
         from public.games
         where is_active and shortcut is not null
         group by shortcut
         having count(*) > 1
         order by shortcut",
    )
    .fetch_all(&mut **owner)
    .await?;
    Ok(rows)
}

/// The slugs of the games that have a hall of fame.
pub(crate) async fn hall_slugs(owner: &mut Owner) -> Result<Vec<String>, PgError> {
    let rows = sqlx::query_scalar(
        "select g.slug
         from public.games as g
         where g.is_active and exists (select from public.month_podiums as p where p.game_id = g.id)
         order by g.sort_order, g.name",
    )
    .fetch_all(&mut **owner)
    .await?;
    Ok(rows)
}

/// An announced contest with its texts in this language.
pub(crate) async fn event(
    owner: &mut Owner,
    id: Uuid,
    language: &str,
) -> Result<Option<EventFacts>, PgError> {
    let row = sqlx::query_as(
        "select
           coalesce(case $2 when 'en' then name_en when 'es' then name_es end, name) as name,
           coalesce(
             case $2 when 'en' then description_en when 'es' then description_es end, description, ''
           ) as description,
           start_date, end_date
         from public.competitive_events
         where id = $1 and is_active",
    )
    .bind(id)
    .bind(language)
    .fetch_optional(&mut **owner)
    .await?;
    Ok(row)
}

/// The ids of the newest announced contests.
pub(crate) async fn event_ids(owner: &mut Owner) -> Result<Vec<Uuid>, PgError> {
    let rows = sqlx::query_scalar(
        "select id
         from public.competitive_events
         where is_active
         order by start_date desc, id
         limit 500",
    )
    .fetch_all(&mut **owner)
    .await?;
    Ok(rows)
}

/// Every setting, with its value as JSON text.
pub(crate) async fn settings(owner: &mut Owner) -> Result<Vec<(String, String)>, PgError> {
    let rows = sqlx::query_as("select setting_key, setting_value from public.site_settings")
        .fetch_all(&mut **owner)
        .await?;
    Ok(rows)
}

/// When the site's month ends, as a Unix time in seconds.
pub(crate) async fn month_ends_at(owner: &mut Owner) -> Result<Option<i64>, PgError> {
    let end = sqlx::query_scalar(
        "select extract(epoch from (public.month_of(public.site_today()) + interval '1 month')
            at time zone public.setting_text('site_timezone', 'Europe/Paris'))::int8",
    )
    .fetch_one(&mut **owner)
    .await?;
    Ok(end)
}

/// The archived months.
pub(crate) async fn months(owner: &mut Owner) -> Result<Vec<NaiveDate>, PgError> {
    let rows =
        sqlx::query_scalar("select month from public.podium_months order by month desc limit 500")
            .fetch_all(&mut **owner)
            .await?;
    Ok(rows)
}

/// The games that had votes in each archived month.
pub(crate) async fn game_months(owner: &mut Owner) -> Result<Vec<(NaiveDate, String)>, PgError> {
    let rows = sqlx::query_as(
        "select month_podiums.month, games.slug
         from public.month_podiums
         join public.games on games.id = month_podiums.game_id
         where month_podiums.place = 1 and games.is_active
         order by month_podiums.month desc, games.sort_order, games.name
         limit 5000",
    )
    .fetch_all(&mut **owner)
    .await?;
    Ok(rows)
}

/// Whether a month is archived.
pub(crate) async fn is_kept(owner: &mut Owner, month: NaiveDate) -> Result<bool, PgError> {
    let is_kept =
        sqlx::query_scalar("select exists (select from public.podium_months where month = $1)")
            .bind(month)
            .fetch_one(&mut **owner)
            .await?;
    Ok(is_kept)
}
