//! What is looked at: each kind of page once, by an address that there is, in every language.

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

/// Games among which the one with most servers is looked for.
const GAMES: usize = 40;

/// An address nothing stands at.
const NOWHERE: &str = "/page-that-is-not-there";

/// What a page may say of ratings.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Rating {
    /// It is not about one thing that is rated.
    NotApplicable,
    /// So many people gave one; none may stand there when they are none.
    Reviews(i32),
    /// The operator has one stand in where nobody gave any.
    Fallback,
}

/// A kind of page.
#[derive(Debug, Clone, PartialEq)]
pub struct Sample {
    /// Its name in the registry, or a name of its own.
    pub kind: &'static str,
    /// An address of it in French, or in the only language it has; none where the site has no such
    /// page yet.
    pub path: Option<String>,
    /// What of the query is part of the address.
    pub query: String,
    pub is_indexed: bool,
    /// What it is to be answered with.
    pub status: u16,
    /// Servers that it lists, on all its pages.
    pub servers: i64,
    /// Structured data it is to have.
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

    /// Its address in each language it has one in.
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

/// One of each kind.
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

/// What there is on this site.
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

    /// A kind of the registry, as the one sample or two that it takes to look at it.
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
                // A kind this room does not know by name is looked at where the sitemap names it;
                // one that is named nowhere is somebody's own.
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
    fn a_page_of_one_address_is_looked_at_once() {
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
