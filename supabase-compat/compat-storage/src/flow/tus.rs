//! Resumable uploads: create, append, status, terminate and expire.
//!
//! The body is written in parts as it arrives, and each part is recorded in the database once it is
//! durable: a broken connection or a crashed process loses only the part that was not recorded. The
//! last byte creates the object, as any other put does.

pub mod append;
pub mod create;
pub mod expire;
pub mod status;
pub mod terminate;

mod finish;
mod lease;

use crate::bytes::ObjectLocation;
use crate::error::StorageError;
use crate::flow::put::{AdmittedPut, PutRequest, may_put};
use crate::flow::sign::{SignedPut, admit_signed, check_put};
use crate::model::RequestContext;
use crate::state::State;
use crate::store::tus::Upload;
use crate::tus::{Metadata, TusRefusal, UploadId};

const UNTYPED: &str = "application/octet-stream";

/// The authorization of an upload.
#[derive(Debug, Clone, Copy)]
pub enum UploadAuthorization<'a> {
    /// Row security decides on every request.
    Caller,
    /// A token that somebody with the right to put signed; none if the request lacks it.
    Signed(Option<&'a str>),
}

impl UploadAuthorization<'_> {
    /// Verifies the signed token, if the authorization is one.
    fn signed(
        self,
        state: &State,
        bucket: &str,
        key: &str,
    ) -> Result<Option<SignedPut>, StorageError> {
        match self {
            Self::Caller => Ok(None),
            Self::Signed(token) => check_put(state, token, bucket, key).map(Some),
        }
    }
}

/// An upload and its state.
#[derive(Debug, Clone)]
pub struct UploadStatus {
    pub id: UploadId,
    pub upload: Upload,
}

impl UploadStatus {
    fn of(upload: Upload) -> Self {
        let (bucket, key) = (upload.bucket_id.clone(), upload.key.clone());
        Self { id: UploadId { bucket, key, version: upload.version }, upload }
    }
}

/// Loads the upload that a URL names, unless it expired.
async fn find(
    state: &State,
    context: &RequestContext,
    id: &UploadId,
) -> Result<Upload, StorageError> {
    let db = state.service_db(context);
    let mut work = db.begin();
    let upload = crate::store::tus::find(&mut work, id.version).await?;
    work.commit().await?;
    let upload = upload.filter(|upload| upload.bucket_id == id.bucket && upload.key == id.key);
    let upload = upload.ok_or(TusRefusal::NotFound)?;
    if upload.expires_at < state.now() { Err(TusRefusal::Gone.into()) } else { Ok(upload) }
}

/// Checks that the caller may put the upload's object.
async fn admit(
    state: &State,
    context: &RequestContext,
    authorization: UploadAuthorization<'_>,
    put: PutRequest,
) -> Result<AdmittedPut, StorageError> {
    match authorization.signed(state, &put.bucket, &put.key)? {
        None => may_put(state, context, put).await,
        Some(_) => admit_signed(state, context, put).await,
    }
}

/// The put that completes an upload.
fn put_of(upload: &Upload) -> Result<PutRequest, StorageError> {
    let metadata = Metadata::read(&upload.metadata)?;
    Ok(PutRequest {
        bucket: upload.bucket_id.clone(),
        key: upload.key.clone(),
        upsert: upload.upsert,
        cache_control: metadata.max_age().unwrap_or_else(|| "no-cache".to_owned()),
        content_type: metadata.content_type.unwrap_or_else(|| UNTYPED.to_owned()),
        user_metadata: metadata.user_metadata.map(Into::into),
        owner: upload.owner_id.clone(),
        length: upload.length,
        ..PutRequest::default()
    })
}

fn place_of(upload: &Upload) -> ObjectLocation {
    let (bucket, key) = (upload.bucket_id.clone(), upload.key.clone());
    ObjectLocation { bucket, key, version: upload.version }
}
