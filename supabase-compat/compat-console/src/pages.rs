//! The built pages of the console, with one page for every path that is not a file. Development
//! builds read the files from `supabase-compat/console/dist` at each request, so that the pages can
//! be rebuilt without the program.

use std::future::ready;

use axum::extract::Request;
use axum::response::{IntoResponse as _, Response};
use compat_http::{StaticFile, compressed_name, is_plain_name, static_response};
use http::{HeaderMap, HeaderValue, Method, StatusCode};
use rust_embed::RustEmbed;

#[derive(RustEmbed)]
#[folder = "../console/dist"]
#[allow_missing = true]
// These files are embedded in their compressed form only.
#[exclude = "assets/*.js"]
#[exclude = "assets/*.css"]
#[exclude = "assets/*.json"]
struct Dist;

/// Names under this folder carry a hash of their content and never change.
const HASHED: &str = "assets/";
/// The page for all other paths.
const INDEX: &str = "index.html";
const MISSING: &str = "The pages of the console are not built: run scripts/build-pages, or npm ci and \
    npm run build in supabase-compat/console.\n";

/// The file of a path, or the page.
pub(crate) async fn serve(request: Request) -> Response {
    if !matches!(*request.method(), Method::GET | Method::HEAD) {
        return StatusCode::METHOD_NOT_ALLOWED.into_response();
    }
    let name = request.uri().path().trim_start_matches('/');
    match answer(name, request.headers()).await {
        Some(response) => response,
        // For a missing script, the page would be run as a script.
        None if name.starts_with(HASHED) => StatusCode::NOT_FOUND.into_response(),
        None => answer(INDEX, request.headers())
            .await
            .unwrap_or_else(|| (StatusCode::SERVICE_UNAVAILABLE, MISSING).into_response()),
    }
}

async fn answer(name: &str, request: &HeaderMap) -> Option<Response> {
    if !is_plain_name(name) {
        return None;
    }
    let lifetime = HeaderValue::from_static(match name.starts_with(HASHED) {
        true => "public, max-age=31536000, immutable",
        false => "no-cache",
    });
    static_response(name, request, lifetime, |name| ready(file(&name))).await
}

fn file(name: &str) -> Option<StaticFile> {
    embedded(name).or_else(|| embedded(&compressed_name(name))?.decompressed().ok())
}

fn embedded(name: &str) -> Option<StaticFile> {
    let file = Dist::get(name)?;
    Some(StaticFile { hash: file.metadata.sha256_hash(), bytes: file.data })
}
