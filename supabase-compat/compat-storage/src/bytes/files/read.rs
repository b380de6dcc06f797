//! A file as a stream of pieces, the next of which is read while one is sent.

use std::fs::File;
use std::io::{self, ErrorKind, Read as _, Seek as _, SeekFrom};
use std::ops::Range;

use bytes::Bytes;
use futures_util::StreamExt as _;
use futures_util::future::ready;
use futures_util::stream;
use tokio::task::JoinHandle;

use super::movers::Movers;
use super::rooms::{ROOM, Rooms};
use crate::bytes::{ByteStream, BytesError, Reading, whole};

/// Bytes read at once.
const PIECE: u64 = ROOM as u64;

struct Opened {
    size: u64,
    /// What was asked for is no part of it.
    is_outside: bool,
    first: Bytes,
    rest: Rest,
}

/// What of a file is still to be read.
struct Rest {
    file: File,
    left: u64,
    hands: Hands,
}

/// What moves pieces, and into what.
#[derive(Clone)]
pub(super) struct Hands {
    pub rooms: Rooms,
    pub movers: Movers,
}

/// Opens a file and reads the beginning of what is asked for.
///
/// # Errors
/// [`BytesError::Missing`], [`BytesError::OutOfRange`], the disk's.
pub(super) async fn open(
    open: impl FnOnce() -> io::Result<File> + Send + 'static,
    hands: Hands,
    range: Option<Range<u64>>,
) -> Result<Reading, BytesError> {
    let movers = hands.movers.clone();
    let opened = movers.run(move || begin(open()?, hands, range)).await?;
    let Opened { size, is_outside, first, rest } = opened;
    if is_outside {
        return Err(BytesError::OutOfRange(size));
    }
    let content = if rest.left == 0 { whole(first) } else { pieces(first, rest) };
    Ok(Reading { size, content })
}

fn begin(mut file: File, hands: Hands, range: Option<Range<u64>>) -> io::Result<Opened> {
    let found = file.metadata()?;
    if !found.is_file() {
        return Err(ErrorKind::NotFound.into());
    }
    let size = found.len();
    let range = range.unwrap_or(0..size);
    let is_outside = range.start > range.end || range.end > size;
    if !is_outside && range.start > 0 {
        file.seek(SeekFrom::Start(range.start))?;
    }
    let left = if is_outside { 0 } else { range.end - range.start };
    let (first, rest) = Rest { file, left, hands }.read()?;
    Ok(Opened { size, is_outside, first, rest })
}

impl Rest {
    fn read(mut self) -> io::Result<(Bytes, Self)> {
        let length = self.left.min(PIECE);
        let mut piece = self.hands.rooms.take(usize::try_from(length).unwrap_or_default());
        (&self.file).take(length).read_to_end(&mut piece)?;
        // Nobody shortens a version; a disk may.
        if piece.len() as u64 != length {
            return Err(ErrorKind::UnexpectedEof.into());
        }
        self.left -= length;
        Ok((self.hands.rooms.piece(piece), self))
    }
}

fn pieces(first: Bytes, rest: Rest) -> ByteStream {
    let rest = stream::try_unfold(ahead(rest), |next| async move {
        let Some(next) = next else { return Ok(None) };
        let (piece, rest) = next.await??;
        Ok(Some((piece, ahead(rest))))
    });
    stream::once(ready(Ok(first))).chain(rest).boxed()
}

/// Begins to read the next piece, before it is asked for.
fn ahead(rest: Rest) -> Option<JoinHandle<Result<(Bytes, Rest), BytesError>>> {
    (rest.left > 0).then(|| {
        let movers = rest.hands.movers.clone();
        tokio::spawn(async move { movers.run(move || rest.read()).await })
    })
}
