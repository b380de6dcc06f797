//! Multipart uploads over the S3 protocol.

use axum::body::Body;
use axum::response::IntoResponse as _;
use http::{HeaderValue, StatusCode, header};

use super::content::read_document;
use super::extract::SignedRequest;
use super::object::{may_replace, moment, put_of, source};
use super::{ResponseResult, document};
use crate::error::StorageError;
use crate::flow::multipart::{self, UploadTarget};
use crate::s3::S3Refusal;
use crate::s3::copy_source::read_range;
use crate::s3::document::{part_number, read_parts};
use crate::s3::signature::encode_path;
use crate::s3::xml::Writer;
use crate::state::State;

pub async fn create(state: &State, request: &SignedRequest) -> ResponseResult {
    const ROOT: &str = "InitiateMultipartUploadResult";
    let id = multipart::begin(state, &request.context, put_of(request)?).await?;
    let mut writer = Writer::root(ROOT);
    writer.leaf("Bucket", request.target.bucket()).leaf("Key", request.target.key());
    writer.leaf("UploadId", id);
    Ok(document(writer.finish(ROOT)))
}

pub async fn upload(state: &State, request: &SignedRequest, body: Body) -> ResponseResult {
    let length = request.length().ok_or(S3Refusal::MissingContentLength)?;
    let (upload_target, number, content) =
        (upload_target(request), number(request)?, request.content(body)?);
    let part = multipart::write_part(
        state,
        &request.context,
        upload_target,
        number,
        Some(length),
        content,
    );
    let stored = part.await?;
    let mut response = StatusCode::OK.into_response();
    let tag = HeaderValue::try_from(stored.etag).map_err(StorageError::internal)?;
    response.headers_mut().insert(header::ETAG, tag);
    Ok(response)
}

pub async fn copy(state: &State, request: &SignedRequest) -> ResponseResult {
    const ROOT: &str = "CopyPartResult";
    let row = source(state, request).await?;
    let size = row.known().size.unwrap_or_default();
    let range = request.header("x-amz-copy-source-range");
    let range = range.map(|range| read_range(range, size)).transpose()?;
    let piece = (&row, range.unwrap_or(0..size));
    let (upload_target, number) = (upload_target(request), number(request)?);
    let stored =
        multipart::copy_part(state, &request.context, upload_target, number, piece).await?;
    let mut writer = Writer::root(ROOT);
    writer.leaf("LastModified", moment(state.now())).leaf("ETag", stored.etag);
    Ok(document(writer.finish(ROOT)))
}

pub async fn complete(state: &State, request: &SignedRequest, body: Body) -> ResponseResult {
    const ROOT: &str = "CompleteMultipartUploadResult";
    let parts = read_parts(&read_document(request.content(body)?).await?)?;
    let upsert = may_replace(request)?;
    let row = multipart::complete(state, &request.context, upload_target(request), &parts, upsert)
        .await?;
    let (bucket, key) = (request.target.bucket(), request.target.key());
    let place = encode_path(format!("{bucket}/{key}").as_bytes());
    let mut writer = Writer::root(ROOT);
    writer.leaf("Location", format!("{}/s3/{place}", state.external_url()));
    writer.leaf("Bucket", bucket).leaf("Key", key);
    writer.leaf_if("ETag", row.known().e_tag.as_deref());
    Ok(document(writer.finish(ROOT)))
}

pub async fn abort(state: &State, request: &SignedRequest) -> ResponseResult {
    multipart::abort(state, &request.context, upload_target(request)).await?;
    Ok(StatusCode::NO_CONTENT.into_response())
}

/// The upload that a request names.
pub fn upload_target(request: &SignedRequest) -> UploadTarget<'_> {
    UploadTarget {
        bucket: request.target.bucket(),
        key: request.target.key(),
        id: request.target.query.get("uploadId").unwrap_or_default(),
    }
}

fn number(request: &SignedRequest) -> Result<u32, S3Refusal> {
    let number = request.target.query.get("partNumber").and_then(part_number);
    let message = "Part number must be an integer between 1 and 10000, inclusive";
    number.ok_or(S3Refusal::InvalidArgument(message))
}
