//! Objects over the S3 protocol.

use axum::body::Body;
use axum::response::{IntoResponse as _, Response};
use chrono::{DateTime, SecondsFormat, Utc};
use http::{HeaderMap, HeaderName, HeaderValue, Method, StatusCode, header};
use serde_json::Value;

use super::content::{ContentHeaders, read_document};
use super::extract::SignedRequest;
use super::{ResponseResult, document};
use crate::error::StorageError;
use crate::flow::copy::CopyRequest;
use crate::flow::get::Access;
use crate::flow::put::PutRequest;
use crate::flow::{bucket, copy as copying, get as getting, put as putting, remove};
use crate::model::ObjectRow;
use crate::s3::S3Refusal;
use crate::s3::copy_source::CopySource;
use crate::s3::document::DeleteRequest;
use crate::s3::xml::Writer;
use crate::state::State;
use crate::wire::conditions::{self, ConditionOutcome};
use crate::wire::content::{ResponseOptions, content_type_of};
use crate::wire::download::{read_spec, respond};

/// The query parameters that override response headers.
const WISHES: [(&str, HeaderName); 6] = [
    ("response-cache-control", header::CACHE_CONTROL),
    ("response-content-disposition", header::CONTENT_DISPOSITION),
    ("response-content-encoding", header::CONTENT_ENCODING),
    ("response-content-language", header::CONTENT_LANGUAGE),
    ("response-content-type", header::CONTENT_TYPE),
    ("response-expires", header::EXPIRES),
];

pub async fn get(state: &State, request: &SignedRequest) -> ResponseResult {
    let names = (request.target.bucket(), request.target.key());
    // AWS can return a part by its number; an object here does not record its parts.
    if request.target.query.has("partNumber") {
        return Err(S3Refusal::NotImplemented.into());
    }
    let want = |row: &ObjectRow| read_spec(&request.parts, row);
    let object = getting::get(state, &request.context, Access::Caller, names, want).await;
    let object = match object {
        Err(StorageError::NoSuchKey) => return Err(missing(state, request).await),
        object => object?,
    };
    let answering =
        ResponseOptions { download: None, shared_max_age: 0, until: None, revalidates: false };
    let metadata = object.row.user_metadata.clone();
    let mut response = respond(request.headers(), object, &answering);
    add_user_metadata(response.headers_mut(), metadata.as_ref());
    if response.status() == StatusCode::PRECONDITION_FAILED && request.parts.method != Method::HEAD
    {
        return Err(S3Refusal::PreconditionFailed.into());
    }
    for (name, header) in WISHES {
        let Some(requested) = request.target.query.filled(name) else { continue };
        // HTML is served as text even if the request overrides its type.
        let requested = if header == header::CONTENT_TYPE {
            content_type_of(requested)
        } else {
            requested.to_owned()
        };
        let refusal = S3Refusal::InvalidArgument("a header that was wished for cannot be one");
        response
            .headers_mut()
            .insert(header, HeaderValue::try_from(requested).map_err(|_| refusal)?);
    }
    Ok(response)
}

/// The error for a missing object: the bucket or the key does not exist.
async fn missing(state: &State, request: &SignedRequest) -> StorageError {
    let bucket_result = bucket::must_exist(state, &request.context, request.target.bucket()).await;
    bucket_result.err().unwrap_or(StorageError::NoSuchKey)
}

fn add_user_metadata(headers: &mut HeaderMap, metadata: Option<&Value>) {
    for (name, value) in metadata.and_then(Value::as_object).into_iter().flatten() {
        let name = HeaderName::try_from(format!("x-amz-meta-{name}"));
        let text = value.as_str().map_or_else(|| value.to_string(), str::to_owned);
        if let (Ok(name), Ok(value)) = (name, HeaderValue::try_from(text)) {
            headers.insert(name, value);
        }
    }
}

pub async fn put(state: &State, request: &SignedRequest, body: Body) -> ResponseResult {
    let length = request.length().ok_or(S3Refusal::MissingContentLength)?;
    let put = PutRequest { length: Some(length), ..put_of(request)? };
    let content = request.content(body)?;
    let row = putting::put(state, &request.context, put, content).await?;
    Ok(tagged(&row))
}

/// The put request from the headers.
pub fn put_of(request: &SignedRequest) -> Result<PutRequest, StorageError> {
    let content_headers = ContentHeaders::of(request.headers());
    Ok(PutRequest {
        bucket: request.target.bucket().to_owned(),
        key: request.target.key().to_owned(),
        upsert: may_replace(request)?,
        content_type: checked(content_headers.content_type())?,
        cache_control: content_headers.cache_control(),
        user_metadata: content_headers.user_metadata,
        owner: request.context.subject().map(str::to_owned),
        ..PutRequest::default()
    })
}

/// A put replaces an existing object, unless the request has `If-None-Match: *`.
pub fn may_replace(request: &SignedRequest) -> Result<bool, S3Refusal> {
    let conditions = [header::IF_MATCH, header::IF_UNMODIFIED_SINCE, header::IF_MODIFIED_SINCE];
    if conditions.iter().any(|name| request.headers().contains_key(name)) {
        return Err(S3Refusal::NotImplemented);
    }
    match request.header(header::IF_NONE_MATCH.as_str()) {
        None => Ok(true),
        Some("*") => Ok(false),
        Some(_) => Err(S3Refusal::NotImplemented),
    }
}

/// Checks a content type.
pub fn checked(content_type: String) -> Result<String, StorageError> {
    match crate::model::media_type::is_media_type(&content_type) {
        true => Ok(content_type),
        false => Err(StorageError::MediaType(content_type)),
    }
}

