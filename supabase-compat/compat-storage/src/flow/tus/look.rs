//! Asking where an upload stands.

use super::{Right, Standing, find, finish, lease::Lease, put_of};
use crate::error::StorageError;
use crate::flow::put::{Admitted, limit_of};
use crate::model::Visit;
use crate::state::State;
use crate::store::tus::Upload;
use crate::tus::{Refusal, UploadId};

/// Where an upload stands. Whoever may name it may know. One that has all its bytes and is no
/// object yet, because whoever took the last of them failed, is made one first: a client takes
/// "all there" for "done".
///
/// # Errors
/// [`Refusal::NotFound`], [`Refusal::Gone`], and what keeps it from becoming an object.
pub async fn look(
    state: &State,
    visit: &Visit,
    right: Right<'_>,
    id: &UploadId,
) -> Result<Standing, StorageError> {
    right.signed(state, &id.bucket, &id.key)?;
    let upload = find(state, visit, id).await?;
    if upload.is_done || upload.length != Some(upload.received) {
        return Ok(Standing::of(upload));
    }
    let lease = Lease::take(state, visit, id.version).await?;
    let done = lease.keep(state, visit, finish_late(state, visit, &lease.upload)).await;
    lease.release(state, visit).await;
    done.map(Standing::of)
}

async fn finish_late(
    state: &State,
    visit: &Visit,
    upload: &Upload,
) -> Result<Upload, StorageError> {
    if upload.is_done {
        return Ok(upload.clone());
    }
    let put = put_of(upload)?;
    let limit = limit_of(state, visit, &put).await?;
    if upload.received > limit {
        return Err(Refusal::MaximumExceeded.into());
    }
    finish::finish(state, visit, upload, &Admitted { put, limit }).await
}
