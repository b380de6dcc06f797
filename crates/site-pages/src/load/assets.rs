//! The files of a build over HTTP.

use axum::response::Response;
use compat_http::static_response;
use http::{HeaderMap, HeaderValue};

use crate::load::build::{Build, HASHED};

/// Where the site's own pictures are.
const PICTURES: &str = "pictures/";

const FOREVER: HeaderValue = HeaderValue::from_static("public, max-age=31536000, immutable");
const BRIEFLY: HeaderValue = HeaderValue::from_static("public, max-age=3600");
/// Rows name pictures by their plain address, so one that is drawn anew keeps its name: it is shown
/// at once from what is kept, for a year, and after a day asked for beside that.
const SHOWN_AT_ONCE: HeaderValue =
    HeaderValue::from_static("public, max-age=86400, stale-while-revalidate=31536000");

/// The file at `path`, in the smallest form the client accepts; none when there is no such file, and of the
/// page that all routes share, which is never sent as it is.
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
