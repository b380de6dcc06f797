//! What the site as a whole says of itself: its sitemap's pages and its settings.

use std::collections::{BTreeSet, HashMap};

use compat_pg::{OwnerDb, PgError};
use serde_json::Value;

use crate::store::page;
use crate::{SiteFacts, SitemapFacts};

/// Room is left in a sitemap file of 50,000 for the fixed pages and the games.
const MAX_SERVERS: i64 = 45_000;

/// Every page that depends on the database.
///
/// # Errors
/// When the database cannot be asked.
#[tracing::instrument(name = "ranking.sitemap_facts", skip_all)]
pub async fn sitemap_facts(owner: &OwnerDb) -> Result<SitemapFacts, PgError> {
    let mut owner = owner.begin().await?;
    let servers = page::server_slugs(&mut owner, MAX_SERVERS).await?;
    let games = page::game_slugs(&mut owner).await?;
    owner.rollback().await?;
    let (slugs, shortcuts): (Vec<_>, Vec<_>) = games.into_iter().unzip();
    Ok(SitemapFacts {
        servers,
        games: distinct(slugs),
        shortcuts: distinct(shortcuts.into_iter().flatten().collect()),
    })
}

/// In the order they first came.
fn distinct(words: Vec<String>) -> Vec<String> {
    let mut seen = BTreeSet::new();
    words.into_iter().filter(|word| seen.insert(word.clone())).collect()
}

/// The settings every page needs. One that is absent, or not of its kind, falls back to its
/// default.
///
/// # Errors
/// When the database cannot be asked.
#[tracing::instrument(name = "ranking.site_facts", skip_all)]
pub async fn site_facts(owner: &OwnerDb) -> Result<SiteFacts, PgError> {
    let mut owner = owner.begin().await?;
    let rows = page::settings(&mut owner).await?;
    owner.rollback().await?;
    Ok(site(&rows.into_iter().collect()))
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
        timezone: text("site_timezone").unwrap_or_else(|| "Europe/Paris".to_owned()),
        vote_cooldown_seconds: value("vote_cooldown_seconds")
            .and_then(|seconds| seconds.as_i64())
            .unwrap_or(7200),
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
            timezone: "Europe/Paris".into(),
            vote_cooldown_seconds: 3600,
            backdrop_url: Some("/pictures/backdrop.svg".into()),
            fallback_rating: Some(4.5),
        };
        assert_eq!(facts, expected);
    }

    #[test]
    fn what_is_missing_or_odd_falls_back() {
        let odd = from(&[
            ("site_name", "not json"),
            ("vote_cooldown_seconds", "\"soon\""),
            ("site_timezone", "\" \""),
            ("structured_data_fallback_rating", "null"),
        ]);
        assert_eq!(odd, from(&[]));
        assert_eq!((odd.vote_cooldown_seconds, odd.fallback_rating), (7200, None));
    }
}
