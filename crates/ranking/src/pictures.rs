//! A client of storage/v1 for the bucket of the site's pictures. Requests stay in this process and
//! carry the key of the service role.
//!
//! Promises that a picture replaces only the version it was made from. Knows nothing of files,
//! stored versions, or rendering.

use axum::Router;
use axum::body::{Body, Bytes, to_bytes};
use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use http::{HeaderValue, Method, Request, StatusCode, header};
use percent_encoding::{AsciiSet, NON_ALPHANUMERIC, utf8_percent_encode};
use serde_json::{Map, Value};
use tower::ServiceExt as _;

use crate::model::picture_outcome::SkipReason;
use crate::model::stored_picture::LONGEST;

const BUCKET: &str = "server-images";

/// The longest response that is read, in bytes: the renderer's own limit.
const LARGEST: usize = 25 << 20;

/// The characters that are percent-encoded in a path.
const PATH: &AsciiSet =
    &NON_ALPHANUMERIC.remove(b'/').remove(b'-').remove(b'_').remove(b'.').remove(b'~');

/// The WebP quality: no visible loss, and much smaller than lossless.
const QUALITY: u8 = 85;

/// A client of storage/v1 for pictures; cheap to clone.
#[derive(Clone)]
pub struct Pictures {
    services: Router,
    bearer: HeaderValue,
    apikey: HeaderValue,
}

/// The metadata stored with a picture.
#[derive(Debug, Clone, Default)]
pub(crate) struct ObjectMetadata<'a> {
    pub cache_control: Option<&'a str>,
    /// The owner's own metadata, as JSON.
    pub user_metadata: Option<&'a str>,
}

impl Pictures {
    /// A client of these services with the key of the service role; `None` when the key is not a
    /// valid header value.
    #[must_use]
    pub fn new(services: Router, service_key: &str) -> Option<Self> {
        let mut bearer = HeaderValue::from_str(&format!("Bearer {service_key}")).ok()?;
        let mut apikey = HeaderValue::from_str(service_key).ok()?;
        bearer.set_sensitive(true);
        apikey.set_sensitive(true);
        Some(Self { services, bearer, apikey })
    }

    /// Reads the stored picture.
    pub(crate) async fn read(&self, name: &str) -> Result<Bytes, SkipReason> {
        let request = self.ask(Method::GET, "object/authenticated", name, "");
        match self.answer(request, Body::empty()).await {
            Some((StatusCode::OK, bytes)) => Ok(bytes),
            _ => Err(SkipReason::NotRead),
        }
    }

    /// Renders the picture as a WebP whose longest side is at most [`LONGEST`].
    pub(crate) async fn rendered(&self, name: &str) -> Result<Bytes, SkipReason> {
        let query = format!("?width={LONGEST}&height={LONGEST}&resize=contain&quality={QUALITY}");
        self.render("authenticated", name, &query).await
    }

    /// Renders the picture at a width that pages request, so that the result is already cached.
    pub(crate) async fn make_ready(&self, name: &str, width: u32) -> Result<(), SkipReason> {
        self.render("public", name, &format!("?width={width}")).await.map(drop)
    }

    async fn render(&self, access: &str, name: &str, query: &str) -> Result<Bytes, SkipReason> {
        let request = self.ask(Method::GET, &format!("render/image/{access}"), name, query);
        let request = request.header(header::ACCEPT, "image/webp");
        match self.answer(request, Body::empty()).await {
            Some((StatusCode::OK, bytes)) => Ok(bytes),
            Some((_, answer)) => Err(render_error(&answer)),
            None => Err(SkipReason::NotRead),
        }
    }

