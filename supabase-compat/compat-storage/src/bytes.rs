//! Where the bytes of objects lie.
//!
//! A [`ObjectLocation`] is written once and never changed: whoever reads one gets all of it or
//! nothing, and whoever was told that it is written finds it after a crash. What may be read or
//! written, and which version counts, is decided elsewhere, by rows; this room knows neither.

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

/// A version of an object.
#[derive(Debug, Clone, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct ObjectLocation {
    /// The bucket's id.
    pub bucket: String,
    /// The object's name within it.
    pub key: String,
    /// Which of its versions; nobody else's, whatever bucket and key are.
    pub version: Uuid,
}

/// Content on its way; an error ends it.
pub type ByteStream = BoxStream<'static, Result<Bytes, Cause>>;

/// What broke a stream off.
pub type Cause = Box<dyn Error + Send + Sync>;

/// What lies at a place.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct StoredContent {
    /// Its length in bytes.
    pub size: u64,
    /// A strong entity tag with its quotes: the MD5 of the content, or the form of a content that
    /// came in parts.
    pub etag: String,
}

/// A part of a content that comes in parts.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Part {
    /// Its number, from 1 on; parts stand in the order of their numbers.
    pub number: u32,
    /// What was said when it was written.
    pub stored: StoredContent,
}

/// What is read of a place.
pub struct ReadRange {
    /// Bytes of the whole content, whatever was asked for.
    pub size: u64,
    /// The bytes asked for.
    pub content: ByteStream,
}

/// Something that lies in the store.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct StoreEntry {
    /// What it is.
    pub what: StoreFinding,
    /// When it was put there. Copying, restoring or moving the whole store counts as putting.
    pub since: DateTime<Utc>,
}

/// What [`ObjectBytes::places`] finds.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum StoreFinding {
    /// The bytes of an object.
    Object(ObjectLocation),
    /// A part of what will be this version.
    Part(Uuid),
}

/// Why bytes were not written or read.
#[derive(Debug, thiserror::Error)]
pub enum BytesError {
    /// The content is longer than it may be.
    #[error("the content is longer than {0} bytes")]
    TooLong(u64),
    /// The key is longer than the store can name.
    #[error("the key is longer than the store can name")]
    KeyTooLong,
    /// Nothing lies there, or a part is not what its writer was told.
    #[error("no content at this place")]
    Missing,
    /// The range lies outside of the content, which is this long.
    #[error("the range lies outside of {0} bytes")]
    OutOfRange(u64),
    /// Whoever sends the content broke off.
    #[error("the content broke off")]
    BrokenOff(#[source] Cause),
    /// There is no room left.
    #[error("there is no room left")]
    Full(#[source] Cause),
    /// The disk or the store failed.
    #[error("the store failed")]
    Failed(#[source] Cause),
}

/// A store of bytes. Every write is durable when it answers and leaves nothing when it fails, or
/// when its future is dropped.
///
/// A content may come in parts of any length, in any order, and again; they are kept under the
/// version of the place they are for, so that this is all anybody has to remember.
pub trait ObjectBytes: Send + Sync + 'static {
    /// Writes a place that is new.
    ///
    /// # Errors
    /// [`BytesError::TooLong`] past `limit` bytes, and whatever stops a write.
    fn write<'a>(
        &'a self,
        place: &'a ObjectLocation,
        content: ByteStream,
        limit: u64,
    ) -> BoxFuture<'a, Result<StoredContent, BytesError>>;

    /// Reads a place or a part of it. What was opened is read to its end, also when it is removed
    /// meanwhile.
    ///
    /// # Errors
    /// [`BytesError::Missing`], [`BytesError::OutOfRange`].
    fn read<'a>(
        &'a self,
        place: &'a ObjectLocation,
        range: Option<Range<u64>>,
    ) -> BoxFuture<'a, Result<ReadRange, BytesError>>;

    /// Makes a place with the content of another, which stays what was said of it.
    ///
    /// # Errors
    /// [`BytesError::Missing`], and whatever stops a write.
    fn copy<'a>(
        &'a self,
        from: &'a ObjectLocation,
        to: &'a ObjectLocation,
    ) -> BoxFuture<'a, Result<(), BytesError>>;

    /// Removes places; those that are not there are nothing to remove. While a backup is taken
    /// they stay, and the sweep removes them later.
    ///
    /// # Errors
    /// Whatever stops it; some may be gone by then.
    fn remove<'a>(&'a self, places: &'a [ObjectLocation]) -> BoxFuture<'a, Result<(), BytesError>>;

    /// Writes a part of what will be this place, in the stead of an earlier one of its number.
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

    /// Writes the place from these parts, in this order. The parts stay, so that it may be done
    /// again, until they are abandoned.
    ///
    /// # Errors
    /// [`BytesError::Missing`] for a part of this number and length that is not there, and
    /// whatever stops a write.
    fn finish_parts<'a>(
        &'a self,
        place: &'a ObjectLocation,
        parts: &'a [Part],
    ) -> BoxFuture<'a, Result<StoredContent, BytesError>>;

    /// Removes all parts kept for this version, whether they were made use of or not.
    ///
    /// # Errors
    /// As [`Self::remove`].
    fn abandon_parts<'a>(&'a self, version: Uuid) -> BoxFuture<'a, Result<(), BytesError>>;

    /// Everything that lies here, in no order; what comes and goes meanwhile may be told or not.
    fn places(&self) -> BoxStream<'static, Result<StoreEntry, BytesError>>;
}

/// A stream of what is in memory already.
pub fn whole(content: impl Into<Bytes>) -> ByteStream {
    Box::pin(futures_util::stream::iter([Ok(content.into())]))
}
