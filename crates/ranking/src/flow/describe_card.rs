//! The facts that are drawn on a page's social card.

use compat_pg::{OwnerDb, PgError};

use crate::model::card::{CardFacts, CardQuery, GamesCard, PlacedServer, ServerCard};
use crate::model::plain_text::unescape;
use crate::store::card;

/// The facts of a card; `None` when there is no such page, or a visitor may not see it.
#[tracing::instrument(name = "ranking.card_facts", skip_all)]
pub async fn card_facts(
    owner: &OwnerDb,
    query: CardQuery<'_>,
) -> Result<Option<CardFacts>, PgError> {
    if !query.is_possible() {
        return Ok(None);
    }
    let mut owner = owner.begin().await?;
    let facts = match query {
        // Owners' texts are stored with HTML entities, and a card is drawn from plain text.
        CardQuery::Server(slug) => card::server(&mut owner, slug)
            .await?
            .map(|server| CardFacts::Server(ServerCard { name: unescape(&server.name), ..server })),
        CardQuery::Games(games) => match card::games(&mut owner, games).await? {
            Some(page) => {
                let first = card::first_servers(&mut owner, games).await?;
                let first = first
                    .into_iter()
                    .map(|server| PlacedServer { name: unescape(&server.name), ..server });
                Some(CardFacts::Games(GamesCard { first: first.collect(), ..page }))
            }
            None => None,
        },
        CardQuery::Event(id, language) => {
            card::event(&mut owner, id, language).await?.map(CardFacts::Event)
        }
    };
    owner.rollback().await?;
    Ok(facts)
}
