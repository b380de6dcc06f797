//! Tests of the decoder with messages built by hand after the manual's tables, and with random
//! bytes.

use bytes::{BufMut as _, Bytes, BytesMut};
use compat_testkit::property_test;
use proptest::prelude::*;

use super::{DecodeError, decode};
use crate::message::{
    Column, Delete, Insert, LogicalMessage, Message, OldTuple, Relation, ReplicaIdentity, Truncate,
    Tuple, TypeName, Update, Value,
};

fn message(parts: &[&[u8]]) -> Bytes {
    parts.concat().into()
}

fn text(value: &'static str) -> Value {
    Value::Text(Bytes::from_static(value.as_bytes()))
}

fn row(kind: u8) -> Vec<u8> {
    [&[kind, 0, 3, b't', 0, 0, 0, 2][..], b"ab", b"n", b"u"].concat()
}

fn values() -> Tuple {
    Tuple(vec![text("ab"), Value::Null, Value::Unchanged])
}

#[test]
fn transaction_has_its_commits_time_and_place() {
    let mut begin = BytesMut::new();
    begin.put_u8(b'B');
    begin.put_u64(77);
    begin.put_i64(86_400_000_001);
    begin.put_u32(9);
    let Message::Begin(begin) = decode(&begin.freeze(), true).unwrap() else { panic!("no begin") };
    assert_eq!((begin.commit, begin.transaction), (77, 9));
    assert_eq!(begin.at.to_rfc3339(), "2000-01-02T00:00:00.000001+00:00");
    let commit = message(&[b"C\0", &1u64.to_be_bytes(), &2u64.to_be_bytes(), &[0; 8]]);
    assert_eq!(decode(&commit, true), Ok(Message::Commit { end: 2 }));
}

#[test]
fn relation_and_type_have_their_names() {
    let columns = [&[1][..], b"id\0", &23u32.to_be_bytes(), &[255; 4]].concat();
    let relation = message(&[b"R\0\0\0\x05public\0things\0f\0\x01", &columns]);
    let id = Column { name: "id".to_owned(), type_id: 23, is_key: true };
    assert_eq!(
        decode(&relation, true),
        Ok(Message::Relation(Relation {
            id: 5,
            schema: "public".to_owned(),
            table: "things".to_owned(),
            identity: ReplicaIdentity::Full,
            columns: vec![id],
        }))
    );
    let named = Message::Type(TypeName { id: 6, schema: "a".to_owned(), name: "b".to_owned() });
    assert_eq!(decode(&message(&[b"Y\0\0\0\x06a\0b\0"]), true), Ok(named));
}

#[test]
fn rows_keep_nulls_and_untouched_values() {
    let insert = message(&[b"I\0\0\0\x05", &row(b'N')]);
    assert_eq!(decode(&insert, true), Ok(Message::Insert(Insert { relation: 5, new: values() })));
    let update = message(&[b"U\0\0\0\x05", &row(b'O'), &row(b'N')]);
    let old = Some(OldTuple::Row(values()));
    assert_eq!(
        decode(&update, true),
        Ok(Message::Update(Update { relation: 5, old, new: values() }))
    );
    let delete = message(&[b"D\0\0\0\x05", &row(b'K')]);
    let old = OldTuple::Key(values());
    assert_eq!(decode(&delete, true), Ok(Message::Delete(Delete { relation: 5, old })));
}

#[test]
fn truncate_and_logical_message_are_read() {
    let truncate = message(&[b"T\0\0\0\x02\0\0\0\0\x05\0\0\0\x06"]);
    assert_eq!(decode(&truncate, true), Ok(Message::Truncate(Truncate { relations: vec![5, 6] })));
    let logical = message(&[b"M\x01", &[0; 8], b"about\0\0\0\0\x02hi"]);
    let content = Bytes::from_static(b"hi");
    assert_eq!(
        decode(&logical, true),
        Ok(Message::Logical(LogicalMessage { prefix: "about".to_owned(), content }))
    );
    assert_eq!(decode(&message(&[b"O\0"]), true), Ok(Message::Other));
}

#[test]
fn cut_row_lacks_its_last_values() {
    let insert = message(&[b"I\0\0\0\x05", &row(b'N')]);
    let cut = insert.slice(..insert.len() - 2);
    assert_eq!(decode(&cut, true), Err(DecodeError::TooShort));
    let new = Tuple(vec![text("ab"), Value::Omitted, Value::Omitted]);
    assert_eq!(decode(&cut, false), Ok(Message::Insert(Insert { relation: 5, new })));
}

#[test]
fn random_bytes_never_panic() {
    let bytes = (any::<Vec<u8>>(), any::<bool>(), "[BCRYIUDTMO]");
    property_test("replication messages", bytes, |(rest, is_whole, kind)| {
        let bytes = Bytes::from([kind.as_bytes(), &rest].concat());
        let _ = decode(&bytes, is_whole);
    });
}
