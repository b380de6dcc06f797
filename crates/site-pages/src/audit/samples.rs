//! The samples that are checked: each kind of page once, at an existing address, in every language.

use compat_pg::PgError;
use ranking::{
    GameFacts, GameQuery, ServerFacts, ServerQuery, SitemapFacts, game_facts, server_facts,
    sitemap_facts, typical_servers,
};

use super::sitemap::Sitemap;
use crate::address::paths::{path_of, switch_language};
use crate::site::Site;
use page_registry::Language;
use page_registry::{PAGES, PageEntry, SHORTCUTS};

/// How many games are read to find the one with the most servers.
const GAMES: usize = 40;

/// An address without a page.
const NOWHERE: &str = "/page-that-is-not-there";

/// The rating that a page may contain.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Rating {
    /// The page is not about a single rated thing.
    NotApplicable,
    /// The number of ratings; the page must not contain a rating when it is 0.
    Reviews(i32),
    /// The operator has set a fallback for things without ratings.
    Fallback,
}

/// A kind of page.
#[derive(Debug, Clone, PartialEq)]
pub struct Sample {
    /// The key of the page in the registry, or a name of its own.
    pub kind: &'static str,
    /// The path of an example in French, or in the only language it has; `None` where the site has
    /// no such page yet.
    pub path: Option<String>,
    /// The query that is part of the address.
    pub query: String,
    pub is_indexed: bool,
    /// The expected status.
    pub status: u16,
    /// The number of servers on all pages of the list.
    pub servers: i64,
    /// The types of structured data that the page needs.
    pub structured: &'static [&'static str],
    pub rating: Rating,
}

impl Sample {
    fn of(kind: &'static str, path: Option<String>, is_indexed: bool) -> Self {
        let structured: &[&str] = match kind {
            "home" => &["WebSite", "Organization"],
            "game" | "sharedGame" | "shortcut" | "sharedShortcut" => {
                &["CollectionPage", "ItemList", "BreadcrumbList"]
            }
            "server" | "reviewedServer" | "serverById" => &["GameServer", "BreadcrumbList"],
            "competitiveEvent" => &["Event", "BreadcrumbList"],
            _ => &[],
        };
        Self {
            kind,
            path,
            query: String::new(),
            is_indexed,
            status: 200,
            servers: 0,
            structured,
            rating: Rating::NotApplicable,
        }
    }

    /// The paths of the page, for each language in which it has one.
    pub fn paths(&self) -> Vec<(Language, String)> {
        let mut paths: Vec<(Language, String)> = Vec::new();
        for (language, path) in self.path.iter().flat_map(|path| {
            Language::ALL.map(|language| (language, switch_language(path, language)))
        }) {
            if paths.iter().all(|(_, known)| *known != path) {
                paths.push((language, path));
            }
        }
        paths.into_iter().map(|(language, path)| (language, path + &self.query)).collect()
    }
}

/// Returns a sample of each kind of page.
pub async fn samples(site: &Site, sitemap: &Sitemap) -> Result<Vec<Sample>, PgError> {
    let inventory = SiteInventory::read(site).await?;
    let mut all: Vec<Sample> = Vec::new();
    for page in PAGES.iter() {
        all.extend(inventory.of(page, sitemap));
    }
    let nowhere = Sample { status: 404, ..Sample::of("missing", Some(NOWHERE.to_owned()), false) };
    all.push(nowhere);
    Ok(all)
}

/// The rows of this site that serve as examples.
struct SiteInventory {
    facts: SitemapFacts,
    game: Option<GameFacts>,
    newest: Option<ServerFacts>,
    reviewed: Option<ServerFacts>,
    has_stand_in: bool,
}

impl SiteInventory {
    async fn read(site: &Site) -> Result<Self, PgError> {
        let owner = site.owner();
        let facts = sitemap_facts(owner).await?;
        let mut game: Option<GameFacts> = None;
        let own_pages = facts.games.iter().filter(|(slug, page)| slug == page);
        for (slug, _) in own_pages.take(GAMES) {
            let next = game_facts(owner, GameQuery::Slug(slug)).await?;
            game = game.into_iter().chain(next).max_by_key(|game| game.server_count);
        }
        let [newest, reviewed] = typical_servers(owner).await?;
        let read = async |slug: Option<String>| match slug {
            Some(slug) => server_facts(owner, ServerQuery::Slug(&slug)).await,
            None => Ok(None),
        };
        let has_stand_in = site.facts().await?.fallback_rating.is_some();
        let (newest, reviewed) = (read(newest).await?, read(reviewed).await?);
        Ok(Self { facts, game, newest, reviewed, has_stand_in })
    }

