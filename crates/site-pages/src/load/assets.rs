//! The files of a build over HTTP, each with its compressed twins, made when the pages were built.

use axum::body::Body;
use axum::response::Response;
use http::{HeaderMap, HeaderValue, StatusCode, header};

use crate::load::build::{Build, File, HASHED};

/// Where the site's own pictures are.
const PICTURES: &str = "pictures/";

const FOREVER: HeaderValue = HeaderValue::from_static("public, max-age=31536000, immutable");
const BRIEFLY: HeaderValue = HeaderValue::from_static("public, max-age=3600");
/// Rows name pictures by their plain address, so one that is drawn anew keeps its name: it is shown
/// at once from what is kept, for a year, and after a day asked for beside that.
const SHOWN_AT_ONCE: HeaderValue =
    HeaderValue::from_static("public, max-age=86400, stale-while-revalidate=31536000");

/// Scripts of other origins read no header of a file. The list of what they may read of the services
/// would be two fifths of what a small picture weighs.
const NOTHING: HeaderValue = HeaderValue::from_static("");

/// The file at `path`, in the smallest form the client accepts; none when there is no such file.
pub async fn serve(build: &Build, path: &str, request: &HeaderMap) -> Option<Response> {
    let name = path.trim_start_matches('/');
    let kind = content_type(name)?;
    let (file, encoding) = smallest(build, name, request).await?;
    let tag = entity_tag(&file, encoding);
    let known = request.get(header::IF_NONE_MATCH) == Some(&tag);
    let mut response = Response::new(if known { Body::empty() } else { Body::from(file.bytes) });
    if known {
        *response.status_mut() = StatusCode::NOT_MODIFIED;
    }
    let headers = response.headers_mut();
    headers.insert(header::ETAG, tag);
    headers.insert(header::VARY, HeaderValue::from_static("Accept-Encoding"));
    headers.insert(header::CONTENT_TYPE, HeaderValue::from_static(kind));
    headers.insert(header::CACHE_CONTROL, lifetime(name));
    headers.insert(header::ACCESS_CONTROL_EXPOSE_HEADERS, NOTHING);
    if let Some(encoding) = encoding {
        headers.insert(header::CONTENT_ENCODING, HeaderValue::from_static(encoding));
    }
    Some(response)
}

fn lifetime(name: &str) -> HeaderValue {
    match name {
        name if name.starts_with(HASHED) => FOREVER,
        name if name.starts_with(PICTURES) => SHOWN_AT_ONCE,
        _ => BRIEFLY,
    }
}

async fn smallest(
    build: &Build,
    name: &str,
    request: &HeaderMap,
) -> Option<(File, Option<&'static str>)> {
    for (encoding, ending) in [("br", "br"), ("gzip", "gz")] {
        if accepts(request, encoding)
            && let Some(file) = build.file(&format!("{name}.{ending}")).await
        {
            return Some((file, Some(encoding)));
        }
    }
    build.file(name).await.map(|file| (file, None))
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
            let refused = matches!(weight.trim(), "q=0" | "q=0.0" | "q=0.00" | "q=0.000");
            name.trim().eq_ignore_ascii_case(encoding) && !refused
        })
}

fn entity_tag(file: &File, encoding: Option<&str>) -> HeaderValue {
    let mut tag: String = file.hash.iter().take(12).map(|byte| format!("{byte:02x}")).collect();
    tag.push_str(encoding.unwrap_or_default());
    HeaderValue::from_str(&format!("\"{tag}\"")).unwrap_or(HeaderValue::from_static("\"\""))
}

/// The types of files a build of the pages holds. Anything else is not served: compressed twins
/// are reached through their originals only.
fn content_type(name: &str) -> Option<&'static str> {
    let (_, ending) = name.rsplit_once('.')?;
    Some(match ending {
        "js" | "mjs" => "text/javascript; charset=utf-8",
        "css" => "text/css; charset=utf-8",
        "json" | "map" => "application/json",
        "webmanifest" => "application/manifest+json",
        "svg" => "image/svg+xml",
        "png" => "image/png",
        "jpg" | "jpeg" => "image/jpeg",
        "webp" => "image/webp",
        "ico" => "image/x-icon",
        "woff2" => "font/woff2",
        "wasm" => "application/wasm",
        "txt" => "text/plain; charset=utf-8",
        _ => return None,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn headers_with(line: &'static str) -> HeaderMap {
        HeaderMap::from_iter([(header::ACCEPT_ENCODING, HeaderValue::from_static(line))])
    }

    #[test]
    fn an_encoding_weighed_zero_is_not_accepted() {
        assert!(accepts(&headers_with("gzip, deflate, br"), "br"));
        assert!(accepts(&headers_with("gzip;q=0.5, br;q=1"), "gzip"));
        assert!(!accepts(&headers_with("br;q=0, gzip"), "br"));
        assert!(!accepts(&HeaderMap::new(), "br"));
    }

    #[test]
    fn only_files_of_a_build_are_served() {
        assert_eq!(content_type("assets/index-1.js"), Some("text/javascript; charset=utf-8"));
        assert_eq!(content_type("assets/index-1.js.br"), None);
        assert_eq!(content_type("serveurs-minecraft"), None);
    }
}
