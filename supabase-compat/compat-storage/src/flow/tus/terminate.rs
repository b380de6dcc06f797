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
    state.bytes.abandon_parts(id.version).await?;
    let db = state.own_turn(context);
    let mut work = db.begin();
    tus::delete(&mut work, id.version).await?;
    Ok(work.commit().await?)
}
