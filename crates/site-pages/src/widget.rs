//! Widgets for other sites: a server's place and votes, and a link to vote. Overlays for streams
//! show the same without a link.
//!
//! Only these pages may be framed by other sites. They set no cookie, and run no script but the one
//! that updates the figures. Figures are cached for a few seconds, so that frequent requests cost
//! little. The query changes only the look of a widget. Votes are cast elsewhere.
//!
//! A picture cannot open a socket, so its figures are those of the moment at which it was loaded.

mod figure;
mod html;
mod options;
mod overlay;
mod svg;

use std::num::NonZeroUsize;
use std::sync::{Arc, LazyLock};
use std::time::Duration;

use axum::Router;
use axum::extract::{Path, RawQuery, State};
use axum::response::{IntoResponse, Response};
use axum::routing::get;
use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use compat_http::{TtlCache, escape_html};
use compat_pg::PgError;
use http::{HeaderMap, HeaderValue, StatusCode, header};
use ranking::WidgetFacts;
use sha2::{Digest as _, Sha256};
use uuid::Uuid;

use super::answer::server_error;
use super::etag::{entity_tag, is_not_modified};
use super::load::template::socket_origin;
use super::site::Site;
use options::Options;

/// How long figures are cached.
const FRESH: Duration = Duration::from_secs(10);

/// The number of servers whose figures are cached.
const KEPT: NonZeroUsize = NonZeroUsize::new(4_096).expect("not zero");

/// Browsers and proxies may show a cached page for a minute, and longer while they fetch a new one:
/// its script updates the figures.
const CACHED: &str = "public, max-age=60, stale-while-revalidate=300";

/// Nothing updates the figures of a picture, so it is cached only briefly. If the site fails, an
/// older copy is better than none.
const PICTURE_CACHED: &str = "public, max-age=10, stale-if-error=86400";

/// The sizes of widgets, which the generator in the pages reads from the same file.
const SIZES: &str = include_str!("../../../frontend/src/lib/widgets.json");

static SCRIPT: LazyLock<String> =
    LazyLock::new(|| include_str!("widget/embed.js").replace("__SIZES__", SIZES.trim()));

/// The script that updates the figures of widgets and overlays.
const LIVE: &str = include_str!("widget/live.js");

/// The policy of a widget: any site may frame it, and it loads only its style sheet, pictures and
/// the script that updates its figures.
fn content_security_policy(style: &str, origin: &str) -> HeaderValue {
    let style = STANDARD.encode(Sha256::digest(style));
    let sockets = socket_origin(origin);
    let policy = format!(
        "default-src 'none'; style-src 'sha256-{style}'; img-src 'self' data:; \
         script-src 'self'; connect-src 'self' {sockets}; \
         base-uri 'none'; form-action 'none'; frame-ancestors *"
    );
    HeaderValue::from_str(&policy).unwrap_or(HeaderValue::from_static("default-src 'none'"))
}

/// The policy of a picture, which runs nothing and loads nothing.
const PICTURE_POLICY: HeaderValue =
    HeaderValue::from_static("default-src 'none'; style-src 'unsafe-inline'; frame-ancestors *");

/// The widgets of this site, relative to its root.
pub fn router(site: Site) -> Router {
    let facts = TtlCache::new(site.clock().clone(), KEPT, |_| FRESH);
    let policy_of = |style| content_security_policy(style, site.origin());
    let (policy, overlay_policy) = (policy_of(html::STYLE), policy_of(overlay::STYLE));
    let widgets = Widgets(Arc::new(Inner { facts, policy, overlay_policy, site }));
    Router::new()
        .route("/widget.js", get(script))
        .route("/widget/{file}", get(show))
        .route("/live.js", get(live_script))
        .route("/overlay/{server}", get(show_overlay))
        .with_state(widgets)
}

#[derive(Clone)]
struct Widgets(Arc<Inner>);

struct Inner {
    site: Site,
    /// Cached figures by server.
    facts: TtlCache<Uuid, Option<Arc<WidgetFacts>>, PgError>,
    policy: HeaderValue,
    overlay_policy: HeaderValue,
}

impl Widgets {
    fn site(&self) -> &Site {
        &self.0.site
    }

