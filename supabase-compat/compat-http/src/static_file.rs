//! Files that a build made, over HTTP. A program carries its texts compressed with brotli alone, which every
//! browser takes; for other clients they are decompressed, and compressed with gzip where they take that.

use std::borrow::Cow;
use std::io::{self, Read as _};

use axum::body::Body;
use axum::response::Response;
use brotli_decompressor::Decompressor;
use http::{HeaderMap, HeaderValue, StatusCode, header};
use sha2::{Digest as _, Sha256};

use crate::compress::{accepts, is_text, pack};

/// The suffix of a file's compressed form.
const COMPRESSED: &str = "br";
/// Bytes that are read at once.
const BUFFER: usize = 16 * 1024;

/// Marks the answer that is a file of a build. It carries neither an id, since caches give it to
/// other requests, nor the list of what scripts of other origins may read of the services: a first
/// visit fetches dozens of files, many of which are hardly larger than these headers.
#[derive(Debug, Clone, Copy)]
pub(crate) struct FileAnswer;

/// A file in one encoding.
#[derive(Debug, Clone)]
pub struct StaticFile {
    /// Its content.
    pub bytes: Cow<'static, [u8]>,
    /// SHA-256 of its content.
    pub hash: [u8; 32],
}

impl StaticFile {
    /// The file with this content.
    pub fn new(bytes: Cow<'static, [u8]>) -> Self {
        Self { hash: Sha256::digest(&bytes).into(), bytes }
    }

    /// Decompresses a brotli file.
    ///
    /// # Errors
    /// The content is not valid brotli.
    pub fn decompressed(&self) -> io::Result<Self> {
        let mut plain = Vec::with_capacity(self.bytes.len() * 4);
        Decompressor::new(&*self.bytes, BUFFER).read_to_end(&mut plain)?;
        Ok(Self::new(plain.into()))
    }
}

/// Responds with a file in the smallest encoding that the client accepts. `find` looks up the file
/// by its name, and its compressed form by the name with `.br`; `None` if neither exists.
pub async fn static_response<F>(
    name: &str,
    request: &HeaderMap,
    lifetime: HeaderValue,
    find: impl Fn(String) -> F,
) -> Option<Response>
where
    F: Future<Output = Option<StaticFile>>,
{
    let kind = content_type(name)?;
    let compressed = match accepts(request, COMPRESSED) {
        true => find(compressed_name(name)).await,
        false => None,
    };
    let (file, encoding) = match compressed {
        Some(file) => (file, Some(COMPRESSED)),
        None => {
            let is_packed = is_text(kind) && accepts(request, "gzip");
            (find(name.to_owned()).await?, is_packed.then_some("gzip"))
        }
    };
    let tag = entity_tag(&file, encoding);
    let is_known = request.get(header::IF_NONE_MATCH) == Some(&tag);
    let mut response = Response::new(match (is_known, encoding) {
        (true, _) => Body::empty(),
        (false, Some("gzip")) => compress_in_pool(file.bytes).await?.into(),
        (false, _) => file.bytes.into(),
    });
    if is_known {
        *response.status_mut() = StatusCode::NOT_MODIFIED;
    }
    response.extensions_mut().insert(FileAnswer);
    let headers = response.headers_mut();
    headers.insert(header::ETAG, tag);
    headers.insert(header::VARY, HeaderValue::from_static("Accept-Encoding"));
    headers.insert(header::CONTENT_TYPE, HeaderValue::from_static(kind));
    headers.insert(header::CACHE_CONTROL, lifetime);
    if let Some(encoding) = encoding {
        headers.insert(header::CONTENT_ENCODING, HeaderValue::from_static(encoding));
    }
    Some(response)
}

/// The name of a file's compressed form.
pub fn compressed_name(name: &str) -> String {
    format!("{name}.{COMPRESSED}")
}

/// Compressing a script takes milliseconds, which would block other requests.
async fn compress_in_pool(bytes: Cow<'static, [u8]>) -> Option<Vec<u8>> {
    tokio::task::spawn_blocking(move || pack(&bytes)).await.ok()?.ok()
}

/// A tag distinguishes the few versions of one address, for which the start of a hash is enough.
fn entity_tag(file: &StaticFile, encoding: Option<&str>) -> HeaderValue {
    let mut tag: String = file.hash.iter().take(8).map(|byte| format!("{byte:02x}")).collect();
    tag.push_str(encoding.unwrap_or_default());
    HeaderValue::from_str(&format!("\"{tag}\"")).unwrap_or(HeaderValue::from_static("\"\""))
}

