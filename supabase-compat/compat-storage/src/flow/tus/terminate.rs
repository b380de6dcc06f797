//! Terminating an upload.

use super::{UploadAuthorization, admit, find, lease::Lease, put_of};
use crate::error::StorageError;
use crate::model::RequestContext;
use crate::state::State;
use crate::store::tus;
use crate::tus::{TusRefusal, UploadId};

/// Removes an upload and its parts. Requires the right to put the object.
///
/// # Errors
/// [`TusRefusal::Completed`] if the upload is an object by now, [`TusRefusal::Locked`], and the
/// reasons why the object may not be put.
pub async fn terminate(
    state: &State,
    context: &RequestContext,
    authorization: UploadAuthorization<'_>,
    id: &UploadId,
) -> Result<(), StorageError> {
    let upload = find(state, context, id).await?;
    if upload.is_done {
        return Err(TusRefusal::Completed.into());
    }
    admit(state, context, authorization, put_of(&upload)?).await?;
    let lease = Lease::take(state, context, id.version).await?;
    if lease.upload.is_done {
        lease.release(state, context).await;
        return Err(TusRefusal::Completed.into());
    }
    if let Err(error) = delete(state, context, &lease).await {
        // The upload is still there: the client may terminate it again at once.
        lease.release(state, context).await;
        return Err(error);
    }
    // The row went first, so that a writer that took the lease meanwhile keeps its parts.
    if let Err(error) = state.bytes.abandon_parts(id.version).await {
        tracing::warn!(%error, "cannot remove upload parts; the sweep will");
    }
    Ok(())
}

async fn delete(
    state: &State,
    context: &RequestContext,
    lease: &Lease,
) -> Result<(), StorageError> {
    let db = state.service_db(context);
    let mut work = db.begin();
    if !tus::delete_held(&mut work, lease.upload.version, lease.writer).await? {
        return Err(TusRefusal::Locked.into());
    }
    Ok(work.commit().await?)
}
