//! Social cards: the picture that other sites show beside a link to a page of this site, drawn from
//! the content of that page.
//!
//! Content that a visitor may not see has no card. A card is drawn once for the same content and
//! cached for all clients; drawing takes a bounded share of the machine. Nothing is fetched from
//! other sites.

mod layout;
mod pictures;
mod renderer;
mod svg;
mod text_layout;
mod words;

use std::num::NonZeroUsize;
use std::sync::Arc;
use std::time::Duration;

use axum::Router;
use axum::body::Bytes;
use axum::extract::{Path, State};
use axum::response::{IntoResponse as _, Response};
use axum::routing::get;
use compat_http::TtlCache;
use compat_pg::PgError;
use http::{HeaderMap, HeaderValue, StatusCode, header};
use page_registry::is_slug;
use ranking::{CardFacts, CardQuery, GameQuery};
use uuid::Uuid;

use super::answer::server_error;
use super::etag::{entity_tag, is_not_modified};
use super::site::Site;
use layout::{CardInput, CardLayout, layout};
use page_registry::Language;
use pictures::PictureBytes;
use renderer::{RenderError, Renderer};

/// How long the facts of a card are cached.
const FRESH: Duration = Duration::from_secs(30);

/// How many cards have their facts cached.
const KEPT: NonZeroUsize = NonZeroUsize::new(1_024).expect("not zero");

/// Places and votes on a card may be an hour old.
const CACHED: &str = "public, max-age=3600";

const MARK: &[u8] = include_bytes!("../../../storage/pictures/brand/mark.svg");

/// The subject of a card, as its address names it.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
enum Subject {
    Server(String),
    Game(String),
    Shortcut(String),
    /// The name of an event depends on the language of the reader.
    Event(Uuid, Language),
}

/// The path of the card of a page; `kind` is `server`, `game`, `shortcut` or `event`. The front end
/// builds the same path (`frontend/src/lib/routing/social-card.ts`).
pub fn address(language: Language, kind: &str, name: &str) -> String {
    format!("/cards/{}/{kind}/{name}.png", language.code())
}

/// The routes of the cards, relative to the site's root. The cards contain pictures that `services`
/// store.
pub fn router(site: Site, services: Router) -> Router {
    let facts = TtlCache::new(site.clock().clone(), KEPT, |_| FRESH);
    let cards = Cards(Arc::new(Inner { site, services, renderer: Renderer::new(), facts }));
    Router::new().route("/cards/{language}/{kind}/{file}", get(show)).with_state(cards)
}

#[derive(Clone)]
struct Cards(Arc<Inner>);

struct Inner {
    site: Site,
    services: Router,
    renderer: Renderer,
    /// Cached facts by subject.
    facts: TtlCache<Subject, Option<Arc<CardFacts>>, PgError>,
}

/// `GET /cards/{language}/{kind}/{name}.png`.
#[tracing::instrument(name = "pages.card", skip_all)]
async fn show(
    State(cards): State<Cards>,
    Path((language, kind, file)): Path<(String, String, String)>,
    headers: HeaderMap,
) -> Response {
    let target = Language::parse(&language)
        .and_then(|language| Some((language, Subject::read(&kind, &file, language)?)));
    let Some((language, subject)) = target else {
        return StatusCode::NOT_FOUND.into_response();
    };
    let site = cards.0.site.facts().await;
    let (site, facts) = match (site, cards.facts(&subject).await) {
        (Ok(site), Ok(Some(facts))) => (site, facts),
        (Ok(_), Ok(None)) => return StatusCode::NOT_FOUND.into_response(),
        (Err(error), _) | (_, Err(error)) => return server_error(&error),
    };
    let input =
        CardInput { language, site: &site.name, shortcut: subject.shortcut(), facts: &facts };
    match cards.card(&input, &headers).await {
        Ok(answer) => answer,
        Err(RenderError::Busy) => {
            (StatusCode::SERVICE_UNAVAILABLE, [(header::RETRY_AFTER, "10")]).into_response()
        }
        Err(RenderError::Failed(error)) => {
            tracing::error!(error, "card not rendered");
            StatusCode::INTERNAL_SERVER_ERROR.into_response()
        }
    }
}

impl Subject {
    fn read(kind: &str, file: &str, language: Language) -> Option<Self> {
        let name = file.strip_suffix(".png")?;
        let slug = || is_slug(name).then(|| name.to_owned());
        match kind {
            "server" => slug().map(Self::Server),
            "game" => slug().map(Self::Game),
            "shortcut" => slug().map(Self::Shortcut),
            "event" => Uuid::try_parse(name).ok().map(|id| Self::Event(id, language)),
            _ => None,
        }
    }

