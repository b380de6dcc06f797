//! Facts about the whole site: the pages of its sitemap, and its settings.

use std::collections::HashMap;

use compat_pg::{OwnerDb, PgError};
use serde_json::Value;

use crate::store::page;
use crate::{SiteFacts, SitemapFacts, SitemapPlace, SitemapServer};

/// The contents of the sitemap that come from the database, except for the servers themselves.
#[tracing::instrument(name = "ranking.sitemap_facts", skip_all)]
pub async fn sitemap_facts(owner: &OwnerDb) -> Result<SitemapFacts, PgError> {
    let mut owner = owner.begin().await?;
    let servers = page::server_count(&mut owner).await?;
    let games = page::game_slugs(&mut owner).await?;
    let shortcuts = page::shared_shortcuts(&mut owner).await?;
    let halls = page::hall_slugs(&mut owner).await?;
    let events = page::event_ids(&mut owner).await?;
    let months = page::months(&mut owner).await?;
    let game_months = page::game_months(&mut owner).await?;
    owner.rollback().await?;
    Ok(SitemapFacts { servers, games, shortcuts, halls, events, months, game_months })
}

/// The position in the sitemap after the first `skip` public servers; `None` when there are no
/// more.
#[tracing::instrument(name = "ranking.sitemap_place", skip_all)]
pub async fn sitemap_place(owner: &OwnerDb, skip: i64) -> Result<Option<SitemapPlace>, PgError> {
    let mut owner = owner.begin().await?;
    let place = page::sitemap_place(&mut owner, skip).await?;
    owner.rollback().await?;
    Ok(place)
}

/// Up to `limit` public servers in the order they were added, beginning at `from`, and the position
/// of the next one.
#[tracing::instrument(name = "ranking.sitemap_servers", skip_all)]
pub async fn sitemap_servers(
    owner: &OwnerDb,
    from: SitemapPlace,
    limit: i64,
) -> Result<(Vec<SitemapServer>, Option<SitemapPlace>), PgError> {
    let mut owner = owner.begin().await?;
    let mut servers = page::sitemap_servers(&mut owner, from, limit + 1).await?;
    owner.rollback().await?;
    let next = match servers.len() {
        read if i64::try_from(read).unwrap_or(i64::MAX) > limit => servers.pop(),
        _ => None,
    };
    Ok((servers, next.map(|SitemapServer { created_at, id, .. }| SitemapPlace { created_at, id })))
}

/// The settings that every page needs. An absent or invalid setting falls back to its default.
#[tracing::instrument(name = "ranking.site_facts", skip_all)]
pub async fn site_facts(owner: &OwnerDb) -> Result<SiteFacts, PgError> {
    let mut owner = owner.begin().await?;
    let rows = page::settings(&mut owner).await?;
    // An unknown time zone is an error of the database. Pages then compute the end of the month
    // themselves.
    let month_ends_at = page::month_ends_at(&mut owner).await.unwrap_or_else(|error| {
        tracing::warn!(%error, "end of the month unknown");
        None
    });
    owner.rollback().await?;
    Ok(SiteFacts { month_ends_at, ..site(&rows.into_iter().collect()) })
}

fn site(settings: &HashMap<String, String>) -> SiteFacts {
    let value = |key: &str| -> Option<Value> { serde_json::from_str(settings.get(key)?).ok() };
    let text = |key: &str| {
        let text = value(key)?.as_str()?.trim().to_owned();
        (!text.is_empty()).then_some(text)
    };
    SiteFacts {
        name: text("site_name").unwrap_or_else(|| "Palmarès".to_owned()),
        description: text("site_description").unwrap_or_default(),
        contact_email: text("contact_email"),
        timezone: text("site_timezone").unwrap_or_else(|| "Europe/Paris".to_owned()),
        vote_cooldown_seconds: value("vote_cooldown_seconds")
            .and_then(|seconds| seconds.as_i64())
            .unwrap_or(7200),
        month_ends_at: None,
        backdrop_url: text("all_games_backdrop_url"),
        fallback_rating: value("structured_data_fallback_rating").and_then(|r| r.as_f64()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn from(pairs: &[(&str, &str)]) -> SiteFacts {
        site(&pairs.iter().map(|(k, v)| ((*k).to_owned(), (*v).to_owned())).collect())
    }

    #[test]
    fn settings_are_json_text() {
        let facts = from(&[
            ("site_name", "\"Mon classement\""),
            ("vote_cooldown_seconds", "3600"),
            ("all_games_backdrop_url", "\"/pictures/backdrop.svg\""),
            ("structured_data_fallback_rating", "4.5"),
        ]);
        let expected = SiteFacts {
            name: "Mon classement".into(),
            description: String::new(),
            contact_email: None,
            timezone: "Europe/Paris".into(),
            month_ends_at: None,
            vote_cooldown_seconds: 3600,
            backdrop_url: Some("/pictures/backdrop.svg".into()),
            fallback_rating: Some(4.5),
        };
        assert_eq!(facts, expected);
    }

    #[test]
    fn missing_settings_fall_back_to_defaults() {
        let invalid = from(&[
            ("site_name", "not json"),
            ("vote_cooldown_seconds", "\"soon\""),
            ("site_timezone", "\" \""),
            ("structured_data_fallback_rating", "null"),
        ]);
        assert_eq!(invalid, from(&[]));
        assert_eq!((invalid.vote_cooldown_seconds, invalid.fallback_rating), (7200, None));
    }
}
