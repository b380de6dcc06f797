//! Maps the store's answers to our errors.

use std::error::Error;
use std::fmt::Debug;

use aws_sdk_s3::error::{ProvideErrorMetadata, SdkError};
use aws_sdk_s3::primitives::DateTime as Moment;
use aws_sdk_s3::types::Object;
use aws_smithy_runtime_api::client::orchestrator::HttpResponse;
use chrono::{DateTime, Utc};

use crate::bytes::BytesError;

/// The meaning of an error of the store.
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
            // A missing bucket is a mistake in the settings.
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
            // A caller that requested a range has handled this error already.
            StoreError::OutOfRange | StoreError::Other => Self::Failed(error.into()),
        }
    }
}

/// The length of a content, from `Content-Range` (`bytes 0-9/1234`) or else `Content-Length`.
///
/// # Errors
/// [`BytesError::Failed`] when the store sends neither.
pub(super) fn length_of(range: Option<&str>, length: Option<i64>) -> Result<u64, BytesError> {
    let total = range.and_then(|range| range.rsplit_once('/')?.1.parse().ok());
    let length = total.or_else(|| length.and_then(|length| u64::try_from(length).ok()));
    length.ok_or_else(|| BytesError::Failed("the store sent no content length".into()))
}

/// A key in a list of the store.
pub(super) struct ListedKey {
    pub key: String,
    pub size: u64,
    pub since: Option<Moment>,
}

/// Converts an entry of a list; `None` if it has no key.
pub(super) fn listed(object: Object) -> Option<ListedKey> {
    let size = object.size.and_then(|size| u64::try_from(size).ok()).unwrap_or_default();
    Some(ListedKey { key: object.key?, size, since: object.last_modified })
}

/// Converts a time. A missing time counts as the latest possible, so that a new object is never
/// taken for an old one.
pub(super) fn moment(time: Option<Moment>) -> DateTime<Utc> {
    let time = time.and_then(|time| DateTime::from_timestamp(time.secs(), 0));
    time.unwrap_or(DateTime::<Utc>::MAX_UTC)
}
