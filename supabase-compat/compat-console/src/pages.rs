//! The pages of the console, as they were built: files with their compressed twins, and one page for every
//! address that is no file. In development builds they are read from `supabase-compat/console/dist` at each
//! request, so that the pages can be rebuilt without the program.

use axum::body::Body;
use axum::extract::Request;
use axum::response::{IntoResponse as _, Response};
use http::{HeaderMap, HeaderValue, Method, StatusCode, header};
use rust_embed::{EmbeddedFile, RustEmbed};

#[derive(RustEmbed)]
#[folder = "../console/dist"]
#[allow_missing = true]
struct Dist;

/// Names under this folder carry a hash of their content and never change.
const HASHED: &str = "assets/";
/// The page of all addresses.
const INDEX: &str = "index.html";
const MISSING: &str = "The pages of the console are not built: run scripts/build-pages, or npm ci and \
    npm run build in supabase-compat/console.\n";

/// The file of a path, or the page.
pub(crate) async fn serve(request: Request) -> Response {
    if !matches!(*request.method(), Method::GET | Method::HEAD) {
        return StatusCode::METHOD_NOT_ALLOWED.into_response();
    }
    let name = request.uri().path().trim_start_matches('/');
    let is_asset = name.starts_with(HASHED);
    let known = content_type(name)
        .filter(|_| is_plain(name))
        .and_then(|kind| answer(name, kind, request.headers()));
    match known {
        Some(response) => response,
        // A page in place of a script that is gone would be run as one.
        None if is_asset => StatusCode::NOT_FOUND.into_response(),
        None => answer(INDEX, "text/html; charset=utf-8", request.headers())
            .unwrap_or_else(|| (StatusCode::SERVICE_UNAVAILABLE, MISSING).into_response()),
    }
}

fn answer(name: &str, kind: &'static str, request: &HeaderMap) -> Option<Response> {
    let (file, encoding) = smallest(name, request)?;
    let tag = entity_tag(&file, encoding);
    let is_known = request.get(header::IF_NONE_MATCH) == Some(&tag);
    let mut response = Response::new(if is_known { Body::empty() } else { file.data.into() });
    if is_known {
        *response.status_mut() = StatusCode::NOT_MODIFIED;
    }
    let headers = response.headers_mut();
    headers.insert(header::ETAG, tag);
    headers.insert(header::VARY, HeaderValue::from_static("Accept-Encoding"));
    headers.insert(header::CONTENT_TYPE, HeaderValue::from_static(kind));
    headers.insert(
        header::CACHE_CONTROL,
        HeaderValue::from_static(match name.starts_with(HASHED) {
            true => "public, max-age=31536000, immutable",
            false => "no-cache",
        }),
    );
    if let Some(encoding) = encoding {
        headers.insert(header::CONTENT_ENCODING, HeaderValue::from_static(encoding));
    }
    Some(response)
}

fn smallest(name: &str, request: &HeaderMap) -> Option<(EmbeddedFile, Option<&'static str>)> {
    for (encoding, ending) in [("br", "br"), ("gzip", "gz")] {
        if accepts(request, encoding)
            && let Some(file) = Dist::get(&format!("{name}.{ending}"))
        {
            return Some((file, Some(encoding)));
        }
    }
    Dist::get(name).map(|file| (file, None))
}

/// RFC 9110 section 12.5.3, as far as two encodings need it: named and not weighed zero.
fn accepts(request: &HeaderMap, encoding: &str) -> bool {
    request
        .get_all(header::ACCEPT_ENCODING)
        .iter()
        .filter_map(|value| value.to_str().ok())
        .flat_map(|line| line.split(','))
        .map(|entry| entry.split_once(';').unwrap_or((entry, "")))
        .any(|(name, weight)| {
            let is_refused = matches!(weight.trim(), "q=0" | "q=0.0" | "q=0.00" | "q=0.000");
            name.trim().eq_ignore_ascii_case(encoding) && !is_refused
        })
}

fn entity_tag(file: &EmbeddedFile, encoding: Option<&str>) -> HeaderValue {
    let hash = file.metadata.sha256_hash();
    let mut tag: String = hash.iter().take(12).map(|byte| format!("{byte:02x}")).collect();
    tag.push_str(encoding.unwrap_or_default());
    HeaderValue::from_str(&format!("\"{tag}\"")).unwrap_or(HeaderValue::from_static("\"\""))
}

/// A name that leads to no place but below the folder it is looked up in.
fn is_plain(name: &str) -> bool {
    name.split('/').all(|part| !part.is_empty() && !part.starts_with('.'))
        && !name.contains(['\\', '\0', ':', '%'])
}

/// The types of files a build of the pages holds. Compressed twins are reached through their originals only.
fn content_type(name: &str) -> Option<&'static str> {
    let (_, ending) = name.rsplit_once('.')?;
    Some(match ending {
        "js" | "mjs" => "text/javascript; charset=utf-8",
        "css" => "text/css; charset=utf-8",
        "json" | "map" => "application/json",
        "svg" => "image/svg+xml",
        "png" => "image/png",
        "ico" => "image/x-icon",
        "webp" => "image/webp",
        "woff2" => "font/woff2",
        "wasm" => "application/wasm",
        "txt" => "text/plain; charset=utf-8",
        _ => return None,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_name_leads_out_of_the_pages() {
        for name in ["../keys.json", "assets/../../k.js", "a//b.js", "a\\..\\b.js", ".git/x.txt"] {
            assert!(!is_plain(name), "{name}");
        }
        assert!(is_plain("assets/home-1.js"));
    }
}
