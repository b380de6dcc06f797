//! Compresses responses for clients that accept it, as the gateway in front of the originals does.
//!
//! Gzip only. Of a list of 25 rows (19.9 kB) gzip leaves 4.5 kB; brotli at the same cost leaves
//! 4.4, at twice the cost 4.1, and would bring a dictionary into every program. What never changes
//! is compressed with brotli when it is built, and passes through here as it is.
//!
//! Compressed sizes leak secrets if an attacker can make a browser send requests with them and adds
//! text of their own (BREACH). Here secrets are in headers that no other site's page can send.

use std::io::{self, Write as _};

use axum::body::{Body, HttpBody as _, to_bytes};
use axum::response::Response;
use flate2::Compression;
use flate2::write::GzEncoder;
use http::request::Parts;
use http::{HeaderMap, HeaderValue, Method, StatusCode, header};

/// Smaller answers fit into one packet either way.
const SMALLEST: u64 = 1024;

/// Larger ones are compressed where waiting is allowed: this much takes about half a millisecond.
const LARGE: u64 = 64 * 1024;

/// Of 1 to 9; of rows, more takes longer and saves a hundredth.
const LEVEL: Compression = Compression::new(3);

/// The level of documents, which everything else of a visit waits for: of 100 kB with style, texts
/// and rows, level 3 leaves 28 and this 26, for a millisecond more. Above it nothing is saved.
const DOCUMENT_LEVEL: Compression = Compression::new(6);

/// Whether a response may be compressed at all, and whether the client accepts it.
#[derive(Debug, Clone, Copy)]
pub(crate) struct CompressionPreference {
    method_has_body: bool,
    gzip: bool,
}

impl CompressionPreference {
    /// The preference that a request expresses.
    pub(crate) fn of(request: &Parts) -> Self {
        Self {
            method_has_body: request.method != Method::HEAD,
            gzip: accepts(&request.headers, "gzip"),
        }
    }

    /// Compresses the response if the client accepts it. A streamed body, a body with an entity tag
    /// and a body that is already encoded stay as they are.
    pub(crate) async fn grant(self, response: Response) -> Response {
        let size = response.body().size_hint().exact();
        let Some(size) = size.filter(|size| *size >= SMALLEST && self.method_has_body) else {
            return response;
        };
        if !is_compressible(response.status(), response.headers()) {
            return response;
        }
        let (mut parts, body) = response.into_parts();
        parts.headers.append(header::VARY, HeaderValue::from_static("Accept-Encoding"));
        if !self.gzip {
            return Response::from_parts(parts, body);
        }
        // The size is known because all of it is here.
        let Ok(plain) = to_bytes(body, usize::MAX).await else {
            parts.status = StatusCode::INTERNAL_SERVER_ERROR;
            return Response::from_parts(parts, Body::empty());
        };
        let level = level_of(&parts.headers);
        let packed = match size > LARGE {
            true => {
                let plain = plain.clone();
                let packing = tokio::task::spawn_blocking(move || pack_at(level, &plain));
                packing.await.ok().and_then(Result::ok)
            }
            false => pack_at(level, &plain).ok(),
        };
        let Some(packed) = packed else { return Response::from_parts(parts, Body::from(plain)) };
        parts.headers.insert(header::CONTENT_ENCODING, HeaderValue::from_static("gzip"));
        parts.headers.remove(header::CONTENT_LENGTH);
        Response::from_parts(parts, Body::from(packed))
    }
}

fn level_of(headers: &HeaderMap) -> Compression {
    let kind = headers.get(header::CONTENT_TYPE).map_or(&b""[..], HeaderValue::as_bytes);
    match kind.starts_with(b"text/html") {
        true => DOCUMENT_LEVEL,
        false => LEVEL,
    }
}

pub(crate) fn pack(plain: &[u8]) -> io::Result<Vec<u8>> {
    pack_at(LEVEL, plain)
}

fn pack_at(level: Compression, plain: &[u8]) -> io::Result<Vec<u8>> {
    let mut encoder = GzEncoder::new(Vec::with_capacity(plain.len() / 3), level);
    encoder.write_all(plain)?;
    encoder.finish()
}

/// Whether a response is text without an encoding or an entity tag. `Content-Range` does not
/// matter: rest/v1 counts rows with it. A 206 of a byte range refers to the uncompressed form, but
/// has an entity tag.
fn is_compressible(status: StatusCode, headers: &HeaderMap) -> bool {
    let is_plain = !headers.contains_key(header::CONTENT_ENCODING)
        && !headers.contains_key(header::ETAG)
        && status != StatusCode::NOT_MODIFIED;
    let kind = headers.get(header::CONTENT_TYPE).and_then(|value| value.to_str().ok());
    is_plain && kind.is_some_and(is_text)
}

pub(crate) fn is_text(content_type: &str) -> bool {
    let kind = content_type.split(';').next().unwrap_or_default().trim();
    match kind.split_once('/') {
        Some(("text", form)) => form != "event-stream",
        Some(("application", form)) => {
            matches!(form, "json" | "xml" | "javascript")
                || form.ends_with("+json")
                || form.ends_with("+xml")
        }
        _ => false,
    }
}