/// Whether a name cannot lead out of the folder in which it is looked up.
pub fn is_plain_name(name: &str) -> bool {
    name.split('/').all(|part| !part.is_empty() && !part.starts_with('.'))
        && !name.contains(['\\', '\0', ':', '%'])
}

/// The types of files that a build holds. Anything else is not served: compressed forms are reached through
/// their originals only.
fn content_type(name: &str) -> Option<&'static str> {
    let (_, ending) = name.rsplit_once('.')?;
    Some(match ending {
        "html" => "text/html; charset=utf-8",
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
    use axum::body::to_bytes;
    use flate2::read::GzDecoder;

    use super::*;

    /// "a(1)" in brotli, as `brotli` writes it.
    const SCRIPT: [u8; 8] = [0x8b, 0x01, 0x80, b'a', b'(', b'1', b')', 0x03];

    async fn ask(name: &str, accepted: &'static str) -> Option<Response> {
        let headers =
            HeaderMap::from_iter([(header::ACCEPT_ENCODING, HeaderValue::from_static(accepted))]);
        ask_with(name, &headers).await
    }

    async fn ask_with(name: &str, headers: &HeaderMap) -> Option<Response> {
        let lifetime = HeaderValue::from_static("no-cache");
        static_response(name, headers, lifetime, |name| async move {
            match &*name {
                "a.js.br" => Some(StaticFile::new(SCRIPT[..].into())),
                "a.js" => StaticFile::new(SCRIPT[..].into()).decompressed().ok(),
                "a.png" => Some(StaticFile::new(b"picture"[..].into())),
                _ => None,
            }
        })
        .await
    }

    async fn bytes(response: Response) -> Vec<u8> {
        to_bytes(response.into_body(), usize::MAX).await.expect("a body").into()
    }

    #[tokio::test]
    async fn clients_get_the_smallest_form_they_take() {
        for (accepted, encoding) in [
            ("gzip, deflate, br", Some("br")),
            ("br;q=0, gzip", Some("gzip")),
            ("identity", None),
            ("", None),
        ] {
            let response = ask("a.js", accepted).await.expect("a file");
            let header = response.headers().get(header::CONTENT_ENCODING).cloned();
            assert_eq!(header.as_ref().map(HeaderValue::as_bytes), encoding.map(str::as_bytes));
            let body = bytes(response).await;
            let plain = match encoding {
                Some("br") => StaticFile::new(body.into()).decompressed().expect("brotli").bytes,
                Some(_) => {
                    let mut plain = Vec::new();
                    GzDecoder::new(&*body).read_to_end(&mut plain).expect("gzip");
                    plain.into()
                }
                None => body.into(),
            };
            assert_eq!(&*plain, b"a(1)", "{accepted}");
        }
        let picture = ask("a.png", "gzip, br").await.expect("a picture");
        assert!(!picture.headers().contains_key(header::CONTENT_ENCODING));
    }

    #[tokio::test]
    async fn known_files_are_not_sent_again() {
        let mut tags = Vec::new();
        for accepted in ["br", "gzip", "identity"] {
            let first = ask("a.js", accepted).await.expect("a file");
            let tag = first.headers()[header::ETAG].clone();
            let headers = HeaderMap::from_iter([
                (header::ACCEPT_ENCODING, HeaderValue::from_static(accepted)),
                (header::IF_NONE_MATCH, tag.clone()),
            ]);
            let again = ask_with("a.js", &headers).await.expect("a file");
            assert_eq!(again.status(), StatusCode::NOT_MODIFIED);
            assert!(bytes(again).await.is_empty());
            assert!(!tags.contains(&tag), "each form has a tag of its own");
            tags.push(tag);
        }
    }

    #[tokio::test]
    async fn other_files_are_not_served() {
        for name in ["a.js.br", "b.js", "page"] {
            assert!(ask(name, "br").await.is_none(), "{name}");
        }
        assert!(StaticFile::new(b"no brotli"[..].into()).decompressed().is_err());
    }

    #[test]
    fn no_name_leads_out_of_the_folder() {
        for name in
            ["../keys.json", "assets/../../k.js", "/etc/passwd", "a//b.js", "a\\..\\b.js", ".git/x"]
        {
            assert!(!is_plain_name(name), "{name}");
        }
        assert!(is_plain_name("assets/home-1.js") && is_plain_name("pictures/a/logo.svg"));
    }
}
