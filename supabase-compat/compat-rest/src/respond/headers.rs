//! An answer while its headers are being collected, the ones SQL dictates included.

use axum::body::Body;
use axum::response::Response;
use bytes::Bytes;
use compat_rest_core::plan::{Node, Output};
use compat_rest_core::request::ApiRequest;
use compat_rest_core::request::prefer::Preferences;
use compat_rest_core::request::query::encode;
use http::{HeaderMap, HeaderName, HeaderValue, StatusCode, header};
use serde_json::{Map, Value};

use crate::config::Config;
use crate::error::Error;

/// Status, headers and body under construction.
#[derive(Debug)]
pub(super) struct ResponseBuilder {
    pub status: StatusCode,
    pub body: Bytes,
    headers: HeaderMap,
}

impl ResponseBuilder {
    pub(super) fn new(status: StatusCode) -> Self {
        Self { status, body: Bytes::new(), headers: HeaderMap::new() }
    }

    /// Sets a header; a value no header may hold is left out.
    pub(super) fn header(&mut self, name: &'static str, value: &str) {
        if let Ok(value) = HeaderValue::from_bytes(value.as_bytes()) {
            self.headers.insert(HeaderName::from_static(name), value);
        }
    }

    /// `Content-Type`, and `Content-Profile` where a schema was chosen.
    pub(super) fn content(&mut self, request: &ApiRequest, output: Option<&Output>) {
        if let Some(output) = output {
            self.header("content-type", &output.media.content_type());
        }
        if request.profile_negotiated {
            self.header("content-profile", &request.schema);
        }
    }

    /// `Preference-Applied`.
    pub(super) fn prefer(&mut self, applied: &Preferences) {
        if let Some(applied) = applied.applied() {
            self.header("preference-applied", &applied);
        }
    }

    /// The address of a new row, from its key as a JSON object of texts.
    pub(super) fn location(&mut self, relation: &str, key: Option<&str>) {
        let Some(Ok(key)) = key.map(serde_json::from_str::<Map<String, Value>>) else { return };
        let filters: Vec<String> = key
            .iter()
            .map(|(name, value)| match value {
                Value::String(text) => format!("{}=eq.{}", encode(name), encode(text)),
                _ => format!("{}=is.null", encode(name)),
            })
            .collect();
        self.header("location", &format!("/{relation}?{}", filters.join("&")));
    }

    /// A warning for every embed that was addressed by its target's name in spite of its alias.
    pub(super) fn warn(&mut self, node: Option<&Node>) {
        let mut renamed = Vec::new();
        collect_legacy_names(node, &mut renamed);
        if !renamed.is_empty() {
            let warning = format!(
                "299 PostgRESTv{} \"Embedded resource was referenced by relation name even though it \
                 has an alias. This is deprecated and will stop working in a future release. \
                 Update {} in query string filters, orders or limits.\"",
                env!("CARGO_PKG_VERSION"),
                renamed.join(", ")
            );
            self.header("warning", &warning);
        }
    }

    /// The setting `response.status`.
    pub(super) fn override_status(&mut self, status: Option<&str>) -> Result<(), Error> {
        let Some(text) = status else { return Ok(()) };
        let number: u16 = text.trim().parse().map_err(|_| Error::BadResponseStatus)?;
        self.status = StatusCode::from_u16(number).map_err(|_| Error::BadResponseStatus)?;
        Ok(())
    }

    /// The setting `response.headers`: replaces headers of ours, keeps its own repetitions.
    pub(super) fn override_headers(&mut self, headers: Option<&str>) -> Result<(), Error> {
        let Some(text) = headers else { return Ok(()) };
        let list: Vec<Map<String, Value>> =
            serde_json::from_str(text).map_err(|_| Error::BadResponseHeaders)?;
        let mut raised = HeaderMap::new();
        for object in list {
            let mut fields = object.into_iter();
            let (Some((name, Value::String(value))), None) = (fields.next(), fields.next()) else {
                return Err(Error::BadResponseHeaders);
            };
            let name = HeaderName::try_from(name).map_err(|_| Error::BadResponseHeaders)?;
            let value = HeaderValue::from_str(&value).map_err(|_| Error::BadResponseHeaders)?;
            raised.append(name, value);
        }
        for name in raised.keys() {
            self.headers.remove(name);
        }
        self.headers.extend(raised);
        Ok(())
    }

    pub(super) fn finish(self) -> Result<Response, Error> {
        let mut response = Response::new(Body::from(self.body));
        *response.status_mut() = self.status;
        *response.headers_mut() = self.headers;
        Ok(response)
    }
}

fn collect_legacy_names(node: Option<&Node>, renamed: &mut Vec<String>) {
    for embed in node.into_iter().flat_map(|node| &node.embeds) {
        let legacy = embed.legacy_name.as_ref();
        renamed.extend(legacy.map(|name| format!("`{name}` to `{}`", embed.key)));
        collect_legacy_names(Some(&embed.node), renamed);
    }
}

/// Echoes the trace header, if one is configured. It is empty if the request has none, except for
/// the header that the gateway sets itself.
pub(crate) fn trace(response: &mut Response, request_headers: &HeaderMap, config: &Config) {
    let name = config.trace_header.as_deref().map(HeaderName::try_from);
    let Some(Ok(name)) = name else { return };
    match request_headers.get(&name) {
        Some(value) => drop(response.headers_mut().insert(name, value.clone())),
        None if name == "x-request-id" => {}
        None => drop(response.headers_mut().insert(name, HeaderValue::from_static(""))),
    }
}

/// Sets `Vary` on a successful response, unless SQL dictated it.
pub(crate) fn vary(response: &mut Response) {
    let ours = HeaderValue::from_static("Accept, Prefer, Range");
    response.headers_mut().entry(header::VARY).or_insert(ours);
}

/// Keeps a caller's response out of every cache, unless SQL set a cache rule.
pub(crate) fn keep_private(response: &mut Response) {
    let never = HeaderValue::from_static("no-store");
    response.headers_mut().entry(header::CACHE_CONTROL).or_insert(never);
}

/// Sets `Retry-After` on a 503 response.
pub(crate) fn retry(response: &mut Response) {
    if response.status() == StatusCode::SERVICE_UNAVAILABLE {
        let soon = HeaderValue::from_static("1");
        response.headers_mut().entry(header::RETRY_AFTER).or_insert(soon);
    }
}