    async fn facts(&self, server: Uuid) -> Result<Option<Arc<WidgetFacts>>, PgError> {
        let read =
            async { Ok(ranking::widget_facts(self.site().owner(), server).await?.map(Arc::new)) };
        self.0.facts.get_or_load(&server, read).await
    }

    /// The facts of the server with this id; `None` if there is no such server.
    async fn facts_at(&self, name: &str) -> Result<Option<Arc<WidgetFacts>>, PgError> {
        match Uuid::try_parse(name) {
            Ok(server) => self.facts(server).await,
            Err(_) => Ok(None),
        }
    }

    /// The attributes of the body for the script: the id of the server, and the API key, which
    /// every page of the site contains. Empty if there is no such server.
    fn live(&self, name: &str, facts: Option<&WidgetFacts>) -> String {
        let server = facts.and_then(|_| Uuid::try_parse(name).ok());
        let key = escape_html(self.site().anon_key());
        server.map_or_else(String::new, |id| format!(" data-server=\"{id}\" data-key=\"{key}\""))
    }
}

/// `GET /widget.js`: the script that sites may include instead of the frame.
async fn script(headers: HeaderMap) -> Response {
    answer(&headers, StatusCode::OK, Content::SCRIPT, None, &SCRIPT)
}

/// `GET /widget/{uuid}` and `GET /widget/{uuid}.svg`.
#[tracing::instrument(name = "pages.widget", skip_all)]
async fn show(
    State(widgets): State<Widgets>,
    Path(file): Path<String>,
    RawQuery(query): RawQuery,
    headers: HeaderMap,
) -> Response {
    let options = Options::read(query.as_deref().unwrap_or_default());
    let (name, is_picture) = match file.strip_suffix(".svg") {
        Some(name) => (name, true),
        None => (file.as_str(), false),
    };
    let (facts, site) = match (widgets.facts_at(name).await, widgets.site().facts().await) {
        (Ok(facts), Ok(site)) => (facts, site),
        (Err(error), _) | (_, Err(error)) => return server_error(&error),
    };
    let status = if facts.is_some() { StatusCode::OK } else { StatusCode::NOT_FOUND };
    let facts = facts.as_deref();
    if is_picture {
        let body = svg::draw(facts, &options, &site.name);
        return answer(&headers, status, Content::PICTURE, Some(PICTURE_POLICY), &body);
    }
    let live = widgets.live(name, facts);
    let body = html::draw(facts, &options, (&site.name, widgets.site().origin()), &live);
    let policy = widgets.0.policy.clone();
    answer(&headers, status, Content::PAGE, Some(policy), &body)
}

/// `GET /live.js`: the script that updates the figures of widgets and overlays.
async fn live_script(headers: HeaderMap) -> Response {
    answer(&headers, StatusCode::OK, Content::SCRIPT, None, LIVE)
}

/// `GET /overlay/{uuid}`.
#[tracing::instrument(name = "pages.overlay", skip_all)]
async fn show_overlay(
    State(widgets): State<Widgets>,
    Path(server): Path<String>,
    RawQuery(query): RawQuery,
    headers: HeaderMap,
) -> Response {
    let options = Options::overlay(query.as_deref().unwrap_or_default());
    let facts = match widgets.facts_at(&server).await {
        Ok(facts) => facts,
        Err(error) => return server_error(&error),
    };
    let status = if facts.is_some() { StatusCode::OK } else { StatusCode::NOT_FOUND };
    let body = overlay::draw(facts.as_deref(), &options, &widgets.live(&server, facts.as_deref()));
    let policy = widgets.0.overlay_policy.clone();
    answer(&headers, status, Content::PAGE, Some(policy), &body)
}

/// The media type of a response, and how long it may be cached.
#[derive(Clone, Copy)]
struct Content {
    media_type: &'static str,
    caching: &'static str,
}

impl Content {
    const PAGE: Self = Self { media_type: "text/html; charset=utf-8", caching: CACHED };
    const PICTURE: Self = Self { media_type: "image/svg+xml", caching: PICTURE_CACHED };
    const SCRIPT: Self = Self { media_type: "text/javascript; charset=utf-8", caching: CACHED };
}