/// An empty response with the entity tag.
pub fn tagged(row: &ObjectRow) -> Response {
    let mut response = StatusCode::OK.into_response();
    let tag = row.known().e_tag.as_deref().and_then(|tag| HeaderValue::try_from(tag).ok());
    response.headers_mut().extend(tag.map(|tag| (header::ETAG, tag)));
    response
}

pub async fn copy(state: &State, request: &SignedRequest) -> ResponseResult {
    const ROOT: &str = "CopyObjectResult";
    let source = source(state, request).await?;
    let replaces = match request.header("x-amz-metadata-directive") {
        None | Some("COPY") => false,
        Some("REPLACE") => true,
        Some(_) => {
            return Err(S3Refusal::InvalidArgument("Unknown metadata directive.").into());
        }
    };
    let is_same =
        source.bucket_id == request.target.bucket() && source.name == request.target.key();
    if is_same && !replaces {
        let message = "This copy request is illegal because it is trying to copy an object to itself \
                    without changing the object's metadata.";
        return Err(S3Refusal::InvalidRequest(message).into());
    }
    let message = ContentHeaders::of(request.headers());
    // With the directive COPY, S3 ignores the metadata of the request.
    let content_type = message.content_type.filter(|_| replaces).map(checked).transpose()?;
    let copying = CopyRequest {
        bucket: source.bucket_id,
        key: source.name,
        to_bucket: request.target.bucket().to_owned(),
        to_key: request.target.key().to_owned(),
        upsert: may_replace(request)?,
        keeps_metadata: !replaces,
        content_type,
        cache_control: message.cache_control.filter(|_| replaces),
        user_metadata: message.user_metadata.filter(|_| replaces),
    };
    let row = copying::copy(state, &request.context, &copying).await?;
    let mut writer = Writer::root(ROOT);
    writer.leaf_if("LastModified", row.known().last_modified.map(moment));
    writer.leaf_if("ETag", row.known().e_tag.as_deref());
    Ok(document(writer.finish(ROOT)))
}

/// The source object of a copy, if the conditions of the request hold.
pub async fn source(state: &State, request: &SignedRequest) -> Result<ObjectRow, StorageError> {
    let source = CopySource::read(request.header("x-amz-copy-source").unwrap_or_default())?;
    let (bucket, key) = (source.bucket.as_str(), source.key.as_str());
    let row = getting::may_get(state, &request.context, Access::Caller, bucket, key).await?;
    match conditions::evaluate(&source_conditions(request.headers()), &row)? {
        ConditionOutcome::Failed | ConditionOutcome::Unchanged => {
            Err(S3Refusal::PreconditionFailed.into())
        }
        _ => Ok(row),
    }
}

/// The conditions on a copy source, as those of a plain request.
fn source_conditions(headers: &HeaderMap) -> HeaderMap {
    let conditions = [
        header::IF_MATCH,
        header::IF_NONE_MATCH,
        header::IF_MODIFIED_SINCE,
        header::IF_UNMODIFIED_SINCE,
    ];
    let of_source = |name: HeaderName| {
        let value = headers.get(format!("x-amz-copy-source-{name}"))?;
        Some((name, value.clone()))
    };
    conditions.into_iter().filter_map(of_source).collect()
}

/// Deletes an object; succeeds if it does not exist.
pub async fn delete(state: &State, request: &SignedRequest) -> ResponseResult {
    bucket::must_exist(state, &request.context, request.target.bucket()).await?;
    let keys = [request.target.key().to_owned()];
    let deleted = remove::many(state, &request.context, request.target.bucket(), &keys).await?;
    if deleted.is_empty() && !find_undeleted(state, request, &keys).await?.is_empty() {
        return Err(S3Refusal::AccessDenied("Access Denied").into());
    }
    Ok(StatusCode::NO_CONTENT.into_response())
}

pub async fn delete_many(state: &State, request: &SignedRequest, body: Body) -> ResponseResult {
    const ROOT: &str = "DeleteResult";
    let request_body = DeleteRequest::read(&read_document(request.content(body)?).await?)?;
    bucket::must_exist(state, &request.context, request.target.bucket()).await?;
    remove::many(state, &request.context, request.target.bucket(), &request_body.keys).await?;
    let remaining = find_undeleted(state, request, &request_body.keys).await?;
    let mut writer = Writer::root(ROOT);
    for key in &request_body.keys {
        if remaining.contains(key) {
            writer.open("Error").leaf("Key", key).leaf("Code", "AccessDenied");
            writer.leaf("Message", "Access Denied").close("Error");
        } else if !request_body.is_quiet {
            writer.open("Deleted").leaf("Key", key).close("Deleted");
        }
    }
    Ok(document(writer.finish(ROOT)))
}

/// The keys that the caller could not remove.
async fn find_undeleted(
    state: &State,
    request: &SignedRequest,
    keys: &[String],
) -> Result<Vec<String>, StorageError> {
    remove::find_remaining(state, &request.context, request.target.bucket(), keys).await
}

/// Tags are not supported, so the set is empty.
pub async fn tagging(state: &State, request: &SignedRequest) -> ResponseResult {
    let (bucket, key) = (request.target.bucket(), request.target.key());
    getting::may_get(state, &request.context, Access::Caller, bucket, key).await?;
    let mut writer = Writer::root("Tagging");
    writer.open("TagSet").close("TagSet");
    Ok(document(writer.finish("Tagging")))
}

/// A timestamp in the protocol's format.
pub fn moment(moment: DateTime<Utc>) -> String {
    moment.to_rfc3339_opts(SecondsFormat::Millis, true)
}
