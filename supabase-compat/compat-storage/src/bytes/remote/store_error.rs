//! What the store says, in our words.

use std::error::Error;
use std::fmt::Debug;

use aws_sdk_s3::error::{ProvideErrorMetadata, SdkError};
use aws_sdk_s3::primitives::DateTime as Moment;
use aws_sdk_s3::types::Object;
use aws_smithy_runtime_api::client::orchestrator::HttpResponse;
use chrono::{DateTime, Utc};

use crate::bytes::BytesError;

/// What a refusal of the store means.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum StoreError {
    Missing,
    OutOfRange,
    Full,
    Other,
}

impl StoreError {
    pub fn of<E: ProvideErrorMetadata>(error: &SdkError<E, HttpResponse>) -> Self {
        let status = error.raw_response().map(|answer| answer.status().as_u16());
        let code = error.as_service_error().and_then(ProvideErrorMetadata::code);
        match (status, code) {
            // A bucket that is not there is a mistake of the settings.
            (Some(404), Some("NoSuchBucket")) => Self::Other,
            (Some(404), _) => Self::Missing,
            (Some(416), _) => Self::OutOfRange,
            (Some(507), _) | (_, Some("QuotaExceeded" | "XMinioStorageFull")) => Self::Full,
            _ => Self::Other,
        }
    }
}

impl<E> From<SdkError<E, HttpResponse>> for BytesError
where
    E: ProvideErrorMetadata + Error + Send + Sync + 'static,
{
    fn from(error: SdkError<E, HttpResponse>) -> Self {
        match StoreError::of(&error) {
            StoreError::Missing => Self::Missing,
            StoreError::Full => Self::Full(error.into()),
            // Whoever asked for a range has dealt with it.
            StoreError::OutOfRange | StoreError::Other => Self::Failed(error.into()),
        }
    }
}

/// The length of a content, of which a range may have been asked for: `bytes 0-9/1234`.
///
/// # Errors
/// [`BytesError::Failed`] for a store that does not say it.
pub(super) fn length_of(range: Option<&str>, length: Option<i64>) -> Result<u64, BytesError> {
    let whole = range.and_then(|range| range.rsplit_once('/')?.1.parse().ok());
    let length = whole.or_else(|| length.and_then(|length| u64::try_from(length).ok()));
    length.ok_or_else(|| BytesError::Failed("the store does not say how long it is".into()))
}

/// A key of a list.
pub(super) struct ListedKey {
    pub key: String,
    pub size: u64,
    pub since: Option<Moment>,
}

/// Nothing for what has no name.
pub(super) fn listed(object: Object) -> Option<ListedKey> {
    let size = object.size.and_then(|size| u64::try_from(size).ok()).unwrap_or_default();
    Some(ListedKey { key: object.key?, size, since: object.last_modified })
}

/// A time the store does not say is the latest there is: nothing is old that might be new.
pub(super) fn moment(time: Option<Moment>) -> DateTime<Utc> {
    let time = time.and_then(|time| DateTime::from_timestamp(time.secs(), 0));
    time.unwrap_or(DateTime::<Utc>::MAX_UTC)
}
