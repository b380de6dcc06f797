//! A feed reader asks which servers are new.

use compat_pg::{OwnerDb, PgError};

use crate::GameQuery;
use crate::model::feed::{NewServer, NewServers};
use crate::model::plain_text::{summary, unescape};
use crate::store::feed;

/// The `limit` newest public servers, of all games or of the one with this slug; `None` when there
/// is no such game.
///
/// # Errors
/// When the database cannot be asked.
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
    let (game, servers) = match game {
        None => (None, feed::newest(&mut owner, limit).await?),
        Some(slug) => match feed::game(&mut owner, slug).await? {
            None => return Ok(None),
            Some(game) => {
                let servers = feed::newest_of(&mut owner, slug, limit).await?;
                (Some(game), servers)
            }
        },
    };
    owner.rollback().await?;
    let servers = servers.into_iter().map(|server| NewServer {
        name: unescape(&server.name),
        description: summary(&server.description),
        ..server
    });
    Ok(Some(NewServers { game, servers: servers.collect() }))
}
