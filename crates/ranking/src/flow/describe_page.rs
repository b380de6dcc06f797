//! The facts of a page from which the server writes its title and preview into the HTML.

use chrono::NaiveDate;
use compat_pg::{OwnerDb, PgError};
use uuid::Uuid;

use crate::model::plain_text::{summary, unescape};
use crate::store::page;
use crate::{EventFacts, GameFacts, GameQuery, ServerFacts, ServerQuery};

/// The facts of a server's page; `None` when there is no such server, or a visitor may not see it.
#[tracing::instrument(name = "ranking.server_facts", skip_all)]
pub async fn server_facts(
    owner: &OwnerDb,
    query: ServerQuery<'_>,
) -> Result<Option<ServerFacts>, PgError> {
    if !query.is_possible() {
        return Ok(None);
    }
    let mut owner = owner.begin().await?;
    let stored = page::server(&mut owner, query).await?;
    owner.rollback().await?;
    Ok(stored.map(|server| ServerFacts {
        name: unescape(&server.name),
        description: summary(&server.description),
        ..server
    }))
}

/// The current slug of a server that was renamed from this one; `None` when there is no such
/// server, or a visitor may not see it.
#[tracing::instrument(name = "ranking.moved_server", skip_all)]
pub async fn moved_server(owner: &OwnerDb, slug: &str) -> Result<Option<String>, PgError> {
    if !ServerQuery::Slug(slug).is_possible() {
        return Ok(None);
    }
    let mut owner = owner.begin().await?;
    let moved = page::moved_server(&mut owner, slug).await?;
    owner.rollback().await?;
    Ok(moved)
}

/// The slugs of two typical public servers: the newest, and one with reviews, which is searched
/// among the best placed only.
#[tracing::instrument(name = "ranking.typical_servers", skip_all)]
pub async fn typical_servers(owner: &OwnerDb) -> Result<[Option<String>; 2], PgError> {
    let mut owner = owner.begin().await?;
    let newest = page::newest_server(&mut owner).await?;
    let reviewed = page::reviewed_server(&mut owner).await?;
    owner.rollback().await?;
    Ok([newest, reviewed])
}

/// The facts of a page of games; `None` when there is no such page.
#[tracing::instrument(name = "ranking.game_facts", skip_all)]
pub async fn game_facts(
    owner: &OwnerDb,
    query: GameQuery<'_>,
) -> Result<Option<GameFacts>, PgError> {
    if !query.is_possible() {
        return Ok(None);
    }
    let mut owner = owner.begin().await?;
    let game = page::game(&mut owner, query).await?;
    owner.rollback().await?;
    Ok(game)
}

/// The facts of a contest's page in the language with this code, or in French where they are not
/// translated; `None` when there is none, or it is not announced.
#[tracing::instrument(name = "ranking.event_facts", skip_all)]
pub async fn event_facts(
    owner: &OwnerDb,
    id: Uuid,
    language: &str,
) -> Result<Option<EventFacts>, PgError> {
    let mut owner = owner.begin().await?;
    let event = page::event(&mut owner, id, language).await?;
    owner.rollback().await?;
    Ok(event)
}

/// Whether there is an archive of the month that begins on this day.
#[tracing::instrument(name = "ranking.is_month_kept", skip_all)]
pub async fn is_month_kept(owner: &OwnerDb, month: NaiveDate) -> Result<bool, PgError> {
    let mut owner = owner.begin().await?;
    let is_kept = page::is_kept(&mut owner, month).await?;
    owner.rollback().await?;
    Ok(is_kept)
}
