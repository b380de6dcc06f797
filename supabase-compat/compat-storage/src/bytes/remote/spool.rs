//! Keeps content until the store has confirmed it: a store needs to know the length before a
//! request begins, and a failed request is repeated.
//!
//! Short content stays in memory; the rest is in a file that has been unlinked.

use std::fs::{self, File, OpenOptions};
use std::io::{self, Write as _};
use std::os::unix::fs::{FileExt as _, OpenOptionsExt as _};
use std::path::Path;
use std::sync::Arc;

use aws_sdk_s3::primitives::{ByteStream as Body, SdkBody};
use bytes::Bytes;
use futures_util::{StreamExt as _, TryStreamExt as _, stream};
use http_body::{Body as HttpBody, Frame};
use http_body_util::StreamBody;
use tokio::task::spawn_blocking;
use uuid::Uuid;

use crate::bytes::content_digest::ContentDigest;
use crate::bytes::disk::blocking;
use crate::bytes::{ByteStream, BytesError};

/// The most bytes that are kept in memory, and that are read from a file at once.
const IN_MEMORY: usize = 256 * 1024;

/// A piece of a content.
pub(super) struct SpooledContent {
    storage: SpoolStorage,
    /// The length in bytes.
    pub length: u64,
    /// Whether this is the last piece.
    pub is_last: bool,
}

enum SpoolStorage {
    Memory(Bytes),
    File(Arc<File>),
}

/// A content that is being sent.
pub(super) struct ContentSource {
    pub content: ByteStream,
    /// Length and MD5 of the bytes that were taken so far.
    pub digest: ContentDigest,
    /// The most bytes that are taken in total.
    pub limit: u64,
}

impl ContentSource {
    /// Takes about `most` bytes, or what is left.
    ///
    /// # Errors
    /// [`BytesError::TooLong`], [`BytesError::BrokenOff`], [`BytesError::Full`] for the disk.
    pub async fn take(
        &mut self,
        most: u64,
        folder: &Path,
        name: Uuid,
    ) -> Result<SpooledContent, BytesError> {
        let (mut piece, mut is_last) = self.gather().await?;
        let mut length = piece.len() as u64;
        if is_last || length >= most {
            return Ok(SpooledContent { storage: SpoolStorage::Memory(piece), length, is_last });
        }
        let path = folder.join(name.to_string());
        let mut file = blocking(move || nameless(&path)).await?;
        loop {
            let write = blocking(move || file.write_all(&piece).map(|()| file));
            if is_last || length >= most {
                let storage = SpoolStorage::File(Arc::new(write.await?));
                return Ok(SpooledContent { storage, length, is_last });
            }
            (file, (piece, is_last)) = tokio::try_join!(write, self.gather())?;
            length += piece.len() as u64;
        }
    }

    /// Copies chunks into one piece, because a small chunk may hold on to a large buffer.
    async fn gather(&mut self) -> Result<(Bytes, bool), BytesError> {
        let mut piece = Vec::new();
        while piece.len() < IN_MEMORY {
            let Some(chunk) = self.content.next().await else { return Ok((piece.into(), true)) };
            let chunk = chunk.map_err(BytesError::BrokenOff)?;
            self.digest.add(&chunk);
            if self.digest.size() > self.limit {
                return Err(BytesError::TooLong(self.limit));
            }
            piece.extend_from_slice(&chunk);
        }
        Ok((piece.into(), false))
    }
}

impl SpooledContent {
    /// The request body, which the client can send repeatedly.
    pub fn body(self) -> Body {
        match self.storage {
            SpoolStorage::Memory(bytes) => Body::from(SdkBody::from(bytes)),
            SpoolStorage::File(file) => {
                let length = self.length;
                let again = move || SdkBody::from_body_1_x(pieces(Arc::clone(&file), length));
                Body::new(SdkBody::retryable(again))
            }
        }
    }
}

fn pieces(
    file: Arc<File>,
    length: u64,
) -> impl HttpBody<Data = Bytes, Error = io::Error> + Send + Sync {
    let read = stream::try_unfold(0, move |at: u64| {
        let file = Arc::clone(&file);
        async move {
            let next = (length - at).min(IN_MEMORY as u64);
            if next == 0 {
                return Ok(None);
            }
            let piece = spawn_blocking(move || read(&file, at, next)).await??;
            Ok(Some((piece, at + next)))
        }
    });
    StreamBody::new(read.map_ok(Frame::data))
}

fn read(file: &File, at: u64, length: u64) -> io::Result<Bytes> {
    let mut piece = vec![0; usize::try_from(length).unwrap_or_default()];
    file.read_exact_at(&mut piece, at)?;
    Ok(piece.into())
}

/// Creates an unlinked file, which the system removes when it is closed.
fn nameless(path: &Path) -> io::Result<File> {
    fs::create_dir_all(path.parent().unwrap_or(path))?;
    let mut options = OpenOptions::new();
    let file = options.read(true).write(true).create_new(true).mode(0o600).open(path)?;
    fs::remove_file(path)?;
    Ok(file)
}
