//! Where the bytes of objects lie.
//!
//! A [`Place`] is written once and never changed: whoever reads one gets all of it or nothing. What
//! may be read or written, and which version counts, is decided elsewhere, by rows.

pub mod files;

use std::error::Error;
use std::ops::Range;

use bytes::Bytes;
use futures_util::future::BoxFuture;
use futures_util::stream::BoxStream;
use uuid::Uuid;

pub use files::Files;

/// A version of an object.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct Place {
    /// The bucket's id.
    pub bucket: String,
    /// The object's name within it.
    pub key: String,
    /// Which of its versions.
    pub version: Uuid,
}

/// Content on its way; an error ends it.
pub type ByteStream = BoxStream<'static, Result<Bytes, Cause>>;

/// What broke a stream off.
pub type Cause = Box<dyn Error + Send + Sync>;

/// What lies at a place.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Stored {
    /// Its length in bytes.
    pub size: u64,
    /// A strong entity tag with its quotes: the MD5 of the content, or the form of a content that
    /// came in parts.
    pub etag: String,
}

/// What is read of a place.
pub struct Reading {
    /// Bytes of the whole content, whatever was asked for.
    pub size: u64,
    /// The bytes asked for.
    pub content: ByteStream,
}

/// Why bytes were not written or read.
#[derive(Debug, thiserror::Error)]
pub enum BytesError {
    /// The content is longer than it may be.
    #[error("the content is longer than {0} bytes")]
    TooLong(u64),
    /// Nothing lies there.
    #[error("nothing lies there")]
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

/// A store of bytes. Every write is durable when it answers and leaves nothing when it fails.
pub trait ObjectBytes: Send + Sync + 'static {
    /// Writes a place that is new.
    ///
    /// # Errors
    /// [`BytesError::TooLong`] past `limit` bytes, and whatever stops a write.
    fn write<'a>(
        &'a self,
        place: &'a Place,
        content: ByteStream,
        limit: u64,
    ) -> BoxFuture<'a, Result<Stored, BytesError>>;

    /// Reads a place or a part of it.
    ///
    /// # Errors
    /// [`BytesError::Missing`], [`BytesError::OutOfRange`].
    fn read<'a>(
        &'a self,
        place: &'a Place,
        range: Option<Range<u64>>,
    ) -> BoxFuture<'a, Result<Reading, BytesError>>;

    /// Makes a place with the content of another.
    ///
    /// # Errors
    /// [`BytesError::Missing`], and whatever stops a write.
    fn copy<'a>(
        &'a self,
        from: &'a Place,
        to: &'a Place,
    ) -> BoxFuture<'a, Result<Stored, BytesError>>;

    /// Removes places; those that are not there are nothing to remove.
    ///
    /// # Errors
    /// Whatever stops it; some may be gone by then.
    fn remove<'a>(&'a self, places: &'a [Place]) -> BoxFuture<'a, Result<(), BytesError>>;
}
