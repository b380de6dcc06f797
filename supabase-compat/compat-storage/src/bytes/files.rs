//! Objects as files of a folder: `<folder>/<bucket>/<key>/<version>`, written beside and renamed.

use std::io::{self, ErrorKind, SeekFrom};
use std::ops::Range;
use std::path::{Path, PathBuf};

use futures_util::future::BoxFuture;
use futures_util::{StreamExt as _, TryStreamExt as _};
use md5::{Digest as _, Md5};
use tokio::fs::{self, File};
use tokio::io::{AsyncReadExt as _, AsyncSeekExt as _, AsyncWriteExt as _};
use tokio_util::io::ReaderStream;

use super::{ByteStream, BytesError, ObjectBytes, Place, Reading, Stored};

/// Bytes read from a file at once.
const PIECE: usize = 64 * 1024;

/// A folder of objects.
#[derive(Debug, Clone)]
pub struct Files {
    folder: PathBuf,
}

impl Files {
    /// The objects below this folder, which is made when the first one is written.
    pub fn new(folder: PathBuf) -> Self {
        Self { folder }
    }

    /// Keys are checked before: no part of one is `.` or `..`, or begins at the root.
    fn path(&self, place: &Place) -> PathBuf {
        let folder = self.folder.join(&place.bucket).join(&place.key);
        folder.join(place.version.to_string())
    }

    async fn write_to(
        &self,
        path: &Path,
        content: ByteStream,
        limit: u64,
    ) -> Result<Stored, BytesError> {
        let folder = path.parent().unwrap_or(&self.folder);
        fs::create_dir_all(folder).await.map_err(refused)?;
        let draft = path.with_extension("draft");
        let written = match fill(&draft, content, limit).await {
            Ok(stored) => fs::rename(&draft, path).await.map_err(refused).map(|()| stored),
            Err(error) => Err(error),
        };
        if written.is_err() {
            let _ = fs::remove_file(&draft).await;
        }
        written
    }
}

async fn fill(draft: &Path, mut content: ByteStream, limit: u64) -> Result<Stored, BytesError> {
    let mut file = File::create(draft).await.map_err(refused)?;
    let (mut digest, mut size) = (Md5::new(), 0);
    while let Some(piece) = content.next().await {
        let piece = piece.map_err(BytesError::BrokenOff)?;
        size += piece.len() as u64;
        if size > limit {
            return Err(BytesError::TooLong(limit));
        }
        digest.update(&piece);
        file.write_all(&piece).await.map_err(refused)?;
    }
    file.sync_all().await.map_err(refused)?;
    let sum: String = digest.finalize().iter().map(|byte| format!("{byte:02x}")).collect();
    Ok(Stored { size, etag: format!("\"{sum}\"") })
}

fn refused(error: io::Error) -> BytesError {
    match error.kind() {
        ErrorKind::NotFound => BytesError::Missing,
        ErrorKind::StorageFull | ErrorKind::QuotaExceeded => BytesError::Full(error.into()),
        _ => BytesError::Failed(error.into()),
    }
}

impl ObjectBytes for Files {
    fn write<'a>(
        &'a self,
        place: &'a Place,
        content: ByteStream,
        limit: u64,
    ) -> BoxFuture<'a, Result<Stored, BytesError>> {
        let path = self.path(place);
        Box::pin(async move { self.write_to(&path, content, limit).await })
    }

    fn read<'a>(
        &'a self,
        place: &'a Place,
        range: Option<Range<u64>>,
    ) -> BoxFuture<'a, Result<Reading, BytesError>> {
        let path = self.path(place);
        Box::pin(async move {
            let mut file = File::open(path).await.map_err(refused)?;
            let size = file.metadata().await.map_err(refused)?.len();
            let range = range.unwrap_or(0..size);
            if range.start > range.end || range.end > size {
                return Err(BytesError::OutOfRange(size));
            }
            file.seek(SeekFrom::Start(range.start)).await.map_err(refused)?;
            let part = file.take(range.end - range.start);
            let content = ReaderStream::with_capacity(part, PIECE).map_err(Into::into).boxed();
            Ok(Reading { size, content })
        })
    }

    fn copy<'a>(
        &'a self,
        from: &'a Place,
        to: &'a Place,
    ) -> BoxFuture<'a, Result<Stored, BytesError>> {
        Box::pin(async move {
            let reading = self.read(from, None).await?;
            self.write_to(&self.path(to), reading.content, u64::MAX).await
        })
    }

    fn remove<'a>(&'a self, places: &'a [Place]) -> BoxFuture<'a, Result<(), BytesError>> {
        Box::pin(async move {
            for place in places {
                match fs::remove_file(self.path(place)).await {
                    Err(error) if error.kind() != ErrorKind::NotFound => {
                        return Err(refused(error));
                    }
                    _ => {}
                }
            }
            Ok(())
        })
    }
}
