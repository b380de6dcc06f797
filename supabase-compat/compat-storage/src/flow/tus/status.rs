//! The status of an upload.

use super::{UploadAuthorization, UploadStatus, find, finish, lease::Lease, put_of};
use crate::error::StorageError;
use crate::flow::put::{AdmittedPut, limit_of};
use crate::model::RequestContext;
use crate::state::State;
use crate::store::tus::Upload;
use crate::tus::{TusRefusal, UploadId};

/// Returns the status of an upload to any caller who knows its id. If all bytes arrived but the
/// object is missing because the last request failed, the object is created first: a client takes
/// "all bytes received" for "done".
///
/// # Errors
/// [`TusRefusal::NotFound`], [`TusRefusal::Gone`], and the reasons why the object cannot be
/// created.
pub async fn status(
    state: &State,
    context: &RequestContext,
    authorization: UploadAuthorization<'_>,
    id: &UploadId,
) -> Result<UploadStatus, StorageError> {
    authorization.signed(state, &id.bucket, &id.key)?;
    let upload = find(state, context, id).await?;
    if upload.is_done || upload.length != Some(upload.received) {
        return Ok(UploadStatus::of(upload));
    }
    let lease = Lease::take(state, context, id.version).await?;
    let done = lease.keep(state, context, finish_late(state, context, &lease.upload)).await;
    lease.release(state, context).await;
    done.map(UploadStatus::of)
}

async fn finish_late(
    state: &State,
    context: &RequestContext,
    upload: &Upload,
) -> Result<Upload, StorageError> {
    if upload.is_done {
        return Ok(upload.clone());
    }
    let put = put_of(upload)?;
    let limit = limit_of(state, context, &put).await?;
    if upload.received > limit {
        return Err(TusRefusal::MaximumExceeded.into());
    }
    finish::finish(state, context, upload, &AdmittedPut { put, limit }).await
}
