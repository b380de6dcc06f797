//! Copying an object: the caller needs the right to read the source and to write the target.

use serde_json::Value;

use crate::bytes::{BytesError, ObjectLocation, StoredContent};
use crate::error::StorageError;
use crate::flow::get::{Access, may_get};
use crate::flow::put::{PutRequest, may_put, settle};
use crate::model::{ObjectRow, RequestContext};
use crate::state::State;

/// The source and the target of a copy, and the metadata that differs.
#[derive(Debug, Clone, Default)]
pub struct CopyRequest {
    pub bucket: String,
    pub key: String,
    pub to_bucket: String,
    pub to_key: String,
    pub upsert: bool,
    /// Whether the source's user metadata and cache control are copied.
    pub keeps_metadata: bool,
    pub content_type: Option<String>,
    pub cache_control: Option<String>,
    pub user_metadata: Option<Value>,
}

/// Copies an object.
///
/// # Errors
/// [`StorageError::NoSuchKey`], and those of a put.
pub async fn copy(
    state: &State,
    context: &RequestContext,
    copying: &CopyRequest,
) -> Result<ObjectRow, StorageError> {
    let source = may_get(state, context, Access::Caller, &copying.bucket, &copying.key).await?;
    let admitted = may_put(state, context, put_of(copying, &source, context)).await?;
    let version = state.uuid();
    let stored = copy_bytes(state, &source, &admitted.place(version), admitted.limit).await?;
    settle(state, context, &admitted, version, &stored).await
}

/// Copies the content. If the row lacks its size or entity tag, the content is read and written
/// anew to determine them.
async fn copy_bytes(
    state: &State,
    source: &ObjectRow,
    to: &ObjectLocation,
    limit: u64,
) -> Result<StoredContent, BytesError> {
    let from = source.place().ok_or(BytesError::Missing)?;
    let known = source.known();
    let (Some(size), Some(etag)) = (known.size, &known.e_tag) else {
        let reading = state.bytes.read(&from, None).await?;
        return state.bytes.write(to, reading.content, limit).await;
    };
    state.bytes.copy(&from, to).await?;
    Ok(StoredContent { size, etag: etag.clone() })
}

fn put_of(copying: &CopyRequest, source: &ObjectRow, context: &RequestContext) -> PutRequest {
    let known = source.known();
    let own_or_source = |own: &Option<String>, source: &Option<String>| {
        own.clone().or_else(|| source.clone().filter(|_| copying.keeps_metadata))
    };
    let content_type = copying.content_type.clone().or_else(|| known.mimetype.clone());
    PutRequest {
        bucket: copying.to_bucket.clone(),
        key: copying.to_key.clone(),
        upsert: copying.upsert,
        content_type: content_type.unwrap_or_else(|| "application/octet-stream".to_owned()),
        cache_control: own_or_source(&copying.cache_control, &known.cache_control)
            .unwrap_or_else(|| "no-cache".to_owned()),
        robots: known.x_robots_tag.clone(),
        user_metadata: match copying.keeps_metadata {
            true => source.user_metadata.clone(),
            false => copying.user_metadata.clone(),
        },
        owner: context.subject().map(str::to_owned),
        length: known.size,
    }
}
