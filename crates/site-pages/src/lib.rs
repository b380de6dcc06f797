//! The HTTP routes of the site's pages: the built page with the head, the texts and the first rows
//! of each route written in, social cards, widgets, feeds, the sitemap and `robots.txt`.
//!
//! The browser renders the content of the pages from the services' answers; this crate does not. It
//! queries the database only for heads, cards, widgets, feeds and the sitemap.

mod address;
mod answer;
mod audit;
mod card;
mod crawl;
mod etag;
mod figures;
mod head;
mod html;
mod load;
mod public_config;
mod site;
mod widget;

use axum::Router;
use axum::body::Body;
use axum::extract::{Request, State};
use axum::response::{IntoResponse as _, Redirect, Response};
use axum::routing::get;
use compat_http::Clock;
use compat_pg::{OwnerDb, PoolBudget};
use http::{Method, StatusCode};

pub use load::build::{Build, MissingBuild};
pub use public_config::{ApiLimits, PublicConfig, RetentionPeriods};

use address::list_query::ListQuery;
use address::paths;
use answer::{protect, redirect, server_error};
use crawl::{feed, sitemap};
use head::description::{self, PageDescription};
use load::assets;
use load::prefetch::Prefetcher;
use site::Site;

/// The share of the owner's connections that the pages may use.
const PAGES: PoolBudget = PoolBudget::new("pages", 2);

/// The shares of the owner's connections that this crate uses.
pub const POOL_BUDGETS: [PoolBudget; 1] = [PAGES];

/// The parts of the process that the pages need.
pub struct PageEnvironment<'a> {
    /// The database, whose connections the pages use within their budget.
    pub owner: &'a OwnerDb,
    /// The public address without a trailing slash.
    pub origin: &'a str,
    /// The API key with which the pages call the services.
    pub anon_key: &'a str,
    /// The clock of the process.
    pub clock: &'a Clock,
    /// The services at their public paths, for calls inside this process.
    pub services: Router,
}

/// The router of the pages of this build; every path without a route of its own is a page. The
/// pages get their first rows from the services and their settings from `config`.
pub fn router(environment: PageEnvironment<'_>, build: Build, config: PublicConfig) -> Router {
    let PageEnvironment { owner, origin, anon_key, clock, services } = environment;
    let site = Site::new(
        owner.with_budget(PAGES),
        origin,
        anon_key,
        clock.clone(),
        build,
        Prefetcher::new(services.clone(), anon_key, clock.clone()),
        config,
    );
    let widgets = widget::router(site.clone());
    let cards = card::router(site.clone(), services.clone());
    let pages = Router::new()
        .route("/sitemap.xml", get(sitemap::index))
        .route("/sitemaps/{file}", get(sitemap::file))
        .route("/robots.txt", get(sitemap::robots))
        .route("/feeds/{language}/{file}", get(feed::all))
        .route("/feeds/{language}/game/{file}", get(feed::of_game))
        .fallback(show)
        .with_state(site.clone())
        .merge(widgets)
        .merge(cards);
    // The audit gets the pages without its own route, so that it cannot ask for itself.
    audit::router(site, pages.clone(), services).merge(pages)
}

/// Answers with a file of the build, a redirect to the page's canonical path, or the page.
async fn show(State(site): State<Site>, request: Request) -> Response {
    if !matches!(*request.method(), Method::GET | Method::HEAD) {
        return StatusCode::METHOD_NOT_ALLOWED.into_response();
    }
    let uri = request.uri();
    let path = uri.path();
    if let Some(file) = assets::serve(site.build(), path, request.headers()).await {
        return file;
    }
    if is_file_like(path) {
        return StatusCode::NOT_FOUND.into_response();
    }
    if let Some(target) = paths::canonical_path(path) {
        let query = uri.query().map(|query| format!("?{query}")).unwrap_or_default();
        return Redirect::permanent(&format!("{target}{query}")).into_response();
    }
    page(&site, path, uri.query()).await
}

/// Whether a path belongs to a file. A missing file gets no page in its place, since a browser
/// would take the page for a script.
fn is_file_like(path: &str) -> bool {
    ["/assets/", "/pictures/", "/fonts/"].iter().any(|folder| path.starts_with(folder))
}

#[tracing::instrument(name = "pages.describe", skip_all)]
async fn page(site: &Site, path: &str, query: Option<&str>) -> Response {
    let facts = match site.facts().await {
        Ok(facts) => facts,
        Err(error) => return server_error(&error),
    };
    let mut list_query = ListQuery::read(query);
    let (status, head) = match description::describe(site, &facts, path, query, &list_query).await {
        Ok(PageDescription::Page { status, head }) => (status, head),
        Ok(PageDescription::Redirect(target)) => return redirect(&target),
        Err(error) => return server_error(&error),
    };
    let Some(built) = site.parsed_build().await else {
        let text = "The pages have not been built: run `just pages`.\n";
        return (StatusCode::SERVICE_UNAVAILABLE, text).into_response();
    };
    let page_match = Some(status).filter(StatusCode::is_success).and_then(|_| paths::page_at(path));
    // `?game=` counts only for a game that shares this page.
    list_query.game = list_query.game.filter(|_| head.query.starts_with("?game="));
    let html = site.write(&built, &facts, *head, page_match.as_ref(), &list_query).await;
    let mut response = Response::new(Body::from(html));
    *response.status_mut() = status;
    protect(response.headers_mut(), &built.template.policy);
    response
}