/// Whether the client accepts an encoding (RFC 9110 section 12.5.3): the header names it or `*`,
/// and its weight is not zero.
pub(crate) fn accepts(headers: &HeaderMap, encoding: &str) -> bool {
    let lines = headers.get_all(header::ACCEPT_ENCODING).iter();
    let entries = lines.filter_map(|value| value.to_str().ok()).flat_map(|line| line.split(','));
    let mut any = None;
    for entry in entries {
        let (name, parameters) = entry.split_once(';').unwrap_or((entry, ""));
        let weight = parameters.trim().strip_prefix("q=").map(str::trim);
        let coding =
            weight.is_none_or(|weight| weight.parse().is_ok_and(|weight: f32| weight > 0.0));
        match name.trim() {
            // Section 8.4.1.3: a form of the name that is kept for old clients.
            name if name.eq_ignore_ascii_case(encoding)
                || (encoding == "gzip" && name.eq_ignore_ascii_case("x-gzip")) =>
            {
                return coding;
            }
            "*" => any = Some(coding),
            _ => {}
        }
    }
    any.unwrap_or(false)
}

#[cfg(test)]
mod tests {
    use std::convert::Infallible;
    use std::io::Read as _;

    use compat_testkit::property_test;
    use flate2::read::GzDecoder;

    use super::*;

    fn headers_with(line: &str) -> HeaderMap {
        let value = HeaderValue::from_str(line).expect("a header");
        HeaderMap::from_iter([(header::ACCEPT_ENCODING, value)])
    }

    async fn answer(accepted: &str, kind: &str, body: Body, more: &[(&str, &str)]) -> Response {
        let request = http::Request::builder().header(header::ACCEPT_ENCODING, accepted);
        let (parts, ()) = request.body(()).expect("a request").into_parts();
        let mut response = Response::builder().header(header::CONTENT_TYPE, kind);
        for (name, value) in more {
            response = response.header(*name, *value);
        }
        CompressionPreference::of(&parts).grant(response.body(body).expect("an answer")).await
    }

    fn header_of<'a>(response: &'a Response, name: &str) -> Option<&'a str> {
        response.headers().get(name).map(|value| value.to_str().expect("a text"))
    }

    async fn unpacked(response: Response) -> String {
        let packed = to_bytes(response.into_body(), usize::MAX).await.expect("a body");
        let mut text = String::new();
        GzDecoder::new(&*packed).read_to_string(&mut text).expect("gzip");
        text
    }

    #[tokio::test]
    async fn json_and_text_are_compressed_on_request() {
        for size in [SMALLEST, LARGE + 1] {
            let text = "[]".repeat(usize::try_from(size / 2 + 1).expect("a size"));
            let range = [("content-range", "0-24/128"), ("content-length", "9")];
            let kind = "application/json; charset=utf-8";
            let packed = answer("br, gzip", kind, text.clone().into(), &range).await;
            assert_eq!(header_of(&packed, "content-encoding"), Some("gzip"));
            assert_eq!(header_of(&packed, "vary"), Some("Accept-Encoding"));
            assert_eq!(header_of(&packed, "content-range"), Some("0-24/128"));
            assert_eq!(header_of(&packed, "content-length"), None);
            assert!(packed.body().size_hint().exact().expect("a size") < size / 4);
            assert_eq!(unpacked(packed).await, text);

            let plain = answer("br", kind, text.clone().into(), &[]).await;
            assert_eq!(header_of(&plain, "content-encoding"), None);
            assert_eq!(header_of(&plain, "vary"), Some("Accept-Encoding"));
            assert_eq!(to_bytes(plain.into_body(), usize::MAX).await.expect("a body"), text);
        }
    }

    #[tokio::test]
    async fn documents_are_compressed_more_than_rows() {
        let text = include_str!("compress.rs");
        let mut sizes = Vec::new();
        for kind in ["text/html; charset=utf-8", "application/json"] {
            let packed = answer("gzip", kind, text.into(), &[]).await;
            sizes.push(packed.body().size_hint().exact().expect("a size"));
            assert_eq!(unpacked(packed).await, text);
        }
        assert!(sizes[0] < sizes[1], "{sizes:?}");
    }

    #[tokio::test]
    async fn small_encoded_and_binary_answers_stay_uncompressed() {
        let large = || Body::from("a".repeat(4096));
        for (kind, body, more) in [
            ("application/json", Body::from("[]".repeat(100)), &[][..]),
            ("text/javascript", large(), &[("content-encoding", "br")][..]),
            ("text/css", large(), &[("etag", "\"a\"")][..]),
            ("image/png", large(), &[]),
            ("application/octet-stream", large(), &[]),
            ("text/event-stream", large(), &[]),
        ] {
            let response = answer("gzip", kind, body, more).await;
            let before = more.iter().find(|(name, _)| *name == "content-encoding");
            assert_eq!(header_of(&response, "content-encoding"), before.map(|(_, value)| *value));
            assert_eq!(header_of(&response, "vary"), None, "{kind} {more:?}");
        }
    }

    #[tokio::test]
    async fn streamed_answers_pass_piece_by_piece() {
        let pieces = futures_util::stream::iter([Ok::<_, Infallible>("a".repeat(4096))]);
        let streamed = answer("gzip", "text/html", Body::from_stream(pieces), &[]).await;
        assert_eq!(header_of(&streamed, "content-encoding"), None);
    }

    #[test]
    fn only_who_accepts_gzip_gets_it() {
        for line in ["gzip", "br;q=1, gzip;q=0.5", "GZIP", "x-gzip", "*", "identity;q=0, *;q=0.1"] {
            assert!(accepts(&headers_with(line), "gzip"), "{line}");
        }
        for line in ["", "br", "gzip;q=0", "gzip; q=0.000, *", "*;q=0", "gzip;q=x", "identity"] {
            assert!(!accepts(&headers_with(line), "gzip"), "{line}");
        }
        assert!(!accepts(&HeaderMap::new(), "gzip"));
    }

    #[test]
    fn random_accept_encodings_never_panic_the_parser() {
        property_test("wishes", "[a-z*;,=.0-9 ]{0,40}", |line: String| {
            accepts(&headers_with(&line), "gzip");
        });
    }
}