    /// The samples for a page of the registry.
    fn of(&self, page: &'static PageEntry, sitemap: &Sitemap) -> Vec<Sample> {
        let at = |name: &str| path_of(&page.key, name, Language::Fr);
        let sample = |path| Sample::of(&page.key, path, page.indexed);
        match &*page.key {
            "home" => vec![Sample { servers: self.facts.servers, ..sample(Some(at(""))) }],
            "game" => {
                let game = self.game.as_ref();
                let servers = game.map_or(0, |game| game.server_count);
                let own = sample(game.map(|game| at(&game.slug)));
                let shared = self.facts.games.iter().find(|(slug, page)| slug != page);
                let query = shared.map(|(slug, _)| format!("?game={slug}")).unwrap_or_default();
                let path = shared.map(|(_, page)| at(page));
                let shared = Sample { query, ..Sample::of("sharedGame", path, true) };
                vec![Sample { servers, ..own }, shared]
            }
            "shortcut" => {
                let shared = self.facts.shortcuts.first();
                let is_there =
                    |slug: &String| self.facts.games.iter().any(|(game, _)| game == slug);
                let mut alone = SHORTCUTS
                    .iter()
                    .filter(|(_, shortcut)| matches!(&*shortcut.games, [only] if is_there(only)));
                let shared = shared.map(|word| at(word));
                vec![
                    sample(alone.next().map(|(word, _)| at(word))),
                    Sample::of("sharedShortcut", shared, true),
                ]
            }
            "server" => {
                let path = |server: &ServerFacts| at(&server.slug);
                let reviewed = self.reviewed.as_ref();
                let second = Sample::of("reviewedServer", reviewed.map(path), page.indexed);
                let newest = self.newest.as_ref();
                vec![
                    Sample { rating: self.rating(newest), ..sample(newest.map(path)) },
                    Sample { rating: self.rating(reviewed), ..second },
                ]
            }
            "serverById" => {
                let newest = self.newest.as_ref();
                let path = newest.map(|server| at(&server.id.to_string()));
                vec![Sample { rating: self.rating(newest), ..sample(path) }]
            }
            "gameHall" => vec![sample(self.facts.halls.first().map(|game| at(game)))],
            "competitiveEvent" => {
                vec![sample(self.facts.events.first().map(|event| at(&event.to_string())))]
            }
            key if page.has_params() => {
                // A page that is not known here by name is checked where the sitemap names it. A
                // page that the sitemap does not name is private.
                let path = sitemap.sample(key).map(path_behind_origin);
                if page.indexed { vec![sample(path)] } else { Vec::new() }
            }
            _ => vec![sample(Some(at("")))],
        }
    }

    fn rating(&self, server: Option<&ServerFacts>) -> Rating {
        match server {
            None => Rating::NotApplicable,
            Some(server) if server.review_count == 0 && self.has_stand_in => Rating::Fallback,
            Some(server) => Rating::Reviews(server.review_count),
        }
    }
}

fn path_behind_origin(address: &str) -> String {
    let path = address.splitn(4, '/').nth(3).unwrap_or_default();
    format!("/{}", path.split('?').next().unwrap_or_default())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sample_paths_include_each_translation_once() {
        let paths = |path: &str| {
            let sample = Sample::of("x", Some(path.to_owned()), false);
            sample.paths().into_iter().map(|(_, path)| path).collect::<Vec<_>>()
        };
        assert_eq!(paths("/admin/users"), ["/admin/users"]);
        assert_eq!(paths("/serveur/a"), ["/serveur/a", "/en/server/a", "/es/servidor/a"]);
        assert_eq!(path_behind_origin("https://p.example/serveur/a?b=c"), "/serveur/a");
        assert_eq!(path_behind_origin("https://p.example"), "/");
    }
}
