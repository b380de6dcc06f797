//! The newest servers, for feeds.

use compat_pg::{OwnerDb, PgError};

use crate::GameQuery;
use crate::model::feed::{NewServer, NewServers};
use crate::model::plain_text::{summary, unescape};
use crate::store::feed;

/// The `limit` newest public servers, of all games or of the one with this slug; `None` when there
/// is no such game.
#[tracing::instrument(name = "ranking.new_servers", skip_all)]
pub async fn new_servers(
    owner: &OwnerDb,
    game: Option<&str>,
    limit: i64,
) -> Result<Option<NewServers>, PgError> {
    if game.is_some_and(|slug| !GameQuery::Slug(slug).is_possible()) {
        return Ok(None);
    }
    let mut owner = owner.begin().await?;
    // No servers may mean an unknown game or a game without servers. Only the latter has a feed.
    let known = match game {
        Some(slug) => feed::game(&mut owner, slug).await?,
        None => None,
    };
    let servers = match (game, &known) {
        (None, _) => feed::newest(&mut owner, limit).await?,
        (Some(slug), Some(_)) => feed::newest_of(&mut owner, slug, limit).await?,
        (Some(_), None) => Vec::new(),
    };
    owner.rollback().await?;
    if game.is_some() && known.is_none() {
        return Ok(None);
    }
    let servers = servers.into_iter().map(|server| NewServer {
        name: unescape(&server.name),
        description: summary(&server.description),
        ..server
    });
    Ok(Some(NewServers { game: known, servers: servers.collect() }))
}
