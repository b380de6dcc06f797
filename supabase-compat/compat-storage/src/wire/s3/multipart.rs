//! Objects that come in parts over the S3 protocol.

use axum::body::Body;
use axum::response::IntoResponse as _;
use http::{HeaderValue, StatusCode, header};

use super::asking::Asked;
use super::content::whole;
use super::object::{may_replace, moment, put_of, source};
use super::{Answer, document};
use crate::error::StorageError;
use crate::flow::multipart::{self, Named};
use crate::s3::Refusal;
use crate::s3::copy_source::read_range;
use crate::s3::document::{part_number, read_parts};
use crate::s3::signature::encode_path;
use crate::s3::xml::Writer;
use crate::state::State;

pub async fn create(state: &State, asked: &Asked) -> Answer {
    const ROOT: &str = "InitiateMultipartUploadResult";
    let id = multipart::begin(state, &asked.visit, put_of(asked)?).await?;
    let mut writer = Writer::root(ROOT);
    writer.leaf("Bucket", asked.target.bucket()).leaf("Key", asked.target.key());
    writer.leaf("UploadId", id);
    Ok(document(writer.finish(ROOT)))
}

pub async fn upload(state: &State, asked: &Asked, body: Body) -> Answer {
    let length = asked.length().ok_or(Refusal::MissingContentLength)?;
    let (named, number, content) = (named(asked), number(asked)?, asked.content(body)?);
    let written = multipart::write_part(state, &asked.visit, named, number, Some(length), content);
    let stored = written.await?;
    let mut response = StatusCode::OK.into_response();
    let tag = HeaderValue::try_from(stored.etag).map_err(StorageError::internal)?;
    response.headers_mut().insert(header::ETAG, tag);
    Ok(response)
}

pub async fn copy(state: &State, asked: &Asked) -> Answer {
    const ROOT: &str = "CopyPartResult";
    let row = source(state, asked).await?;
    let size = row.known().size.unwrap_or_default();
    let range = asked.header("x-amz-copy-source-range");
    let range = range.map(|range| read_range(range, size)).transpose()?;
    let piece = (&row, range.unwrap_or(0..size));
    let (named, number) = (named(asked), number(asked)?);
    let stored = multipart::copy_part(state, &asked.visit, named, number, piece).await?;
    let mut writer = Writer::root(ROOT);
    writer.leaf("LastModified", moment(state.now())).leaf("ETag", stored.etag);
    Ok(document(writer.finish(ROOT)))
}

pub async fn complete(state: &State, asked: &Asked, body: Body) -> Answer {
    const ROOT: &str = "CompleteMultipartUploadResult";
    let parts = read_parts(&whole(asked.content(body)?).await?)?;
    let upsert = may_replace(asked)?;
    let row = multipart::complete(state, &asked.visit, named(asked), &parts, upsert).await?;
    let (bucket, key) = (asked.target.bucket(), asked.target.key());
    let place = encode_path(format!("{bucket}/{key}").as_bytes());
    let mut writer = Writer::root(ROOT);
    writer.leaf("Location", format!("{}/s3/{place}", state.external_url()));
    writer.leaf("Bucket", bucket).leaf("Key", key);
    writer.leaf_if("ETag", row.known().e_tag.as_deref());
    Ok(document(writer.finish(ROOT)))
}

pub async fn abort(state: &State, asked: &Asked) -> Answer {
    multipart::abort(state, &asked.visit, named(asked)).await?;
    Ok(StatusCode::NO_CONTENT.into_response())
}

/// The upload a request names.
pub fn named(asked: &Asked) -> Named<'_> {
    Named {
        bucket: asked.target.bucket(),
        key: asked.target.key(),
        id: asked.target.query.get("uploadId").unwrap_or_default(),
    }
}

fn number(asked: &Asked) -> Result<u32, Refusal> {
    let number = asked.target.query.get("partNumber").and_then(part_number);
    let said = "Part number must be an integer between 1 and 10000, inclusive";
    number.ok_or(Refusal::InvalidArgument(said))
}
