//! The bucket of the site's pictures, asked in this process through storage/v1 as the service.
//!
//! Promises that a picture is only ever put in the place of the version it was made of. Knows
//! nothing of files, of versions kept, or of how a picture is rendered.

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

/// Bytes of the largest answer: what the renderer reads at most.
const LARGEST: usize = 25 << 20;

/// What in a name may stand in a path as it is.
const PATH: &AsciiSet =
    &NON_ALPHANUMERIC.remove(b'/').remove(b'-').remove(b'_').remove(b'.').remove(b'~');

/// Fine enough that nobody sees the difference, and much smaller than what has no loss.
const QUALITY: u8 = 85;

/// Asks storage/v1 for pictures; cheap to clone.
#[derive(Clone)]
pub struct Pictures {
    services: Router,
    bearer: HeaderValue,
    apikey: HeaderValue,
}

/// What is kept with a picture beside its bytes.
#[derive(Debug, Clone, Default)]
pub(crate) struct ObjectMetadata<'a> {
    pub cache_control: Option<&'a str>,
    /// JSON of what its owner keeps with it.
    pub user_metadata: Option<&'a str>,
}

impl Pictures {
    /// Asks these services with the key of the service role; nothing where that is no header.
    #[must_use]
    pub fn new(services: Router, service_key: &str) -> Option<Self> {
        let mut bearer = HeaderValue::from_str(&format!("Bearer {service_key}")).ok()?;
        let mut apikey = HeaderValue::from_str(service_key).ok()?;
        bearer.set_sensitive(true);
        apikey.set_sensitive(true);
        Some(Self { services, bearer, apikey })
    }

    /// The picture as it is stored.
    pub(crate) async fn read(&self, name: &str) -> Result<Bytes, SkipReason> {
        let request = self.ask(Method::GET, "object/authenticated", name, "");
        match self.answer(request, Body::empty()).await {
            Some((StatusCode::OK, bytes)) => Ok(bytes),
            _ => Err(SkipReason::NotRead),
        }
    }

    /// The picture as a WebP that is no longer than any page shows it.
    pub(crate) async fn rendered(&self, name: &str) -> Result<Bytes, SkipReason> {
        let query = format!("?width={LONGEST}&height={LONGEST}&resize=contain&quality={QUALITY}");
        self.render("authenticated", name, &query).await
    }

    /// Has it rendered as wide as a page asks for it, so that it lies ready.
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

    /// Puts a WebP in the place of this version; whether that was still there is the database's to
    /// say (`sql/repeatable/image_checks.sql`).
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

    /// Puts a picture where there is none; whether there was none. Nobody changes what lies there.
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

    /// Where pages find a picture.
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

/// What the owner keeps with a picture, and the version it was made of.
fn metadata(stored: Option<&str>, version: &str) -> Value {
    let stored = stored.and_then(|stored| serde_json::from_str(stored).ok());
    let mut fields: Map<String, Value> = stored.unwrap_or_default();
    fields.insert("optimized_from".to_owned(), version.into());
    fields.into()
}

/// Whether storage/v1 says that the name is taken.
fn is_taken(answer: &[u8]) -> bool {
    let answer: Value = serde_json::from_slice(answer).unwrap_or_default();
    answer["statusCode"] == "409"
}

/// Why a picture was not rendered, by the status and the sentence storage/v1 tells it with.
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
