//! A stream that splits a client's long frames as they arrive, so that its reader sees only short
//! ones. It does not know what messages mean, and leaves it to the reader to check the frames.

use std::io;
use std::mem::MaybeUninit;
use std::pin::Pin;
use std::task::{Context, Poll, ready};

use bytes::{Buf, Bytes};
use tokio::io::{AsyncRead, AsyncWrite, ReadBuf};

use crate::byte_quota::BytePermit;

/// Bytes of the longest frame that is handed over. So many bytes of each socket's unfinished
/// message are not counted. A multiple of four, so that each slice can use the mask of the whole
/// frame.
pub(super) const SLICE: usize = 4096;
/// The most bytes of one read.
const READ: usize = 4096;
/// Bytes of the longest header.
const LONGEST_HEADER: usize = 14;

/// See the module.
#[derive(Debug)]
pub(crate) struct SlicedStream<S> {
    inner: S,
    /// Bytes that were read but not handed over yet.
    rest: Bytes,
    frames: FrameSlicer,
}

impl<S> SlicedStream<S> {
    /// `longest` is the length of the longest message; longer frames are not split, so that the
    /// reader refuses them. Unfinished messages count for `memory`.
    pub(super) fn new(inner: S, longest: usize, memory: BytePermit) -> Self {
        Self { inner, rest: Bytes::new(), frames: FrameSlicer::new(longest as u64, memory) }
    }
}

impl<S: AsyncRead + Unpin> SlicedStream<S> {
    /// Reads and discards everything up to the end.
    pub(super) async fn discard(&mut self) -> io::Result<u64> {
        tokio::io::copy(&mut self.inner, &mut tokio::io::sink()).await
    }
}

impl<S: AsyncRead + Unpin> AsyncRead for SlicedStream<S> {
    fn poll_read(
        self: Pin<&mut Self>,
        context: &mut Context<'_>,
        buffer: &mut ReadBuf<'_>,
    ) -> Poll<io::Result<()>> {
        let Self { inner, rest, frames } = self.get_mut();
        let start = buffer.filled().len();
        frames.copy_input(rest, buffer)?;
        // If nothing was handed over, only the beginning of a header has arrived.
        while buffer.filled().len() == start && buffer.remaining() > 0 {
            let mut space = [MaybeUninit::uninit(); READ];
            let mut input = ReadBuf::uninit(&mut space);
            ready!(Pin::new(&mut *inner).poll_read(context, &mut input))?;
            let mut input = input.filled();
            if input.is_empty() {
                break;
            }
            frames.copy_input(&mut input, buffer)?;
            *rest = Bytes::copy_from_slice(input);
        }
        Poll::Ready(Ok(()))
    }
}

impl<S: AsyncWrite + Unpin> AsyncWrite for SlicedStream<S> {
    fn poll_write(
        self: Pin<&mut Self>,
        context: &mut Context<'_>,
        bytes: &[u8],
    ) -> Poll<io::Result<usize>> {
        Pin::new(&mut self.get_mut().inner).poll_write(context, bytes)
    }

    fn poll_flush(self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.get_mut().inner).poll_flush(context)
    }

    fn poll_shutdown(self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.get_mut().inner).poll_shutdown(context)
    }
}

/// The position of the stream within a frame.
#[derive(Debug)]
struct FrameSlicer {
    longest: u64,
    /// The part of a header that has arrived.
    arriving: HeaderBytes,
    /// The header that is handed over next.
    leaving: HeaderBytes,
    frame: FrameHead,
    /// The remaining payload bytes of the current slice, and those of later slices.
    left: u64,
    left_later: u64,
    message: UnfinishedMessage,
}

impl FrameSlicer {
    fn new(longest: u64, memory: BytePermit) -> Self {
        Self {
            longest,
            arriving: HeaderBytes::default(),
            leaving: HeaderBytes::default(),
            frame: FrameHead::default(),
            left: 0,
            left_later: 0,
            message: UnfinishedMessage { bytes: 0, counted: 0, memory },
        }
    }

    /// Hands over input until the input is used up or the buffer is full.
    fn copy_input(&mut self, input: &mut impl Buf, buffer: &mut ReadBuf<'_>) -> io::Result<()> {
        loop {
            let (header, left) = (self.leaving.rest(), buffer.remaining());
            let bytes = &header[..header.len().min(left)];
            buffer.put_slice(bytes);
            self.leaving.start += bytes.len();
            if !self.leaving.rest().is_empty() {
                return Ok(());
            }
            if self.left > 0 {
                let length = input.chunk().len().min(buffer.remaining());
                let length = usize::try_from(self.left).map_or(length, |left| left.min(length));
                if length == 0 {
                    return Ok(());
                }
                buffer.put_slice(&input.chunk()[..length]);
                input.advance(length);
                self.left -= length as u64;
                self.message.add(&self.frame, length)?;
                self.end_if_complete();
            } else if self.left_later > 0 {
                self.begin_slice(0);
            } else if input.has_remaining() {
                self.arriving.push(input.get_u8());
                if self.arriving.is_complete() {
                    self.begin_frame();
                }
            } else {
                return Ok(());
            }
        }
    }