    fn query(&self) -> CardQuery<'_> {
        match self {
            Self::Server(slug) => CardQuery::Server(slug),
            Self::Game(slug) => CardQuery::Games(GameQuery::Slug(slug)),
            Self::Shortcut(word) => CardQuery::Games(GameQuery::Shortcut(word)),
            Self::Event(id, language) => CardQuery::Event(*id, language.code()),
        }
    }

    fn shortcut(&self) -> Option<&str> {
        match self {
            Self::Shortcut(word) => Some(word),
            _ => None,
        }
    }
}

impl Cards {
    async fn facts(&self, subject: &Subject) -> Result<Option<Arc<CardFacts>>, PgError> {
        let owner = self.0.site.owner();
        let read = async { Ok(ranking::card_facts(owner, subject.query()).await?.map(Arc::new)) };
        self.0.facts.get_or_load(subject, read).await
    }

    /// The card, or 304 if the client has it. A cached card of the same layout is returned without
    /// drawing. The tag is computed from the layout with all its pictures; the card is drawn with
    /// those that exist.
    async fn card(
        &self,
        input: &CardInput<'_>,
        headers: &HeaderMap,
    ) -> Result<Response, RenderError> {
        let full_layout = layout(input, &pictures::is_own);
        if let Some(answer) = self.cached(&full_layout, headers) {
            return Ok(answer);
        }
        let site = &self.0.site;
        let mut bytes =
            pictures::fetch(site.build(), &self.0.services, &full_layout.requests).await;
        bytes.insert(svg::MARK.to_owned(), MARK.to_vec());
        let is_there =
            layout(input, &|address| pictures::is_own(address) && bytes.contains_key(address));
        if let Some(answer) = self.cached(&is_there, headers) {
            return Ok(answer);
        }
        self.draw(is_there, bytes).await
    }

    fn cached(&self, layout: &CardLayout, headers: &HeaderMap) -> Option<Response> {
        let tag = entity_tag(layout.svg.as_bytes());
        if is_not_modified(headers, &tag) {
            return Some(answer(tag, None));
        }
        let card = self.0.renderer.cached(&tag)?;
        Some(answer(tag, Some(card)))
    }

    async fn draw(
        &self,
        layout: CardLayout,
        pictures: PictureBytes,
    ) -> Result<Response, RenderError> {
        let tag = entity_tag(layout.svg.as_bytes());
        let card = self.0.renderer.draw(tag.clone(), layout.svg, pictures).await?;
        Ok(answer(tag, Some(card)))
    }
}

/// The response with the card, or 304 without it.
fn answer(tag: HeaderValue, card: Option<Bytes>) -> Response {
    let mut response = match card {
        Some(card) => card.into_response(),
        None => StatusCode::NOT_MODIFIED.into_response(),
    };
    let headers = response.headers_mut();
    for (name, value) in [
        (header::CONTENT_TYPE, "image/png"),
        (header::CACHE_CONTROL, CACHED),
        (header::X_CONTENT_TYPE_OPTIONS, "nosniff"),
    ] {
        headers.insert(name, HeaderValue::from_static(value));
    }
    headers.insert("cross-origin-resource-policy", HeaderValue::from_static("cross-origin"));
    headers.insert(header::ETAG, tag);
    response
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn card_names_are_slugs_or_ids() {
        let astra = Some(Subject::Server("astra-2".to_owned()));
        assert_eq!(Subject::read("server", "astra-2.png", Language::Es), astra);
        assert_eq!(address(Language::Es, "server", "astra-2"), "/cards/es/server/astra-2.png");
        let event =
            Subject::read("event", "e0000000-0000-4000-8000-000000000001.png", Language::Es);
        assert!(matches!(event, Some(Subject::Event(_, Language::Es))), "{event:?}");
        for (kind, file) in [
            ("server", "astra-2"),
            ("server", "Astra.png"),
            ("server", ".png"),
            ("server", "a\0b.png"),
            ("event", "astra.png"),
            ("person", "astra.png"),
        ] {
            assert_eq!(Subject::read(kind, file, Language::Es), None, "{kind} {file}");
        }
    }

    #[test]
    fn card_response_allows_caching_and_cross_origin_embedding() {
        let card = answer(HeaderValue::from_static("\"a\""), Some(Bytes::from_static(b"png")));
        let headers = card.headers();
        assert_eq!(headers[header::CACHE_CONTROL], CACHED);
        assert_eq!(headers[header::CONTENT_TYPE], "image/png");
        assert_eq!(headers["cross-origin-resource-policy"], "cross-origin");
        let known = answer(HeaderValue::from_static("\"a\""), None);
        assert_eq!(known.status(), StatusCode::NOT_MODIFIED);
    }
}
