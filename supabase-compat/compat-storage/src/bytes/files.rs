//! Objects as files below a folder, in the original's layout: `<folder>/<bucket>/<key>/<version>`.
//!
//! It promises that nothing is ever made outside of the folder, that what it said is written is on
//! the disk, and that a full disk refuses a write and damages nothing: a content goes to a draft
//! first, which gets its name when it is whole, and is removed where it does not get there. All
//! work on files happens on threads that may wait, a piece at a time.
//!
//! Beside the buckets lie `~parts` with what is on its way (a draft is a file, the parts of a
//! version a folder) and the file `~backup`: while whoever takes a backup has it locked, nothing is
//! removed.

mod draft;
mod folder;
mod movers;
mod read;
mod rooms;
mod walk;

use std::ops::Range;
use std::path::PathBuf;
use std::sync::Arc;

use compat_http::Entropy;
use futures_util::future::BoxFuture;
use futures_util::stream::BoxStream;
use uuid::Uuid;

use super::disk::{blocking, refused};
use super::{ByteStream, BytesError, Lying, ObjectBytes, Part, Place, Reading, Stored};
use super::{name, tally};
use draft::Draft;
pub use folder::BackupHold;
use folder::Folder;
use movers::Movers;
use read::Hands;
use rooms::Rooms;

/// Where the files lie, and what is left to others.
#[derive(Debug, Clone)]
pub struct FilesConfig {
    /// The folder; made when the first object comes.
    pub folder: PathBuf,
    /// Bytes of the disk that are not ours to fill: the database on it would stop.
    pub keep_free: u64,
}

/// A folder of objects. Cheap to clone.
#[derive(Clone)]
pub struct Files {
    folder: Arc<Folder>,
    rooms: Rooms,
    movers: Movers,
    entropy: Entropy,
}

impl Files {
    /// The objects below a folder.
    pub fn new(config: FilesConfig, entropy: Entropy) -> Self {
        let folder = Arc::new(Folder::new(config));
        Self { folder, rooms: Rooms::default(), movers: Movers::default(), entropy }
    }

    /// Keeps everything where it is until the hold is dropped, in every process; waits for
    /// removals under way.
    ///
    /// # Errors
    /// The disk's.
    pub fn hold(&self) -> Result<BackupHold, BytesError> {
        self.folder.hold().map_err(refused)
    }

    async fn draft(&self) -> Result<Draft, BytesError> {
        let (folder, name) = (Arc::clone(&self.folder), self.entropy.uuid());
        blocking(move || Draft::begin(folder, name)).await
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
        place: &'a Place,
        content: ByteStream,
        limit: u64,
    ) -> BoxFuture<'a, Result<Stored, BytesError>> {
        Box::pin(async move {
            let (path, detour) = (name::path(place)?, name::detour(place));
            let draft = self.draft().await?.fill(content, limit, &self.movers).await?;
            blocking(move || draft.publish(&path, detour.as_deref())).await
        })
    }

    fn read<'a>(
        &'a self,
        place: &'a Place,
        range: Option<Range<u64>>,
    ) -> BoxFuture<'a, Result<Reading, BytesError>> {
        Box::pin(async move {
            let (path, detour) = (name::path(place)?, name::detour(place));
            let folder = Arc::clone(&self.folder);
            let hands = Hands { rooms: self.rooms.clone(), movers: self.movers.clone() };
            read::open(move || folder.open(&path, detour.as_deref()), hands, range).await
        })
    }

    fn copy<'a>(&'a self, from: &'a Place, to: &'a Place) -> BoxFuture<'a, Result<(), BytesError>> {
        Box::pin(async move {
            let (from, from_detour) = (name::path(from)?, name::detour(from));
            let (to, to_detour) = (name::path(to)?, name::detour(to));
            let (folder, draft) = (Arc::clone(&self.folder), self.entropy.uuid());
            blocking(move || {
                Draft::of(folder, draft, &from, from_detour.as_deref())?
                    .publish(&to, to_detour.as_deref())
            })
            .await
            .map(drop)
        })
    }

    fn remove<'a>(&'a self, places: &'a [Place]) -> BoxFuture<'a, Result<(), BytesError>> {
        Box::pin(async move {
            let (folder, places) = (Arc::clone(&self.folder), places.to_vec());
            blocking(move || folder.remove(&places)).await
        })
    }

    fn write_part<'a>(
        &'a self,
        place: &'a Place,
        number: u32,
        content: ByteStream,
        limit: u64,
    ) -> BoxFuture<'a, Result<Stored, BytesError>> {
        Box::pin(async move {
            let path = Self::part(place.version, number);
            let draft = self.draft().await?.fill(content, limit, &self.movers).await?;
            blocking(move || draft.publish(&path, None)).await
        })
    }

    fn finish_parts<'a>(
        &'a self,
        place: &'a Place,
        parts: &'a [Part],
    ) -> BoxFuture<'a, Result<Stored, BytesError>> {
        Box::pin(async move {
            let (path, detour) = (name::path(place)?, name::detour(place));
            let (stored, version) = (tally::of_parts(parts)?, place.version);
            let (folder, draft, parts) =
                (Arc::clone(&self.folder), self.draft().await?, parts.to_vec());
            blocking(move || {
                let mut draft = draft;
                for part in parts {
                    let file = folder.open(&Self::part(version, part.number), None);
                    draft = draft.append(file, &part.stored)?;
                }
                draft.publish(&path, detour.as_deref())
            })
            .await
            .map(|_| stored)
        })
    }

    fn abandon_parts<'a>(&'a self, version: Uuid) -> BoxFuture<'a, Result<(), BytesError>> {
        let folder = Arc::clone(&self.folder);
        Box::pin(blocking(move || folder.remove_all(&Self::parts(version))))
    }

    fn places(&self) -> BoxStream<'static, Result<Lying, BytesError>> {
        walk::walk(Arc::clone(&self.folder))
    }
}
