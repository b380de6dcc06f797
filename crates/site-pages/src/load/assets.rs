//! Serving the files of a build over HTTP.

use axum::response::Response;
use compat_http::static_response;
use http::{HeaderMap, HeaderValue};

use crate::load::build::{Build, HASHED};

/// The folder of the site's own pictures.
const PICTURES: &str = "pictures/";

const FOREVER: HeaderValue = HeaderValue::from_static("public, max-age=31536000, immutable");
const BRIEFLY: HeaderValue = HeaderValue::from_static("public, max-age=3600");
/// Rows refer to pictures by a name without a hash, so a redrawn picture keeps its name. Browsers
/// use their copy for a day, and for a year more they show it at once while they revalidate it.
const SHOWN_AT_ONCE: HeaderValue =
    HeaderValue::from_static("public, max-age=86400, stale-while-revalidate=31536000");

/// The file at `path`, in the smallest form the client accepts. `None` when there is no such file,
/// and for HTML: the page that all routes share is a template.
pub async fn serve(build: &Build, path: &str, request: &HeaderMap) -> Option<Response> {
    let name = path.trim_start_matches('/');
    if name.ends_with(".html") {
        return None;
    }
    let find = |name: String| async move { build.file(&name).await };
    static_response(name, request, lifetime(name), find).await
}

fn lifetime(name: &str) -> HeaderValue {
    match name {
        name if name.starts_with(HASHED) => FOREVER,
        name if name.starts_with(PICTURES) => SHOWN_AT_ONCE,
        _ => BRIEFLY,
    }
}
