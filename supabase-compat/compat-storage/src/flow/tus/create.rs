//! Creating an upload.

use super::{UploadAuthorization, UploadStatus, admit, finish, lease::Lease, put_of};
use crate::error::StorageError;
use crate::model::RequestContext;
use crate::model::media_type::is_media_type;
use crate::state::State;
use crate::store::tus::{Upload, insert};
use crate::tus::Metadata;
use crate::tus::headers::Length;

/// The headers of a create request.
pub struct CreateRequest<'a> {
    pub length: Length,
    /// The `Upload-Metadata` header as sent.
    pub metadata: &'a str,
    pub upsert: bool,
}

/// Creates an upload; one without bytes becomes an object at once.
///
/// # Errors
/// The reasons why the object may not be put, or missing metadata.
pub async fn create(
    state: &State,
    context: &RequestContext,
    authorization: UploadAuthorization<'_>,
    begin: CreateRequest<'_>,
) -> Result<UploadStatus, StorageError> {
    let metadata = Metadata::read(begin.metadata)?;
    // A signed token determines both; its holder may not choose.
    let (upsert, owner) = match authorization.signed(state, &metadata.bucket, &metadata.key)? {
        None => (begin.upsert, context.subject().map(str::to_owned)),
        Some(signed) => (signed.upsert, signed.owner),
    };
    let upload = Upload {
        version: state.uuid(),
        bucket_id: metadata.bucket,
        key: metadata.key,
        length: match begin.length {
            Length::Known(length) => Some(length),
            Length::Deferred => None,
        },
        received: 0,
        upsert,
        owner_id: owner,
        metadata: begin.metadata.to_owned(),
        is_done: false,
        expires_at: state.now() + state.config.tus_life,
    };
    let put = put_of(&upload)?;
    if !is_media_type(&put.content_type) {
        return Err(StorageError::MediaType(put.content_type));
    }
    let admitted = admit(state, context, authorization, put).await?;
    let db = state.service_db(context);
    let mut work = db.begin();
    insert(&mut work, &upload).await?;
    work.commit().await?;
    // A client sends no PATCH for an upload without bytes, so its object is made here.
    if upload.length != Some(0) {
        return Ok(UploadStatus::of(upload));
    }
    let lease = Lease::take(state, context, upload.version).await?;
    let work = finish::finish(state, context, &lease.upload, &admitted);
    let done = lease.keep(state, context, work).await;
    lease.release(state, context).await;
    Ok(UploadStatus::of(done?))
}
