//! A client that sends requests to the site's own routers in this process.

use std::time::Duration;

use axum::Router;
use axum::body::{Body, Bytes, to_bytes};
use http::{Request, header};
use tower::ServiceExt as _;

use super::snapshot::PageSnapshot;

/// The longest body that is read. It exceeds the limit for a sitemap, and so any page or picture.
const LARGEST: usize = 64 * 1024 * 1024;

const TIMEOUT: Duration = Duration::from_secs(30);

/// The routers that get the requests.
pub struct SiteClient {
    /// The pages, without the audit itself.
    pub pages: Router,
    /// The services, which store the pictures of owners.
    pub services: Router,
}

/// A response; its status is 0 when none arrived.
#[derive(Default)]
pub struct SiteResponse {
    pub status: u16,
    pub kind: String,
    pub robots: String,
    pub body: Bytes,
}

impl SiteClient {
    /// Requests a path of this site, as an anonymous visitor.
    pub async fn get(&self, path: &str) -> SiteResponse {
        let answer = tokio::time::timeout(TIMEOUT, self.answer(path));
        answer.await.ok().flatten().unwrap_or_default()
    }

    async fn answer(&self, path: &str) -> Option<SiteResponse> {
        let request = Request::get(path).body(Body::empty()).ok()?;
        let at = if path.starts_with("/storage/") { &self.services } else { &self.pages };
        let (parts, body) = at.clone().oneshot(request).await.ok()?.into_parts();
        let header_text = |name: header::HeaderName| {
            let value = parts.headers.get(name).and_then(|value| value.to_str().ok());
            value.unwrap_or_default().to_owned()
        };
        Some(SiteResponse {
            status: parts.status.as_u16(),
            kind: header_text(header::CONTENT_TYPE),
            robots: header_text(header::HeaderName::from_static("x-robots-tag")),
            body: to_bytes(body, LARGEST).await.ok()?,
        })
    }

    /// Requests a page and parses it.
    pub async fn page(&self, path: &str) -> PageSnapshot {
        let answer = self.get(path).await;
        let html = String::from_utf8_lossy(&answer.body);
        PageSnapshot::read(answer.status, &answer.robots, &html)
    }
}
