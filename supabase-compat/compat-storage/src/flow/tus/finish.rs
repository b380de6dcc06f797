//! Completing an upload: its parts become the object.

use futures_util::StreamExt as _;
use futures_util::stream;

use super::place_of;
use crate::bytes::StoredContent;
use crate::error::StorageError;
use crate::flow::put::{AdmittedPut, settle};
use crate::model::RequestContext;
use crate::state::State;
use crate::store;
use crate::store::tus::{self, Upload};

/// Creates the object. May be repeated after a failure in between.
///
/// # Errors
/// Those of the content store and of the row; the parts stay then.
pub(super) async fn finish(
    state: &State,
    context: &RequestContext,
    upload: &Upload,
    admitted: &AdmittedPut,
) -> Result<Upload, StorageError> {
    if !is_settled(state, context, upload).await? {
        let stored = store_object(state, context, upload).await?;
        settle(state, context, admitted, upload.version, &stored).await?;
    }
    let db = state.service_db(context);
    let mut work = db.begin();
    tus::finish(&mut work, upload.version).await?;
    work.commit().await?;
    if let Err(error) = state.bytes.abandon_parts(upload.version).await {
        tracing::warn!(%error, "cannot remove upload parts; the sweep will");
    }
    Ok(Upload { is_done: true, ..upload.clone() })
}

/// Whether the object's row already names this upload's version: an earlier request wrote the row
/// and died before it marked the upload as done.
async fn is_settled(
    state: &State,
    context: &RequestContext,
    upload: &Upload,
) -> Result<bool, StorageError> {
    let db = state.service_db(context);
    let mut work = db.begin();
    let row = store::object::find(&mut work, &upload.bucket_id, &upload.key).await?;
    work.commit().await?;
    Ok(row.and_then(|row| row.version) == Some(upload.version.to_string()))
}

async fn store_object(
    state: &State,
    context: &RequestContext,
    upload: &Upload,
) -> Result<StoredContent, StorageError> {
    let place = place_of(upload);
    let db = state.service_db(context);
    let mut work = db.begin();
    let parts = tus::parts(&mut work, upload.version).await?;
    work.commit().await?;
    if parts.is_empty() {
        return Ok(state.bytes.write(&place, stream::empty().boxed(), 0).await?);
    }
    Ok(state.bytes.finish_parts(&place, &parts).await?)
}
