//! The site's own audit of what search engines find: each kind of page in each language, the
//! sitemap and `robots.txt` are checked by the rules of `audit/rule.rs`.
//!
//! The pages are requested from their own router, exactly as clients get them. One audit runs at a
//! time, however many clients ask, continues when they disconnect, and sends one request after the
//! other, so that it uses few resources. It repairs nothing.

mod alternates;
mod basics;
mod card;
mod client;
mod content;
mod context;
mod report;
mod robots;
mod rule;
mod samples;
mod sitemap;
mod snapshot;
mod structured;
mod titles;

use std::convert::Infallible;
use std::num::NonZeroUsize;
use std::sync::Arc;
use std::time::Duration;

use axum::Router;
use axum::body::Bytes;
use axum::extract::State;
use axum::response::{IntoResponse as _, Response};
use axum::routing::get;
use compat_http::TtlCache;
use http::{StatusCode, header};
use tracing::Instrument as _;

use super::site::Site;
use client::SiteClient;

/// How long a report is valid, and how long a failed audit is not repeated.
const FRESH: Duration = Duration::from_secs(300);
const AGAIN: Duration = Duration::from_secs(10);

/// How long browsers and proxies may cache the report.
const CACHED: &str = "public, max-age=60, stale-while-revalidate=300";

/// The route of the report on `pages`, relative to the site's root.
pub fn router(site: Site, pages: Router, services: Router) -> Router {
    let ttl = |report: &Option<Bytes>| if report.is_some() { FRESH } else { AGAIN };
    let report = TtlCache::new(site.clock().clone(), NonZeroUsize::MIN, ttl);
    let audit = Audit(Arc::new(Inner { site, client: SiteClient { pages, services }, report }));
    Router::new().route("/api/seo-audit", get(show)).with_state(audit)
}

#[derive(Clone)]
struct Audit(Arc<Inner>);

struct Inner {
    site: Site,
    client: SiteClient,
    /// The last report; `None` when it failed.
    report: TtlCache<(), Option<Bytes>, Infallible>,
}

impl Audit {
    /// Waits for the report. The audit runs in a task of its own, so that it runs once even if all
    /// clients disconnect.
    async fn report(&self) -> Option<Bytes> {
        let audit = self.clone();
        let work = async move {
            let Ok(report) =
                audit.0.report.get_or_load(&(), async { Ok(audit.make().await) }).await;
            report
        };
        tokio::spawn(work.in_current_span()).await.ok().flatten()
    }

    async fn make(&self) -> Option<Bytes> {
        let report = match report::make(&self.0.site, &self.0.client).await {
            Ok(report) => report,
            Err(error) => {
                tracing::error!(%error, "audit failed: database error");
                return None;
            }
        };
        serde_json::to_vec(&report).ok().map(Bytes::from)
    }
}

/// `GET /api/seo-audit`.
#[tracing::instrument(name = "pages.seo_audit", skip_all)]
async fn show(State(audit): State<Audit>) -> Response {
    let kind = [(header::CONTENT_TYPE, "application/json"), (header::CACHE_CONTROL, CACHED)];
    match audit.report().await {
        Some(report) => (kind, report).into_response(),
        None => (StatusCode::SERVICE_UNAVAILABLE, [(header::RETRY_AFTER, "10")]).into_response(),
    }
}
