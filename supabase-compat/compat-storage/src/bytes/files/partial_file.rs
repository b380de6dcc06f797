//! A content that is being written to a file which has no final name yet.

use std::fs::{self, File, OpenOptions};
use std::io::{self, ErrorKind, Read as _, Write as _};
use std::os::unix::fs::OpenOptionsExt as _;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use futures_util::StreamExt as _;
use tokio::join;
use tokio::runtime::Handle;
use uuid::Uuid;

use super::folder::Folder;
use super::io_pool::IoPool;
use crate::bytes::content_digest::ContentDigest;
use crate::bytes::disk::blocking;
use crate::bytes::{ByteStream, BytesError, StoredContent};

/// Bytes that are collected from a stream before they are written.
const PIECE: usize = 64 * 1024;
/// The most bytes of a piece with its last chunk.
const ROOM: usize = 2 * PIECE;
/// Bytes after which the free disk space is checked again.
const BETWEEN_LOOKS: u64 = 16 * 1024 * 1024;

/// A file in `~parts`; it is removed if it is dropped before it is published.
pub(super) struct PartialFile {
    folder: Arc<Folder>,
    /// `None` once the file is published.
    path: Option<PathBuf>,
    file: File,
    digest: ContentDigest,
    /// The size at which the free disk space is checked again.
    look_at: u64,
}

impl PartialFile {
    /// A draft with the content of another file: a hard link where the file system supports it,
    /// because contents never change, else a copy.
    pub fn of(
        folder: Arc<Folder>,
        name: Uuid,
        path: &Path,
        fallback_path: Option<&Path>,
    ) -> io::Result<Self> {
        let file = folder.open(path, fallback_path)?;
        let partial = folder.parts()?.join(name.to_string());
        for path in [Some(path), fallback_path].into_iter().flatten() {
            if fs::hard_link(folder.root().join(path), &partial).is_ok() {
                return Ok(Self::at(folder, partial, file));
            }
        }
        Self::begin(folder, name)?.copy(file)
    }

    pub fn begin(folder: Arc<Folder>, name: Uuid) -> io::Result<Self> {
        let path = folder.parts()?.join(name.to_string());
        let mut options = OpenOptions::new();
        let file = options.write(true).create_new(true).mode(0o600).open(&path)?;
        Ok(Self::at(folder, path, file))
    }

    fn at(folder: Arc<Folder>, path: PathBuf, file: File) -> Self {
        Self { folder, path: Some(path), file, digest: ContentDigest::default(), look_at: 0 }
    }

    /// Writes a stream to its end; each piece is written while the next one is collected.
    ///
    /// # Errors
    /// [`BytesError::TooLong`] beyond `limit`, [`BytesError::BrokenOff`], and errors of the disk.
    pub async fn fill(
        self,
        mut content: ByteStream,
        limit: u64,
        io_pool: &IoPool,
    ) -> Result<Self, BytesError> {
        let (mut partial, mut left) = (self, limit);
        let mut next = gather(&mut content, Vec::new(), &mut left, limit).await;
        // Two buffers alternate: one is filled while the other is written.
        let mut spare = Vec::new();
        loop {
            let FileChunk { bytes, is_last } = match next {
                Ok(piece) => piece,
                // The draft is removed before the caller gets the error.
                Err(error) => return blocking(move || partial.discard()).await.and(Err(error)),
            };
            let write = io_pool.run(move || Ok((partial.add(&bytes)?, bytes)));
            if is_last {
                return Ok(write.await?.0);
            }
            let gathering = gather(&mut content, spare, &mut left, limit);
            let (written, gathered) = join!(write, gathering);
            ((partial, spare), next) = (written?, gathered);
        }
    }

    fn add(mut self, bytes: &[u8]) -> io::Result<Self> {
        match self.write(bytes) {
            Ok(()) => Ok(self),
            Err(error) => self.discard().and(Err(error)),
        }
    }

    fn write(&mut self, bytes: &[u8]) -> io::Result<()> {
        self.ask_for_room(bytes.len() as u64)?;
        self.file.write_all(bytes)?;
        self.digest.add(bytes);
        Ok(())
    }

    /// Removes the draft now, instead of later when another thread drops it.
    fn discard(mut self) -> io::Result<()> {
        self.path.take().iter().for_each(|path| discard(path));
        Ok(())
    }

