//! Response headers of an object: type, entity tag, caching, and protection against active content.
//!
//! Files come from untrusted users and are served from the site's own origin. HTML is served as
//! plain text; other content that a browser might execute (above all SVG and other XML) keeps its
//! type, so that `<img>` shows it, and gets a sandboxing policy for the case that it is opened
//! directly.

use chrono::{DateTime, Utc};
use http::{HeaderMap, HeaderName, HeaderValue, header};
use percent_encoding::{AsciiSet, NON_ALPHANUMERIC, utf8_percent_encode};

use crate::model::ObjectRow;

/// Options of an object's response beside its row.
pub struct ResponseOptions {
    /// `?download`: the file name to save under; an empty name keeps the client's default.
    pub download: Option<String>,
    /// The maximum age in shared caches, in seconds.
    pub shared_max_age: u64,
    /// The expiry of a signed URL, in Unix seconds.
    pub until: Option<i64>,
    /// Whether the client has an older version that it may show while it revalidates.
    pub revalidates: bool,
}

const INERT: &str = "default-src 'none'; style-src 'unsafe-inline'; img-src data:; \
                     media-src 'self'; sandbox";

/// All headers except those of the length.
pub fn headers(row: &ObjectRow, answering: &ResponseOptions) -> HeaderMap {
    let known = row.known();
    let kind = content_type_of(known.mimetype.as_deref().unwrap_or("application/octet-stream"));
    let mut headers = HeaderMap::new();
    let fixed = HeaderValue::from_static;
    if may_run(&kind) {
        headers.insert(header::CONTENT_SECURITY_POLICY, fixed(INERT));
    }
    let mut put = |name: HeaderName, value: Option<String>| {
        let value = value.and_then(|value| HeaderValue::try_from(value).ok());
        value.map(|value| headers.insert(name, value));
    };
    put(header::CONTENT_TYPE, Some(kind));
    put(header::ETAG, known.e_tag.clone());
    put(header::LAST_MODIFIED, known.last_modified.or(row.updated_at).map(http_date));
    put(header::CONTENT_DISPOSITION, disposition(answering.download.as_deref()));
    // As in the original, the response to a signed URL has an expiry instead of a maximum age.
    match answering.until {
        Some(until) => put(header::EXPIRES, DateTime::from_timestamp(until, 0).map(http_date)),
        None => put(
            header::CACHE_CONTROL,
            Some(cache_control(known.cache_control.as_deref(), answering)),
        ),
    }
    let robots = known.x_robots_tag.as_deref().unwrap_or("none").to_owned();
    put(HeaderName::from_static("x-robots-tag"), Some(robots));
    headers.insert(header::ACCEPT_RANGES, fixed("bytes"));
    headers.insert(header::X_CONTENT_TYPE_OPTIONS, fixed("nosniff"));
    headers
}

/// Replaces HTML and similar types with plain text, as the original does for HTML.
pub fn content_type_of(kind: &str) -> String {
    let bare = kind.split(';').next().unwrap_or_default().trim().to_ascii_lowercase();
    match bare.as_str() {
        "text/html" => kind.to_ascii_lowercase().replacen("text/html", "text/plain", 1),
        "application/xhtml+xml" | "multipart/x-mixed-replace" => "text/plain".to_owned(),
        _ => kind.to_owned(),
    }
}

/// Whether a browser might execute content of this type: all types except those known to be inert.
pub fn may_run(kind: &str) -> bool {
    let bare = kind.split(';').next().unwrap_or_default().trim().to_ascii_lowercase();
    let is_inert = match bare.split_once('/') {
        Some(("image" | "audio" | "video" | "font", form)) => !form.contains("xml"),
        Some(("text", form)) => matches!(form, "plain" | "csv" | "markdown"),
        Some(("application", form)) => {
            matches!(form, "octet-stream" | "json" | "pdf" | "zip" | "gzip" | "wasm")
        }
        _ => false,
    };
    !is_inert
}

fn cache_control(stored: Option<&str>, answering: &ResponseOptions) -> String {
    let mut text = stored.unwrap_or("no-cache").to_owned();
    if answering.shared_max_age > 0 {
        text.push_str(&format!(", s-maxage={}", answering.shared_max_age));
    }
    if answering.revalidates {
        text.push_str(", stale-while-revalidate=30");
    }
    text
}

/// All characters that must be encoded; RFC 5987 leaves the removed ones unencoded.
const PLAIN: &AsciiSet = &NON_ALPHANUMERIC
    .remove(b'-')
    .remove(b'_')
    .remove(b'.')
    .remove(b'~')
    .remove(b'!')
    .remove(b'*')
    .remove(b'\'')
    .remove(b'(')
    .remove(b')');

fn disposition(download: Option<&str>) -> Option<String> {
    let name = download?;
    if name.is_empty() {
        return Some("attachment;".to_owned());
    }
    let name = utf8_percent_encode(name, PLAIN);
    Some(format!("attachment; filename={name}; filename*=UTF-8''{name}"))
}

pub(super) fn http_date(moment: DateTime<Utc>) -> String {
    moment.format("%a, %d %b %Y %H:%M:%S GMT").to_string()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn html_becomes_text_and_pictures_keep_their_type() {
        for (kind, expected) in [
            ("text/html", "text/plain"),
            ("Text/HTML; charset=utf-8", "text/plain; charset=utf-8"),
            ("application/xhtml+xml", "text/plain"),
            ("image/svg+xml", "image/svg+xml"),
            ("image/png", "image/png"),
        ] {
            assert_eq!(content_type_of(kind), expected);
        }
    }

    #[test]
    fn active_content_is_sandboxed() {
        for kind in ["image/svg+xml", "text/xml", "application/xml", "text/javascript", "x", ""] {
            assert!(may_run(kind), "{kind}");
        }
        for kind in ["image/png", "image/webp; x=y", "text/plain;charset=utf-8", "application/pdf"]
        {
            assert!(!may_run(kind), "{kind}");
        }
    }

    #[test]
    fn names_to_download_cannot_end_their_header() {
        assert_eq!(disposition(None), None);
        assert_eq!(disposition(Some("")).as_deref(), Some("attachment;"));
        let header = disposition(Some("é\"\r\nx: y.png")).expect("a header");
        assert!(HeaderValue::try_from(&header).is_ok(), "{header}");
        assert!(!header.contains('"') && !header.contains('\n') && header.ends_with("y.png"));
    }
}
