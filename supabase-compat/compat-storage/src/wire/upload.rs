//! `POST` and `PUT /object/{bucket}/{key}`: a raw file, or a file in a multipart form.

use axum::Json;
use axum::body::Body;
use axum::extract::State as Shared;
use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use futures_util::{StreamExt as _, TryStreamExt as _};
use http::request::Parts;
use http::{HeaderMap, header};
use multer::{Constraints, Field, Multipart, SizeLimit};
use serde_json::{Value, json};

use super::body_drain::BodyDrain;
use super::extract::{self, Target, text};
use super::form::FormChunks;
use crate::bytes::ByteStream;
use crate::error::{InvalidRequest, StorageError};
use crate::flow;
use crate::flow::put::PutRequest;
use crate::model::RequestContext;
use crate::model::media_type::is_media_type;
use crate::model::operation;
use crate::state::State;

/// The maximum size of a form field that is not the file, in bytes.
const LONGEST_FIELD: u64 = 1024 * 1024;

/// The maximum number of fields before the file.
const MOST_FIELDS: usize = 10;

/// The maximum number of bytes before the file: the fields and their part headers.
const LONGEST_START: usize = 11 * 1024 * 1024;

const BINARY: &str = "application/octet-stream";

/// `POST`: replaces an existing object only with `x-upsert`.
pub async fn post(
    Shared(state): Shared<State>,
    target: Target,
    parts: Parts,
    body: Body,
) -> Result<Json<Value>, StorageError> {
    let upsert = extract::upsert(&parts.headers);
    let (arriving, body) = BodyDrain::of(&parts.headers, body);
    let context = extract::context(&state, &parts, operation::OBJECT_UPLOAD);
    arriving.until(receive(&state, context, target, &parts, body, upsert).await).await
}

/// `PUT`: replaces an existing object.
pub async fn put(
    Shared(state): Shared<State>,
    target: Target,
    parts: Parts,
    body: Body,
) -> Result<Json<Value>, StorageError> {
    let (arriving, body) = BodyDrain::of(&parts.headers, body);
    let context = extract::context(&state, &parts, operation::OBJECT_UPLOAD_UPDATE);
    arriving.until(receive(&state, context, target, &parts, body, true).await).await
}

async fn receive(
    state: &State,
    context: Result<RequestContext, StorageError>,
    target: Target,
    parts: &Parts,
    body: Body,
    upsert: bool,
) -> Result<Json<Value>, StorageError> {
    let context = context?;
    let file = file_of(&parts.headers, body).await?;
    let owner = context.subject().map(str::to_owned);
    let (put, content) = file.under(target, upsert, owner);
    let row = flow::put::put(state, &context, put, content).await?;
    Ok(Json(json!({"Key": format!("{}/{}", row.bucket_id, row.name), "Id": row.id})))
}

/// An uploaded file: its metadata and the stream of its content.
pub struct File {
    content_type: String,
    cache_control: String,
    robots: Option<String>,
    user_metadata: Option<Value>,
    length: Option<u64>,
    content: ByteStream,
}

impl File {
    /// The put request and the content.
    pub fn under(
        self,
        target: Target,
        upsert: bool,
        owner: Option<String>,
    ) -> (PutRequest, ByteStream) {
        let put = PutRequest {
            bucket: target.bucket,
            key: target.key,
            upsert,
            content_type: self.content_type,
            cache_control: self.cache_control,
            robots: self.robots,
            user_metadata: self.user_metadata,
            owner,
            length: self.length,
        };
        (put, self.content)
    }
}

/// Reads the file of a request. A multipart form is read up to its file; any other body is the file
/// itself, even JSON and text.
///
/// # Errors
/// [`InvalidRequest`]: a form without a file, invalid metadata, or a type that cannot be a header.
pub async fn file_of(headers: &HeaderMap, body: Body) -> Result<File, StorageError> {
    let kind = text(headers, header::CONTENT_TYPE.as_str()).unwrap_or(BINARY);
    let file = match is_form(kind) {
        true => form(headers, kind, body).await?,
        false => raw(headers, kind, body)?,
    };
    if !is_media_type(&file.content_type) {
        return Err(StorageError::MediaType(file.content_type));
    }
    Ok(file)
}

fn is_form(kind: &str) -> bool {
    const FORM: &str = "multipart/form-data";
    kind.get(..FORM.len()).is_some_and(|start| start.eq_ignore_ascii_case(FORM))
}

fn raw(headers: &HeaderMap, kind: &str, body: Body) -> Result<File, StorageError> {
    let cache_control = text(headers, header::CACHE_CONTROL.as_str()).unwrap_or("no-cache");
    let length =
        text(headers, header::CONTENT_LENGTH.as_str()).and_then(|length| length.parse().ok());
    Ok(File {
        content_type: kind.to_owned(),
        cache_control: cache_control.to_owned(),
        robots: robots(headers)?,
        user_metadata: text(headers, "x-metadata").map(encoded_metadata).transpose()?,
        length,
        content: body.into_data_stream().map_err(Into::into).boxed(),
    })
}

