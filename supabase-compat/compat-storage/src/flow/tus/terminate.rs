//! Giving an upload up.

use super::{Right, admit, find, lease::Lease, put_of};
use crate::error::StorageError;
use crate::model::Visit;
use crate::state::State;
use crate::store::tus;
use crate::tus::{Refusal, UploadId};

/// Removes what arrived. Whoever may put the object may give it up.
///
/// # Errors
/// [`Refusal::Completed`] for one that is an object by now, [`Refusal::Locked`], and why it may
/// not be put.
pub async fn terminate(
    state: &State,
    visit: &Visit,
    right: Right<'_>,
    id: &UploadId,
) -> Result<(), StorageError> {
    let upload = find(state, visit, id).await?;
    if upload.is_done {
        return Err(Refusal::Completed.into());
    }
    admit(state, visit, right, put_of(&upload)?).await?;
    let lease = Lease::take(state, visit, id.version).await?;
    if lease.upload.is_done {
        lease.release(state, visit).await;
        return Err(Refusal::Completed.into());
    }
    state.bytes.abandon_parts(id.version).await?;
    let turn = state.own_turn(visit);
    let mut work = turn.begin();
    tus::delete(&mut work, id.version).await?;
    Ok(work.commit().await?)
}
