//! What a page is about, so that its title and preview can be written into the HTML it is
//! answered with.

use compat_pg::{OwnerDb, PgError};

use crate::{
    GameFacts, PageFacts, PageQuery, ServerFacts,
    model::plain_text::{summary, unescape},
    store::page::{self, GameRow, ServerRow},
};

/// The facts of a page; `None` when there is no such page, or a visitor may not see what it is
/// about.
pub async fn page_facts(
    owner: &OwnerDb,
    query: PageQuery<'_>,
) -> Result<Option<PageFacts>, PgError> {
    let mut owner = owner.begin().await?;
    let facts = match query {
        PageQuery::Server(id) => page::server(&mut owner, Some(id), None).await?.map(server),
        PageQuery::ServerSlug(slug) => {
            page::server(&mut owner, None, Some(slug)).await?.map(server)
        }
        PageQuery::Game(slug) => page::game(&mut owner, Some(slug), None).await?.map(game),
        PageQuery::Shortcut(word) => page::game(&mut owner, None, Some(word)).await?.map(game),
    };
    owner.rollback().await?;
    Ok(facts)
}

fn server(row: ServerRow) -> PageFacts {
    PageFacts::Server(ServerFacts {
        id: row.id,
        slug: row.slug,
        name: unescape(&row.name),
        description: summary(&row.description),
        language: row.language,
        game_name: row.game_name,
        game_slug: row.game_slug,
        logo_url: row.logo_url,
        banner_url: row.banner_url,
        total_votes: row.total_votes,
        monthly_votes: row.monthly_votes,
        online_players: row.online_players,
        max_players: row.max_players,
        is_online: row.is_online,
        review_count: row.review_count,
        rating_average: row.rating_average,
        updated_at: row.updated_at,
    })
}

fn game(row: GameRow) -> PageFacts {
    PageFacts::Game(GameFacts {
        name: row.name,
        slug: row.slug,
        logo_url: row.logo_url,
        backdrop_url: row.backdrop_url,
        server_count: row.server_count,
    })
}
