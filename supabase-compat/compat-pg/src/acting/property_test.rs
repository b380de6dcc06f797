//! The reader parses or refuses any bytes that a server, or an attacker between it and us, sends.

use bytes::{BufMut, BytesMut};
use compat_testkit::property_test;
use postgres_protocol::message::backend::Message;
use proptest::collection::vec;
use proptest::prelude::*;
use proptest::sample::select;

use super::row::{Columns, Row, columns};
use crate::DatabaseError;

/// A message of the server: its type byte, and a body that gets a correct length.
fn frame() -> impl Strategy<Value = (u8, Vec<u8>)> {
    let small = prop_oneof![Just(0_u8), 1..5_u8, any::<u8>(), select(b"CMDHPWstcnR".as_slice())];
    (select(b"TTTDDDDDEEEZCS12n3tNA".as_slice()), vec(small, 0..120))
}

fn encoded(frames: &[(u8, Vec<u8>)]) -> BytesMut {
    let mut bytes = BytesMut::new();
    for (tag, body) in frames {
        bytes.put_u8(*tag);
        bytes.put_i32(i32::try_from(body.len() + 4).expect("a short message"));
        bytes.extend_from_slice(body);
    }
    bytes
}

/// Reads as the pipeline does, up to the first bytes that are not a message.
fn read(mut incoming: BytesMut) {
    let mut known: Option<Columns> = None;
    while let Ok(Some(message)) = Message::parse(&mut incoming) {
        match message {
            Message::RowDescription(body) => known = columns(&body).ok(),
            Message::DataRow(body) => {
                let Some(row) = known.clone().and_then(|known| Row::new(known, &body).ok()) else {
                    continue;
                };
                for at in 0..=row.len() {
                    let _ = (row.bytes(at), row.kind(at));
                    let _ = row.try_get::<Option<&str>>(at);
                    let _ = row.try_get::<i64>(at);
                    let _ = row.try_get::<Vec<i32>>(at);
                }
                let _ = row.try_get::<&str>("name");
            }
            Message::ErrorResponse(body) => {
                let _ = DatabaseError::from_wire(&body).map(|error| error.to_string());
            }
            _ => {}
        }
    }
}

#[test]
fn random_messages_never_panic_the_reader() {
    property_test("messages", vec(frame(), 0..12), |frames| read(encoded(&frames)));
}

#[test]
fn random_bytes_never_panic_the_reader() {
    property_test("bytes", vec(any::<u8>(), 0..200), |bytes| read(bytes.as_slice().into()));
}
