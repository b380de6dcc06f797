//! The body of a request, verified while it is read, and the object metadata in its headers.

use std::collections::BTreeMap;

use axum::body::Body;
use bytes::Bytes;
use futures_util::{StreamExt as _, TryStreamExt as _, stream};
use http::{HeaderMap, header};
use serde_json::{Map, Value};

use crate::bytes::{ByteStream, Cause};
use crate::error::StorageError;
use crate::s3::S3Refusal;
use crate::s3::body::Guard;
use crate::s3::document::LONGEST;
use crate::wire::extract::text;

const BINARY: &str = "application/octet-stream";
const META: &str = "x-amz-meta-";

/// The content of a body. An error of the guard ends the stream.
pub fn guarded(guard: Guard, body: Body) -> ByteStream {
    let source = body.into_data_stream().map_err(Cause::from).boxed();
    let start = Some((source, guard, Bytes::new()));
    stream::try_unfold(start, async |state| {
        let Some((mut source, mut guard, mut input)) = state else { return Ok(None) };
        loop {
            if let Some(content) = guard.next(&mut input).map_err(cause)? {
                return Ok(Some((content, Some((source, guard, input)))));
            }
            match source.try_next().await? {
                Some(more) => input = more,
                None => return guard.finish().map(|()| None).map_err(cause),
            }
        }
    })
    .boxed()
}

/// Wraps an error for the content store, which returns it unchanged.
pub fn cause(refusal: S3Refusal) -> Cause {
    Box::new(StorageError::from(refusal))
}

/// Reads a whole document.
///
/// # Errors
/// [`S3Refusal::MalformedXml`] if it is too long, and errors of the guard.
pub async fn read_document(mut content: ByteStream) -> Result<Vec<u8>, StorageError> {
    let mut document = Vec::new();
    while let Some(piece) = content.next().await {
        let piece = piece.map_err(|cause| match cause.downcast::<StorageError>() {
            Ok(refusal) => *refusal,
            Err(_) => StorageError::BrokenOff,
        })?;
        if document.len() + piece.len() > LONGEST {
            return Err(S3Refusal::MalformedXml.into());
        }
        document.extend_from_slice(&piece);
    }
    Ok(document)
}

/// The object metadata in the headers of a request.
pub struct ContentHeaders {
    pub content_type: Option<String>,
    pub cache_control: Option<String>,
    pub user_metadata: Option<Value>,
}

impl ContentHeaders {
    pub fn of(headers: &HeaderMap) -> Self {
        let header_value = |name: header::HeaderName| {
            text(headers, name.as_str()).filter(|value| !value.is_empty()).map(str::to_owned)
        };
        Self {
            content_type: header_value(header::CONTENT_TYPE),
            cache_control: header_value(header::CACHE_CONTROL),
            user_metadata: user_metadata(
                headers
                    .iter()
                    .filter_map(|(name, value)| Some((name.as_str(), value.to_str().ok()?))),
            ),
        }
    }

    /// The content type; `application/octet-stream` by default.
    pub fn content_type(&self) -> String {
        self.content_type.clone().unwrap_or_else(|| BINARY.to_owned())
    }

    /// The cache control; `no-cache` by default, as for any upload.
    pub fn cache_control(&self) -> String {
        self.cache_control.clone().unwrap_or_else(|| "no-cache".to_owned())
    }
}

/// The user metadata from `x-amz-meta-…`. A repeated header is stored as it was signed, its values
/// joined by commas.
pub fn user_metadata<'a>(pairs: impl Iterator<Item = (&'a str, &'a str)>) -> Option<Value> {
    let mut metadata: BTreeMap<&str, Vec<&str>> = BTreeMap::new();
    for (name, value) in pairs {
        if let Some(name) = name.strip_prefix(META) {
            metadata.entry(name).or_default().push(value);
        }
    }
    let metadata: Map<String, Value> = metadata
        .into_iter()
        .map(|(name, values)| (name.to_owned(), values.join(",").into()))
        .collect();
    Some(metadata).filter(|metadata| !metadata.is_empty()).map(Value::Object)
}