    fn ask_for_room(&mut self, more: u64) -> io::Result<()> {
        if self.digest.size() + more > self.look_at {
            self.folder.has_room(more)?;
            self.look_at = self.digest.size() + BETWEEN_LOOKS;
        }
        Ok(())
    }

    /// Copies the content of a file into the draft.
    pub fn copy(mut self, from: File) -> io::Result<Self> {
        match self.write_all(from) {
            Ok(()) => Ok(self),
            Err(error) => self.discard().and(Err(error)),
        }
    }

    fn write_all(&mut self, mut from: File) -> io::Result<()> {
        let mut piece = vec![0; PIECE];
        loop {
            match from.read(&mut piece)? {
                0 => return Ok(()),
                length => self.write(&piece[..length])?,
            }
        }
    }

    /// Appends the file of a part, and checks that it has the expected size and tag.
    pub fn append(mut self, from: io::Result<File>, expected: &StoredContent) -> io::Result<Self> {
        let before = std::mem::take(&mut self.digest);
        self.look_at = 0;
        let result = from.and_then(|from| self.write_all(from));
        let is_it = std::mem::replace(&mut self.digest, before).stored() == *expected;
        match result {
            Ok(()) if is_it => Ok(self),
            Ok(()) => self.discard().and(Err(ErrorKind::NotFound.into())),
            Err(error) => self.discard().and(Err(error)),
        }
    }

    /// Renames the draft to its path, or to the fallback path if a version of another key is in the
    /// way, and waits until everything is on the disk. Nobody knows the path before this returns,
    /// so renaming may come before synchronising, which costs the disk one commit instead of two.
    pub fn publish(
        mut self,
        path: &Path,
        fallback_path: Option<&Path>,
    ) -> io::Result<StoredContent> {
        let partial = self.path.take().unwrap_or_default();
        let named = match (self.folder.rename(&partial, path), fallback_path) {
            (Err(error), Some(fallback_path)) if error.kind() == ErrorKind::NotADirectory => {
                self.folder.rename(&partial, fallback_path).map(|touched| (touched, fallback_path))
            }
            (renamed, _) => renamed.map(|touched| (touched, path)),
        };
        let (touched, path) = named.inspect_err(|_| discard(&partial))?;
        let synced = self.file.sync_all().and_then(|()| synchronise(&touched));
        synced.inspect_err(|_| discard(&self.folder.root().join(path)))?;
        Ok(std::mem::take(&mut self.digest).stored())
    }
}

impl Drop for PartialFile {
    fn drop(&mut self) {
        let Some(path) = self.path.take() else { return };
        match Handle::try_current() {
            Ok(runtime) => drop(runtime.spawn_blocking(move || discard(&path))),
            Err(_) => discard(&path),
        }
    }
}

fn discard(path: &Path) {
    if let Err(error) = fs::remove_file(path) {
        tracing::warn!(%error, "cannot remove a partial file; the sweep will");
    }
}

/// Synchronises folders; one that was removed meanwhile is skipped.
fn synchronise(folders: &[PathBuf]) -> io::Result<()> {
    for folder in folders {
        match File::open(folder) {
            Err(error) if error.kind() == ErrorKind::NotFound => {}
            opened => opened?.sync_all()?,
        }
    }
    Ok(())
}

struct FileChunk {
    bytes: Vec<u8>,
    is_last: bool,
}

/// Copies chunks of a stream into a buffer until it is worth a write. Chunks are copied because a
/// small one may hold on to a large buffer.
async fn gather(
    content: &mut ByteStream,
    room: Vec<u8>,
    left: &mut u64,
    limit: u64,
) -> Result<FileChunk, BytesError> {
    let mut bytes = room;
    bytes.clear();
    while bytes.len() < PIECE {
        let Some(chunk) = content.next().await else {
            return Ok(FileChunk { bytes, is_last: true });
        };
        let chunk = chunk.map_err(BytesError::BrokenOff)?;
        *left = left.checked_sub(chunk.len() as u64).ok_or(BytesError::TooLong(limit))?;
        // A content that is not short gets a full buffer at once instead of growing one.
        if !bytes.is_empty() && bytes.capacity() < ROOM {
            bytes.reserve_exact(ROOM - bytes.len());
        }
        bytes.extend_from_slice(&chunk);
    }
    Ok(FileChunk { bytes, is_last: false })
}
