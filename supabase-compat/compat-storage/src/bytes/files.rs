//! Objects as files below a folder, in the original's layout: `<folder>/<bucket>/<key>/<version>`.
//!
//! It promises that no file is created outside of the folder, that a write that has returned is on
//! the disk, and that a full disk refuses a write and damages nothing. A content is written to a
//! draft first, which is renamed when it is complete and removed if it fails. All work on files
//! happens on threads that may block, one piece at a time.
//!
//! Beside the buckets there are `~parts` for uploads in progress (a draft is a file, the parts of a
//! version are a folder) and the file `~backup`: while a backup has it locked, nothing is removed.

mod buffer_pool;
mod folder;
mod io_pool;
mod partial_file;
mod read;
mod walk;

use std::ops::Range;
use std::path::PathBuf;
use std::sync::Arc;

use compat_http::Entropy;
use futures_util::future::BoxFuture;
use futures_util::stream::BoxStream;
use uuid::Uuid;

use super::disk::{blocking, storage_error};
use super::{
    ByteStream, BytesError, ObjectBytes, ObjectLocation, Part, ReadRange, StoreEntry, StoredContent,
};
use super::{content_digest, name};
use buffer_pool::BufferPool;
pub use folder::BackupHold;
use folder::Folder;
use io_pool::IoPool;
use partial_file::PartialFile;
use read::ReadPools;

/// The folder of the files, and the disk space that they leave free.
#[derive(Debug, Clone)]
pub struct FilesConfig {
    /// The folder; created with the first object.
    pub folder: PathBuf,
    /// Bytes of the disk that must stay free, because a database on the same disk would stop
    /// without them.
    pub keep_free: u64,
}

/// A folder of objects. Cheap to clone.
#[derive(Clone)]
pub struct Files {
    folder: Arc<Folder>,
    buffers: BufferPool,
    io_pool: IoPool,
    entropy: Entropy,
}

impl Files {
    /// A store of the objects below a folder.
    pub fn new(config: FilesConfig, entropy: Entropy) -> Self {
        let folder = Arc::new(Folder::new(config));
        Self { folder, buffers: BufferPool::default(), io_pool: IoPool::default(), entropy }
    }

    /// Prevents removals in every process until the hold is dropped; waits for removals in
    /// progress.
    pub fn hold(&self) -> Result<BackupHold, BytesError> {
        self.folder.hold().map_err(storage_error)
    }

    async fn partial(&self) -> Result<PartialFile, BytesError> {
        let (folder, name) = (Arc::clone(&self.folder), self.entropy.uuid());
        blocking(move || PartialFile::begin(folder, name)).await
    }

    fn part(place: Uuid, number: u32) -> PathBuf {
        Self::parts(place).join(number.to_string())
    }

    fn parts(place: Uuid) -> PathBuf {
        PathBuf::from(name::own("parts")).join(place.to_string())
    }
}

impl ObjectBytes for Files {
    fn write<'a>(
        &'a self,
        place: &'a ObjectLocation,
        content: ByteStream,
        limit: u64,
    ) -> BoxFuture<'a, Result<StoredContent, BytesError>> {
        Box::pin(async move {
            let (path, fallback_path) = (name::path(place)?, name::fallback_path(place));
            let partial = self.partial().await?.fill(content, limit, &self.io_pool).await?;
            blocking(move || partial.publish(&path, fallback_path.as_deref())).await
        })
    }

    fn read<'a>(
        &'a self,
        place: &'a ObjectLocation,
        range: Option<Range<u64>>,
    ) -> BoxFuture<'a, Result<ReadRange, BytesError>> {
        Box::pin(async move {
            let (path, fallback_path) = (name::path(place)?, name::fallback_path(place));
            let folder = Arc::clone(&self.folder);
            let pools = ReadPools { buffers: self.buffers.clone(), io_pool: self.io_pool.clone() };
            read::open(move || folder.open(&path, fallback_path.as_deref()), pools, range).await
        })
    }

    fn copy<'a>(
        &'a self,
        from: &'a ObjectLocation,
        to: &'a ObjectLocation,
    ) -> BoxFuture<'a, Result<(), BytesError>> {
        Box::pin(async move {
            let (from, from_fallback) = (name::path(from)?, name::fallback_path(from));
            let (to, to_fallback) = (name::path(to)?, name::fallback_path(to));
            let (folder, partial) = (Arc::clone(&self.folder), self.entropy.uuid());
            blocking(move || {
                PartialFile::of(folder, partial, &from, from_fallback.as_deref())?
                    .publish(&to, to_fallback.as_deref())
            })
            .await
            .map(drop)
        })
    }

    fn remove<'a>(&'a self, places: &'a [ObjectLocation]) -> BoxFuture<'a, Result<(), BytesError>> {
        Box::pin(async move {
            let (folder, places) = (Arc::clone(&self.folder), places.to_vec());
            blocking(move || folder.remove(&places)).await
        })
    }

    fn write_part<'a>(
        &'a self,
        place: &'a ObjectLocation,
        number: u32,
        content: ByteStream,
        limit: u64,
    ) -> BoxFuture<'a, Result<StoredContent, BytesError>> {
        Box::pin(async move {
            let path = Self::part(place.version, number);
            let partial = self.partial().await?.fill(content, limit, &self.io_pool).await?;
            blocking(move || partial.publish(&path, None)).await
        })
    }

    fn finish_parts<'a>(
        &'a self,
        place: &'a ObjectLocation,
        parts: &'a [Part],
    ) -> BoxFuture<'a, Result<StoredContent, BytesError>> {
        Box::pin(async move {
            let (path, fallback_path) = (name::path(place)?, name::fallback_path(place));
            let (stored, version) = (content_digest::of_parts(parts)?, place.version);
            let (folder, partial, parts) =
                (Arc::clone(&self.folder), self.partial().await?, parts.to_vec());
            blocking(move || {
                let mut partial = partial;
                for part in parts {
                    let file = folder.open(&Self::part(version, part.number), None);
                    partial = partial.append(file, &part.stored)?;
                }
                partial.publish(&path, fallback_path.as_deref())
            })
            .await
            .map(|_| stored)
        })
    }

    fn abandon_parts<'a>(&'a self, version: Uuid) -> BoxFuture<'a, Result<(), BytesError>> {
        let folder = Arc::clone(&self.folder);
        Box::pin(blocking(move || folder.remove_all(&Self::parts(version))))
    }

    fn places(&self) -> BoxStream<'static, Result<StoreEntry, BytesError>> {
        walk::walk(Arc::clone(&self.folder))
    }
}
