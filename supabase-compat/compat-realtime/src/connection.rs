//! The connection below a socket, and the memory it takes while messages arrive and leave.
//!
//! The websocket library keeps a buffer as long as the longest frame that it ever read or wrote, as
//! long as the socket lives. So it never sees long frames: those of clients are split as they
//! arrive ([`SlicedStream`]), and ours before they are written ([`frames_of`]). RFC 6455 allows
//! this (section 5.4), and the library joins the fragments.

mod sliced_stream;

use std::io::ErrorKind;

use hyper::upgrade::Upgraded;
use hyper_util::rt::TokioIo;
use tokio_tungstenite::WebSocketStream;
use tokio_tungstenite::tungstenite::error::{Error, ProtocolError};
use tokio_tungstenite::tungstenite::protocol::frame::Frame;
use tokio_tungstenite::tungstenite::protocol::frame::coding::{Data, OpCode};
use tokio_tungstenite::tungstenite::protocol::{Role, WebSocketConfig};
use tokio_tungstenite::tungstenite::{Bytes, Message};

use crate::byte_quota::BytePermit;
use sliced_stream::{SLICE, SlicedStream};

/// Bytes of the longest message.
const LONGEST_MESSAGE: usize = 5_000_000;
/// Bytes that an idle socket keeps for what it reads.
const READ_BUFFER: usize = 2 * 1024;
/// Bytes that are written at once. The buffer is allocated only when something is written.
const WRITE_BUFFER: usize = 16 * 1024;
/// Bytes of the longest frame that is written.
const WRITTEN_SLICE: usize = 8 * 1024;

/// The connection of one client.
pub(crate) type Connection = WebSocketStream<SlicedStream<TokioIo<Upgraded>>>;

/// Opens a websocket on a connection whose handshake is done; unfinished messages count for
/// `memory`.
pub(crate) async fn open(upgraded: Upgraded, memory: BytePermit) -> Connection {
    let stream = SlicedStream::new(TokioIo::new(upgraded), LONGEST_MESSAGE, memory);
    let config = WebSocketConfig::default()
        .read_buffer_size(READ_BUFFER)
        .write_buffer_size(WRITE_BUFFER)
        .max_frame_size(Some(SLICE))
        .max_message_size(Some(LONGEST_MESSAGE));
    WebSocketStream::from_raw_socket(stream, Role::Server, Some(config)).await
}

/// The close code (RFC 6455, section 7.4.1) and reason for a client whose frames cannot be read any
/// further; `None` if the connection is gone.
pub(crate) fn refusal(error: &Error) -> Option<(u16, &'static str)> {
    match error {
        Error::Capacity(_) => Some((1009, "The message is too long")),
        Error::Utf8(_) => Some((1007, "The text is not UTF-8")),
        Error::Io(error) if error.kind() == ErrorKind::QuotaExceeded => {
            Some((1013, "Too many unfinished messages are kept"))
        }
        Error::Protocol(ProtocolError::ResetWithoutClosingHandshake) => None,
        Error::Protocol(_) => Some((1002, "The frame is malformed")),
        _ => None,
    }
}

/// Splits a message into frames of bounded length.
pub(crate) fn frames_of(message: Message) -> impl Iterator<Item = Message> {
    let is_long = |length: usize| length > WRITTEN_SLICE;
    let (short, kind, mut rest) = match message {
        Message::Text(text) if is_long(text.len()) => (None, Data::Text, text.into()),
        Message::Binary(bytes) if is_long(bytes.len()) => (None, Data::Binary, bytes),
        short => (Some(short), Data::Continue, Bytes::new()),
    };
    let mut kind = Some(kind);
    let slices = std::iter::from_fn(move || {
        let slice = rest.split_to(WRITTEN_SLICE.min(rest.len()));
        let kind = OpCode::Data(kind.take().unwrap_or(Data::Continue));
        (!slice.is_empty()).then(|| Message::Frame(Frame::message(slice, kind, rest.is_empty())))
    });
    short.into_iter().chain(slices)
}

/// Reads and discards everything that a client still sends, until it hangs up.
pub(crate) async fn discard(connection: &mut Connection) {
    // An error ends the reading as well.
    let _ = connection.get_mut().discard().await;
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn long_messages_leave_in_frames() {
        let short = Message::text("a".repeat(WRITTEN_SLICE));
        assert_eq!(frames_of(short.clone()).collect::<Vec<_>>(), [short]);
        let bytes = vec![7; 2 * WRITTEN_SLICE + 1];
        let frames: Vec<(usize, bool, OpCode)> = frames_of(Message::binary(bytes))
            .map(|message| match message {
                Message::Frame(frame) => {
                    let header = frame.header();
                    (frame.payload().len(), header.is_final, header.opcode)
                }
                other => panic!("{other:?}"),
            })
            .collect();
        let expected = [
            (WRITTEN_SLICE, false, OpCode::Data(Data::Binary)),
            (WRITTEN_SLICE, false, OpCode::Data(Data::Continue)),
            (1, true, OpCode::Data(Data::Continue)),
        ];
        assert_eq!(frames, expected);
    }
}