    fn begin_frame(&mut self) {
        let header = std::mem::take(&mut self.arriving);
        self.frame = header.head();
        let length = header.payload_length();
        if self.frame.is_control() || length <= SLICE as u64 || length > self.longest {
            (self.leaving, self.left) = (header, length);
        } else {
            self.left_later = length;
            self.begin_slice(self.frame.kind);
        }
        self.end_if_complete();
    }

    /// Starts the next slice of a frame; `kind` is 0 for all slices but the first.
    fn begin_slice(&mut self, kind: u8) {
        self.left = self.left_later.min(SLICE as u64);
        self.left_later -= self.left;
        let is_last = self.left_later == 0;
        let last = if is_last { self.frame.last } else { 0 };
        self.leaving = HeaderBytes::of_slice(last | kind, self.left, self.frame.mask);
    }

    fn end_if_complete(&mut self) {
        if self.left == 0 && self.left_later == 0 {
            self.message.end_frame(&self.frame);
        }
    }
}

/// The fields of a frame header.
#[derive(Debug, Clone, Copy, Default)]
struct FrameHead {
    /// The bit `FIN`, at its position in the first byte.
    last: u8,
    /// `RSV1` to `RSV3` and the opcode, at their positions in the first byte.
    kind: u8,
    mask: Option<[u8; 4]>,
}

impl FrameHead {
    fn is_control(&self) -> bool {
        self.kind & 0x08 != 0
    }
}

/// Bytes of a header, from `start` on.
#[derive(Debug, Clone, Copy, Default)]
struct HeaderBytes {
    bytes: [u8; LONGEST_HEADER],
    start: usize,
    end: usize,
}

impl HeaderBytes {
    fn of_slice(first: u8, length: u64, mask: Option<[u8; 4]>) -> Self {
        let mut header = Self::default();
        header.push(first);
        let masked = if mask.is_some() { 0x80 } else { 0 };
        // A slice is shorter than 65,536 bytes.
        let [.., high, low] = length.to_be_bytes();
        if high == 0 && low < 126 {
            header.push(masked | low);
        } else {
            [masked | 126, high, low].into_iter().for_each(|byte| header.push(byte));
        }
        mask.into_iter().flatten().for_each(|byte| header.push(byte));
        header
    }

    fn push(&mut self, byte: u8) {
        if let Some(place) = self.bytes.get_mut(self.end) {
            *place = byte;
            self.end += 1;
        }
    }

    fn rest(&self) -> &[u8] {
        &self.bytes[self.start..self.end]
    }

    /// The number of length bytes after the first two bytes.
    fn length_bytes(&self) -> usize {
        match self.bytes[1] & 0x7f {
            126 => 2,
            127 => 8,
            _ => 0,
        }
    }

    fn is_masked(&self) -> bool {
        self.bytes[1] & 0x80 != 0
    }

    fn is_complete(&self) -> bool {
        let mask = if self.is_masked() { 4 } else { 0 };
        self.end >= 2 && self.end == 2 + self.length_bytes() + mask
    }

    fn head(&self) -> FrameHead {
        let mask = self.bytes[2 + self.length_bytes()..].first_chunk();
        FrameHead {
            last: self.bytes[0] & 0x80,
            kind: self.bytes[0] & 0x7f,
            mask: mask.copied().filter(|_| self.is_masked()),
        }
    }

    fn payload_length(&self) -> u64 {
        match self.length_bytes() {
            0 => u64::from(self.bytes[1] & 0x7f),
            count => {
                let bytes = &self.bytes[2..2 + count];
                bytes.iter().fold(0, |length, byte| length << 8 | u64::from(*byte))
            }
        }
    }
}

/// The bytes of a message whose end has not arrived.
#[derive(Debug)]
struct UnfinishedMessage {
    bytes: usize,
    counted: usize,
    memory: BytePermit,
}

impl UnfinishedMessage {
    fn add(&mut self, frame: &FrameHead, length: usize) -> io::Result<()> {
        if frame.is_control() {
            return Ok(());
        }
        self.bytes += length;
        let beyond = self.bytes.saturating_sub(SLICE).next_multiple_of(SLICE);
        if beyond > self.counted && !self.memory.resize(beyond) {
            return Err(io::ErrorKind::QuotaExceeded.into());
        }
        self.counted = beyond;
        Ok(())
    }

    fn end_frame(&mut self, frame: &FrameHead) {
        if frame.is_control() || frame.last == 0 {
            return;
        }
        self.bytes = 0;
        if std::mem::take(&mut self.counted) > 0 {
            self.memory.resize(0);
        }
    }
}

#[cfg(test)]
mod tests {
    use std::net::IpAddr;