/// Parses `x-metadata`: JSON in base64.
///
/// # Errors
/// [`InvalidRequest::Field`].
pub fn encoded_metadata(encoded: &str) -> Result<Value, StorageError> {
    let json = STANDARD.decode(encoded.trim()).ok().and_then(|json| String::from_utf8(json).ok());
    metadata(&json.ok_or_else(wrong_metadata)?)
}

/// Parses user metadata, which must be a JSON object.
fn metadata(json: &str) -> Result<Value, StorageError> {
    let value = serde_json::from_str(json).ok().filter(Value::is_object);
    value.ok_or_else(|| wrong_metadata().into())
}

fn wrong_metadata() -> InvalidRequest {
    InvalidRequest::Field("metadata must be a JSON object".to_owned())
}

fn robots(headers: &HeaderMap) -> Result<Option<String>, StorageError> {
    let Some(value) = headers.get("x-robots-tag") else { return Ok(None) };
    let text = value.to_str().ok().filter(|text| !text.trim().is_empty() && text.len() <= 255);
    let text = text.ok_or_else(|| InvalidRequest::Robots("it cannot be used".to_owned()))?;
    Ok(Some(text.to_owned()))
}

async fn form(headers: &HeaderMap, kind: &str, body: Body) -> Result<File, StorageError> {
    let boundary = multer::parse_boundary(kind).map_err(form_error)?;
    let limits = SizeLimit::new().whole_stream(u64::MAX).per_field(u64::MAX);
    let limits = Constraints::new().size_limit(limits);
    let (pieces, start_flag) = FormChunks::of(body, LONGEST_START);
    let mut form = Multipart::with_constraints(pieces, boundary, limits);
    let mut fields = Fields { robots: robots(headers)?, ..Fields::default() };
    for _ in 0..=MOST_FIELDS {
        let Some(field) = form.next_field().await.map_err(form_error)? else {
            return Err(InvalidRequest::NoContent.into());
        };
        if is_file(&field) {
            start_flag.set();
            return fields.file(field);
        }
        fields.take(field).await?;
    }
    Err(InvalidRequest::Multipart("reach fields limit".to_owned()).into())
}

/// A field is the file if it has a file name, the binary type, or an empty name.
fn is_file(field: &Field<'_>) -> bool {
    field.file_name().is_some()
        || field.content_type().is_some_and(|kind| kind.essence_str() == BINARY)
        || field.name().is_some_and(str::is_empty)
}

fn form_error(error: multer::Error) -> StorageError {
    InvalidRequest::Multipart(error.to_string()).into()
}

/// The fields of a form before its file.
#[derive(Default)]
struct Fields {
    cache_control: Option<String>,
    content_type: Option<String>,
    user_metadata: Option<Value>,
    robots: Option<String>,
}

impl Fields {
    async fn take(&mut self, mut field: Field<'static>) -> Result<(), StorageError> {
        let name = field.name().unwrap_or_default().to_owned();
        let mut content = Vec::new();
        while let Some(piece) = field.chunk().await.map_err(form_error)? {
            if content.len() as u64 + piece.len() as u64 > LONGEST_FIELD {
                return Err(InvalidRequest::LongBody.into());
            }
            content.extend_from_slice(&piece);
        }
        let value = String::from_utf8(content)
            .map_err(|_| InvalidRequest::Field(format!("body/{name} must be string")))?;
        match name.as_str() {
            "cacheControl" => self.cache_control = Some(value).filter(|value| !value.is_empty()),
            "contentType" => self.content_type = Some(value).filter(|value| !value.is_empty()),
            "metadata" | "userMetadata" => self.user_metadata = Some(metadata(&value)?),
            _ => {}
        }
        Ok(())
    }

    fn file(self, field: Field<'static>) -> Result<File, StorageError> {
        let cache_control = match self.cache_control {
            Some(seconds) if seconds.bytes().all(|byte| (b' '..=b'~').contains(&byte)) => {
                format!("max-age={seconds}")
            }
            Some(_) => {
                return Err(InvalidRequest::Field("body/cacheControl must be number".into()).into());
            }
            None => "no-cache".to_owned(),
        };
        let own = field.content_type().map(ToString::to_string);
        Ok(File {
            content_type: self.content_type.or(own).unwrap_or_else(|| "text/plain".to_owned()),
            cache_control,
            robots: self.robots,
            user_metadata: self.user_metadata,
            length: None,
            content: field.map_err(Into::into).boxed(),
        })
    }
}
