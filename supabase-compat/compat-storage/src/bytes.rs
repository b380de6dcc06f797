//! Stores of the bytes of objects.
//!
//! An [`ObjectLocation`] is written once and never changed: a read returns all of the content or
//! fails, and a write that has returned survives a crash. Rows in the database decide what may be
//! read or written and which version is current; this module knows neither.

pub mod cache;
mod content_digest;
mod disk;
pub mod files;
mod name;
pub mod remote;

use std::error::Error;
use std::ops::Range;

use bytes::Bytes;
use chrono::{DateTime, Utc};
use futures_util::future::BoxFuture;
use futures_util::stream::BoxStream;
use uuid::Uuid;

pub use files::{Files, FilesConfig};
pub use remote::{Remote, RemoteConfig};

/// The location of one version of an object.
#[derive(Debug, Clone, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct ObjectLocation {
    /// The bucket's id.
    pub bucket: String,
    /// The object's name within it.
    pub key: String,
    /// The version, which is unique across all buckets and keys.
    pub version: Uuid,
}

/// A stream of content; an error ends it.
pub type ByteStream = BoxStream<'static, Result<Bytes, Cause>>;

/// The error that ended a stream.
pub type Cause = Box<dyn Error + Send + Sync>;

/// Size and tag of the content at a location.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct StoredContent {
    /// The length in bytes.
    pub size: u64,
    /// A strong entity tag with its quotes: the MD5 of the content, or S3's tag of a content that
    /// was uploaded in parts.
    pub etag: String,
}

/// A part of a content that is uploaded in parts.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Part {
    /// The part's number, from 1 on; parts are joined in the order of their numbers.
    pub number: u32,
    /// Size and tag that the write of the part returned.
    pub stored: StoredContent,
}

/// The content of a location, or a range of it.
pub struct ReadRange {
    /// The length of the whole content, whichever range was requested.
    pub size: u64,
    /// The requested bytes.
    pub content: ByteStream,
}

/// An entry of the store.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct StoreEntry {
    /// What the entry is.
    pub finding: StoreFinding,
    /// When the entry was written. Copying, restoring or moving the whole store counts as writing.
    pub since: DateTime<Utc>,
}

/// A kind of entry that [`ObjectBytes::places`] finds.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum StoreFinding {
    /// The bytes of an object.
    Object(ObjectLocation),
    /// A part of the upload that will become this version.
    Part(Uuid),
}

/// Why bytes were not written or read.
#[derive(Debug, thiserror::Error)]
pub enum BytesError {
    /// The content is longer than the limit.
    #[error("the content is longer than {0} bytes")]
    TooLong(u64),
    /// The key is longer than the store can name.
    #[error("the key is longer than the store can name")]
    KeyTooLong,
    /// There is no content at the location, or a part differs from what its write returned.
    #[error("no content at this place")]
    Missing,
    /// The range lies outside of the content, which is this long.
    #[error("the range lies outside of {0} bytes")]
    OutOfRange(u64),
    /// The sender of the content broke off.
    #[error("the content broke off")]
    BrokenOff(#[source] Cause),
    /// There is no space left.
    #[error("there is no room left")]
    Full(#[source] Cause),
    /// The disk or the store failed.
    #[error("the store failed")]
    Failed(#[source] Cause),
}

/// A store of bytes. Every write is durable when it returns, and leaves nothing behind when it
/// fails or its future is dropped.
///
/// A content may be uploaded in parts of any length, in any order and repeatedly; parts are stored
/// under the version of their future location, so that a caller has to remember nothing else.
pub trait ObjectBytes: Send + Sync + 'static {
    /// Writes a content to a new location.
    ///
    /// # Errors
    /// [`BytesError::TooLong`] beyond `limit` bytes, and any failure of a write.
    fn write<'a>(
        &'a self,
        place: &'a ObjectLocation,
        content: ByteStream,
        limit: u64,
    ) -> BoxFuture<'a, Result<StoredContent, BytesError>>;

    /// Reads the content at a location, or a range of it. A stream that was opened is readable to
    /// its end, even if the content is removed meanwhile.
    ///
    /// # Errors
    /// [`BytesError::Missing`], [`BytesError::OutOfRange`].
    fn read<'a>(
        &'a self,
        place: &'a ObjectLocation,
        range: Option<Range<u64>>,
    ) -> BoxFuture<'a, Result<ReadRange, BytesError>>;

    /// Copies the content of a location to a new one; size and tag stay the same.
    ///
    /// # Errors
    /// [`BytesError::Missing`], and any failure of a write.
    fn copy<'a>(
        &'a self,
        from: &'a ObjectLocation,
        to: &'a ObjectLocation,
    ) -> BoxFuture<'a, Result<(), BytesError>>;

    /// Removes the contents of locations; missing ones are ignored. During a backup nothing is
    /// removed; the sweep does it later.
    ///
    /// # Errors
    /// Any failure; some contents may be removed by then.
    fn remove<'a>(&'a self, places: &'a [ObjectLocation]) -> BoxFuture<'a, Result<(), BytesError>>;

    /// Writes a part of the content of this future location; replaces a part with the same number.
    ///
    /// # Errors
    /// As [`Self::write`].
    fn write_part<'a>(
        &'a self,
        place: &'a ObjectLocation,
        number: u32,
        content: ByteStream,
        limit: u64,
    ) -> BoxFuture<'a, Result<StoredContent, BytesError>>;

    /// Joins these parts, in this order, into the content of the location. The parts stay until
    /// they are abandoned, so that the call can be repeated.
    ///
    /// # Errors
    /// [`BytesError::Missing`] when there is no part with this number and length, and any failure
    /// of a write.
    fn finish_parts<'a>(
        &'a self,
        place: &'a ObjectLocation,
        parts: &'a [Part],
    ) -> BoxFuture<'a, Result<StoredContent, BytesError>>;

    /// Removes all parts of this version, whether they were used or not.
    ///
    /// # Errors
    /// As [`Self::remove`].
    fn abandon_parts<'a>(&'a self, version: Uuid) -> BoxFuture<'a, Result<(), BytesError>>;

    /// All entries of the store, in no order; entries that come or go meanwhile may be missing.
    fn places(&self) -> BoxStream<'static, Result<StoreEntry, BytesError>>;
}

/// A stream of a content that is in memory.
pub fn stream_of(content: impl Into<Bytes>) -> ByteStream {
    Box::pin(futures_util::stream::iter([Ok(content.into())]))
}