    use proptest::prelude::*;
    use tokio::io::AsyncReadExt as _;

    use super::*;
    use crate::byte_quota::{ByteLimits, ByteQuota};

    const LONGEST: usize = 50_000;

    fn quota(bytes: usize) -> ByteQuota {
        ByteQuota::new(ByteLimits { total: bytes, of_client: bytes })
    }

    fn permit(quota: &ByteQuota) -> BytePermit {
        quota.empty(IpAddr::from([10, 0, 0, 1]))
    }

    /// A masked frame whose payload is `length` zeros before the mask.
    fn frame(first: u8, length: usize) -> Vec<u8> {
        let mut bytes = vec![first];
        match length {
            0..126 => bytes.push(0x80 | length as u8),
            126..65_536 => {
                bytes.push(0x80 | 126);
                bytes.extend((length as u16).to_be_bytes());
            }
            _ => {
                bytes.push(0x80 | 127);
                bytes.extend((length as u64).to_be_bytes());
            }
        }
        bytes.extend([1, 2, 3, 4]);
        bytes.extend((0..length).map(|place| [1, 2, 3, 4][place % 4]));
        bytes
    }

    /// The frames of a stream: the first byte, the length, and whether its payload is zeros.
    fn frames(mut stream: &[u8]) -> Vec<(u8, usize, bool)> {
        let mut frames = Vec::new();
        while !stream.is_empty() {
            let mut header = HeaderBytes::default();
            while !header.is_complete() {
                header.push(stream.get_u8());
            }
            let (mask, length) = (header.head().mask.unwrap(), header.payload_length() as usize);
            let payload = stream.copy_to_bytes(length.min(stream.len()));
            let is_right = payload.iter().enumerate().all(|(place, byte)| *byte == mask[place % 4]);
            frames.push((header.bytes[0], length, is_right));
        }
        frames
    }

    /// The output for an input that arrives in pieces of `piece` bytes and is read in pieces of the
    /// same size.
    async fn sliced(input: &[u8], piece: usize) -> Vec<u8> {
        let mut reader = tokio_util::io::StreamReader::new(futures_util::stream::iter(
            input.chunks(piece).map(|piece| Ok::<_, io::Error>(Bytes::copy_from_slice(piece))),
        ));
        let mut stream = SlicedStream::new(&mut reader, LONGEST, permit(&quota(1 << 20)));
        let (mut output, mut buffer) = (Vec::new(), vec![0; piece]);
        loop {
            match stream.read(&mut buffer).await.unwrap() {
                0 => return output,
                length => output.extend(&buffer[..length]),
            }
        }
    }

    #[tokio::test]
    async fn long_frames_are_split_into_fragments() {
        let input = [
            frame(0x81, 5),
            frame(0xc2, 10_000),
            frame(0x89, 0),
            frame(0x01, 4097),
            frame(0x80, 0),
            frame(0x89, 200),
            frame(0x82, 60_000),
        ]
        .concat();
        let expected = [
            (0x81, 5, true),
            (0x42, 4096, true),
            (0x00, 4096, true),
            (0x80, 1808, true),
            (0x89, 0, true),
            (0x01, 4096, true),
            (0x00, 1, true),
            (0x80, 0, true),
            (0x89, 200, true),
            (0x82, 60_000, true),
        ];
        for piece in [1, 3, 14, 1000, 4096, 100_000] {
            assert_eq!(frames(&sliced(&input, piece).await), expected, "{piece}");
        }
    }

    #[tokio::test]
    async fn unfinished_message_counts_until_its_end() {
        let quota = quota(8192);
        let read = async |input: Vec<u8>| {
            let reader = io::Cursor::new(input);
            let mut stream = SlicedStream::new(reader, LONGEST, permit(&quota));
            let read = tokio::io::copy(&mut stream, &mut tokio::io::sink()).await;
            (read.map_err(|error| error.kind()), stream)
        };
        let (_, first) = read(frame(0x02, 3 * 4096)).await;
        assert_eq!(first.frames.message.counted, 8192);
        let (result, _) = read(frame(0x02, 4097)).await;
        assert_eq!(result, Err(io::ErrorKind::QuotaExceeded));
        drop(first);
        let ended = [frame(0x02, 6_000), frame(0x00, 6_000), frame(0x8a, 9), frame(0x80, 1)];
        let (read, stream) = read(ended.concat()).await;
        assert!(read.is_ok());
        assert_eq!(stream.frames.message.counted, 0);
        assert!(permit(&quota).resize(8192));
    }

    #[test]
    fn random_bytes_never_panic() {
        let input = (prop::collection::vec(any::<u8>(), 0..300), 1usize..40);
        compat_testkit::property_test("frames in slices", input, |(input, piece)| {
            let runtime = tokio::runtime::Builder::new_current_thread().build().unwrap();
            runtime.block_on(sliced(&input, piece));
        });
    }
}