    /// Replaces this version of the picture by a WebP. The database refuses it when the version has
    /// changed (`sql/repeatable/image_checks.sql`).
    pub(crate) async fn replace(
        &self,
        name: &str,
        version: &str,
        webp: Bytes,
        stored: &ObjectMetadata<'_>,
    ) -> Result<(), SkipReason> {
        let metadata = metadata(stored.user_metadata, version);
        let mut request = self.ask(Method::PUT, "object", name, "");
        request = request.header(header::CONTENT_TYPE, "image/webp");
        request = request.header(header::CONTENT_LENGTH, webp.len());
        request = request.header("x-metadata", STANDARD.encode(metadata.to_string()));
        if let Some(cache_control) = stored.cache_control {
            request = request.header(header::CACHE_CONTROL, cache_control);
        }
        match self.answer(request, webp.into()).await {
            Some((StatusCode::OK, _)) => Ok(()),
            _ => Err(SkipReason::NotWritten),
        }
    }

    /// Stores a picture under a new name; returns false when the name is taken. An existing picture
    /// is never changed.
    pub(crate) async fn put_new(
        &self,
        name: &str,
        kind: &'static str,
        bytes: Bytes,
    ) -> Result<bool, SkipReason> {
        let request = self.ask(Method::POST, "object", name, "");
        let request = request.header(header::CONTENT_TYPE, kind);
        let request = request.header(header::CONTENT_LENGTH, bytes.len());
        let request = request.header(header::CACHE_CONTROL, "max-age=31536000");
        match self.answer(request, bytes.into()).await {
            Some((StatusCode::OK, _)) => Ok(true),
            Some((_, answer)) if is_taken(&answer) => Ok(false),
            _ => Err(SkipReason::NotWritten),
        }
    }

    /// Removes a picture.
    pub(crate) async fn remove(&self, name: &str) -> Result<(), SkipReason> {
        let request = self.ask(Method::DELETE, "object", name, "");
        match self.answer(request, Body::empty()).await {
            Some((StatusCode::OK, _)) => Ok(()),
            _ => Err(SkipReason::NotWritten),
        }
    }

    /// The path under which pages load a picture.
    pub(crate) fn path(&self, name: &str) -> String {
        format!("/storage/v1/object/public/{BUCKET}/{}", utf8_percent_encode(name, PATH))
    }

    fn ask(&self, method: Method, way: &str, name: &str, query: &str) -> http::request::Builder {
        let name = utf8_percent_encode(name, PATH);
        Request::builder()
            .method(method)
            .uri(format!("/storage/v1/{way}/{BUCKET}/{name}{query}"))
            .header(header::AUTHORIZATION, &self.bearer)
            .header("apikey", &self.apikey)
    }

    async fn answer(
        &self,
        request: http::request::Builder,
        body: Body,
    ) -> Option<(StatusCode, Bytes)> {
        let response = self.services.clone().oneshot(request.body(body).ok()?).await.ok()?;
        let status = response.status();
        Some((status, to_bytes(response.into_body(), LARGEST).await.ok()?))
    }
}

/// The owner's metadata, with the version from which the picture was made.
fn metadata(stored: Option<&str>, version: &str) -> Value {
    let stored = stored.and_then(|stored| serde_json::from_str(stored).ok());
    let mut fields: Map<String, Value> = stored.unwrap_or_default();
    fields.insert("optimized_from".to_owned(), version.into());
    fields.into()
}

/// Whether storage/v1 answered that the name is taken.
fn is_taken(answer: &[u8]) -> bool {
    let answer: Value = serde_json::from_slice(answer).unwrap_or_default();
    answer["statusCode"] == "409"
}

/// Why a picture was not rendered, from the status and the message of storage/v1.
fn render_error(answer: &[u8]) -> SkipReason {
    let answer: Value = serde_json::from_slice(answer).unwrap_or_default();
    let message = answer["message"].as_str().unwrap_or_default();
    if answer["statusCode"] == 404 && message.starts_with("Route ") {
        return SkipReason::RendererDisabled;
    }
    match answer["statusCode"].as_str().unwrap_or_default() {
        "429" | "503" => SkipReason::TimedOut,
        "400" if message.contains("too large") => SkipReason::TooLarge,
        "400" => SkipReason::Broken,
        _ => SkipReason::NotRead,
    }
}
