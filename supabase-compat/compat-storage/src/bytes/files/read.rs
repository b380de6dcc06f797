//! Streams a file in pieces; the next piece is read while one is sent.

use std::fs::File;
use std::io::{self, ErrorKind, Read as _, Seek as _, SeekFrom};
use std::ops::Range;

use bytes::Bytes;
use futures_util::StreamExt as _;
use futures_util::future::ready;
use futures_util::stream;
use tokio::task::JoinHandle;

use super::buffer_pool::{BufferPool, ROOM};
use super::io_pool::IoPool;
use crate::bytes::{ByteStream, BytesError, ReadRange, stream_of};

/// Bytes read at once.
const PIECE: u64 = ROOM as u64;

struct OpenedFile {
    size: u64,
    /// Whether the requested range lies outside of the file.
    is_outside: bool,
    first: Bytes,
    rest: FileRemainder,
}

/// The part of a file that is still to be read.
struct FileRemainder {
    file: File,
    left: u64,
    pools: ReadPools,
}

/// The threads that read pieces, and the buffers for them.
#[derive(Clone)]
pub(super) struct ReadPools {
    pub buffers: BufferPool,
    pub io_pool: IoPool,
}

/// Opens a file and reads the first piece of the requested range.
///
/// # Errors
/// [`BytesError::Missing`], [`BytesError::OutOfRange`], and errors of the disk.
pub(super) async fn open(
    open: impl FnOnce() -> io::Result<File> + Send + 'static,
    pools: ReadPools,
    range: Option<Range<u64>>,
) -> Result<ReadRange, BytesError> {
    let io_pool = pools.io_pool.clone();
    let opened = io_pool.run(move || begin(open()?, pools, range)).await?;
    let OpenedFile { size, is_outside, first, rest } = opened;
    if is_outside {
        return Err(BytesError::OutOfRange(size));
    }
    let content = if rest.left == 0 { stream_of(first) } else { pieces(first, rest) };
    Ok(ReadRange { size, content })
}

fn begin(mut file: File, pools: ReadPools, range: Option<Range<u64>>) -> io::Result<OpenedFile> {
    let metadata = file.metadata()?;
    if !metadata.is_file() {
        return Err(ErrorKind::NotFound.into());
    }
    let size = metadata.len();
    let range = range.unwrap_or(0..size);
    let is_outside = range.start > range.end || range.end > size;
    if !is_outside && range.start > 0 {
        file.seek(SeekFrom::Start(range.start))?;
    }
    let left = if is_outside { 0 } else { range.end - range.start };
    let (first, rest) = FileRemainder { file, left, pools }.read()?;
    Ok(OpenedFile { size, is_outside, first, rest })
}

impl FileRemainder {
    fn read(mut self) -> io::Result<(Bytes, Self)> {
        let length = self.left.min(PIECE);
        let mut piece = self.pools.buffers.take(usize::try_from(length).unwrap_or_default());
        (&self.file).take(length).read_to_end(&mut piece)?;
        // A version is never shortened, but a damaged disk may return less.
        if piece.len() as u64 != length {
            return Err(ErrorKind::UnexpectedEof.into());
        }
        self.left -= length;
        Ok((self.pools.buffers.piece(piece), self))
    }
}

fn pieces(first: Bytes, rest: FileRemainder) -> ByteStream {
    let rest = stream::try_unfold(ahead(rest), |next| async move {
        let Some(next) = next else { return Ok(None) };
        let (piece, rest) = next.await??;
        Ok(Some((piece, ahead(rest))))
    });
    stream::once(ready(Ok(first))).chain(rest).boxed()
}

/// Starts to read the next piece before it is requested.
fn ahead(rest: FileRemainder) -> Option<JoinHandle<Result<(Bytes, FileRemainder), BytesError>>> {
    (rest.left > 0).then(|| {
        let io_pool = rest.pools.io_pool.clone();
        tokio::spawn(async move { io_pool.run(move || rest.read()).await })
    })
}