/// The response with the body, or 304 if the client has it.
fn answer(
    headers: &HeaderMap,
    status: StatusCode,
    content: Content,
    policy: Option<HeaderValue>,
    body: &str,
) -> Response {
    let tag = entity_tag(body.as_bytes());
    // Conditions apply only to a request whose response would otherwise be 2xx (RFC 9110, section
    // 13.2.1).
    let is_known = status == StatusCode::OK && is_not_modified(headers, &tag);
    let mut response = match is_known {
        true => StatusCode::NOT_MODIFIED.into_response(),
        false => (status, body.to_owned()).into_response(),
    };
    let response_headers = response.headers_mut();
    for (name, value) in [
        (header::CONTENT_TYPE, content.media_type),
        (header::CACHE_CONTROL, content.caching),
        (header::X_CONTENT_TYPE_OPTIONS, "nosniff"),
        (header::REFERRER_POLICY, "strict-origin-when-cross-origin"),
    ] {
        response_headers.insert(name, HeaderValue::from_static(value));
    }
    // Pages with `Cross-Origin-Embedder-Policy: require-corp` embed nothing without this header.
    response_headers
        .insert("cross-origin-resource-policy", HeaderValue::from_static("cross-origin"));
    response_headers.insert(header::ETAG, tag);
    if let Some(policy) = policy {
        response_headers.insert(header::CONTENT_SECURITY_POLICY, policy);
    }
    response
}

#[cfg(test)]
mod tests {
    use super::*;

    fn answer_to(headers: &[(header::HeaderName, &'static str)], status: StatusCode) -> Response {
        let headers = headers
            .iter()
            .map(|(name, value)| (name.clone(), HeaderValue::from_static(value)))
            .collect();
        let policy = content_security_policy(html::STYLE, "https://p.fr");
        answer(&headers, status, Content::PAGE, Some(policy), "a widget")
    }

    #[test]
    fn widget_headers_allow_framing_and_caching() {
        let first = answer_to(&[], StatusCode::OK);
        let headers = first.headers();
        assert_eq!(headers[header::CACHE_CONTROL], CACHED);
        assert!(headers.get(header::X_FRAME_OPTIONS).is_none());
        let policy = headers[header::CONTENT_SECURITY_POLICY].to_str().expect("a text");
        assert!(policy.starts_with("default-src 'none'; style-src 'sha256-"), "{policy}");
        assert!(policy.contains("script-src 'self'; connect-src 'self' wss://p.fr;"), "{policy}");
        assert!(policy.ends_with("frame-ancestors *") && !policy.contains("unsafe"), "{policy}");
    }

    #[test]
    fn current_copies_are_not_sent_again() {
        let tag = answer_to(&[], StatusCode::OK).headers()[header::ETAG].clone();
        let mut headers = HeaderMap::new();
        headers.insert(header::IF_NONE_MATCH, tag.clone());
        let again = answer(&headers, StatusCode::OK, Content::PAGE, None, "a widget");
        assert_eq!(
            (again.status(), &again.headers()[header::ETAG]),
            (StatusCode::NOT_MODIFIED, &tag)
        );
        let other = answer(&headers, StatusCode::OK, Content::PAGE, None, "another");
        assert_eq!(other.status(), StatusCode::OK);
        let missing = answer(&headers, StatusCode::NOT_FOUND, Content::PAGE, None, "a widget");
        assert_eq!(missing.status(), StatusCode::NOT_FOUND);
    }

    #[test]
    fn widget_picture_is_cached_for_ten_seconds() {
        let picture = answer(&HeaderMap::new(), StatusCode::OK, Content::PICTURE, None, "<svg/>");
        let headers = picture.headers();
        assert_eq!(headers[header::CACHE_CONTROL], "public, max-age=10, stale-if-error=86400");
        assert_eq!(headers[header::CONTENT_TYPE], "image/svg+xml");
        assert!(headers.contains_key(header::ETAG));
    }

    #[test]
    fn the_script_knows_every_size() {
        assert!(SCRIPT.contains(r#""banner": {"#) && !SCRIPT.contains("__SIZES__"));
    }
}
