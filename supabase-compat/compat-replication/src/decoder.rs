//! Decodes `pgoutput` messages, version 1 of the protocol. Invalid bytes are an error, never a
//! panic.

use bytes::{Buf as _, Bytes};
use chrono::{DateTime, TimeDelta, Utc};
use thiserror::Error;

use crate::message::{
    Column, Delete, Insert, LogicalMessage, Message, OldTuple, Relation, ReplicaIdentity,
    TransactionBegin, Truncate, Tuple, TypeName, Update, Value,
};

/// Seconds from 1970 to 2000, when PostgreSQL's time begins.
const EPOCH: i64 = 946_684_800;

/// Why a message cannot be decoded.
#[derive(Debug, Clone, Copy, Error, PartialEq, Eq)]
pub enum DecodeError {
    /// The message ends too early.
    #[error("a replication message ends too early")]
    TooShort,
    /// A field has an unknown value, or a text is not UTF-8.
    #[error("a replication message has an unknown {0}")]
    Unknown(&'static str),
}

/// Decodes one message. If it is not whole, its missing values are [`Value::Omitted`].
///
/// # Errors
/// The bytes are not a valid message.
pub fn decode(bytes: &Bytes, is_whole: bool) -> Result<Message, DecodeError> {
    let mut reader = Reader { bytes: bytes.clone(), is_whole };
    Ok(match reader.u8()? {
        b'B' => Message::Begin(TransactionBegin {
            commit: reader.u64()?,
            at: time(reader.i64()?),
            transaction: reader.u32()?,
        }),
        b'C' => {
            let (_flags, _commit) = (reader.u8()?, reader.u64()?);
            Message::Commit { end: reader.u64()? }
        }
        b'R' => Message::Relation(reader.relation()?),
        b'Y' => Message::Type(TypeName {
            id: reader.u32()?,
            schema: reader.text()?,
            name: reader.text()?,
        }),
        b'I' => {
            let relation = reader.u32()?;
            reader.expect(b'N')?;
            Message::Insert(Insert { relation, new: reader.tuple()? })
        }
        b'U' => Message::Update(reader.update()?),
        b'D' => {
            let relation = reader.u32()?;
            let kind = reader.u8()?;
            Message::Delete(Delete { relation, old: reader.old(kind)? })
        }
        b'T' => {
            let count = reader.u32()?;
            let _options = reader.u8()?;
            let relations = (0..count).map(|_| reader.u32()).collect::<Result<_, _>>()?;
            Message::Truncate(Truncate { relations })
        }
        b'M' => {
            let (_flags, _position) = (reader.u8()?, reader.u64()?);
            let prefix = reader.text()?;
            let length = reader.u32()? as usize;
            Message::Logical(LogicalMessage { prefix, content: reader.take(length)? })
        }
        _ => Message::Other,
    })
}

/// Converts microseconds since 2000 into a time; a value out of range becomes the start of 2000.
fn time(micros: i64) -> DateTime<Utc> {
    let begin = DateTime::from_timestamp(EPOCH, 0).unwrap_or_default();
    begin.checked_add_signed(TimeDelta::microseconds(micros)).unwrap_or(begin)
}

struct Reader {
    bytes: Bytes,
    is_whole: bool,
}

impl Reader {
    fn u8(&mut self) -> Result<u8, DecodeError> {
        self.bytes.try_get_u8().map_err(|_| DecodeError::TooShort)
    }

    fn u16(&mut self) -> Result<u16, DecodeError> {
        self.bytes.try_get_u16().map_err(|_| DecodeError::TooShort)
    }

    fn u32(&mut self) -> Result<u32, DecodeError> {
        self.bytes.try_get_u32().map_err(|_| DecodeError::TooShort)
    }

    fn u64(&mut self) -> Result<u64, DecodeError> {
        self.bytes.try_get_u64().map_err(|_| DecodeError::TooShort)
    }

    fn i64(&mut self) -> Result<i64, DecodeError> {
        self.bytes.try_get_i64().map_err(|_| DecodeError::TooShort)
    }

    fn take(&mut self, length: usize) -> Result<Bytes, DecodeError> {
        if self.bytes.len() < length {
            return Err(DecodeError::TooShort);
        }
        Ok(self.bytes.split_to(length))
    }

    fn text(&mut self) -> Result<String, DecodeError> {
        let end = self.bytes.iter().position(|byte| *byte == 0).ok_or(DecodeError::TooShort)?;
        let text = self.bytes.split_to(end);
        self.bytes.advance(1);
        String::from_utf8(text.into()).map_err(|_| DecodeError::Unknown("text"))
    }

    fn expect(&mut self, kind: u8) -> Result<(), DecodeError> {
        if self.u8()? == kind { Ok(()) } else { Err(DecodeError::Unknown("kind of row")) }
    }

    fn relation(&mut self) -> Result<Relation, DecodeError> {
        let (id, schema, table) = (self.u32()?, self.text()?, self.text()?);
        let identity = match self.u8()? {
            b'd' => ReplicaIdentity::Default,
            b'n' => ReplicaIdentity::Nothing,
            b'f' => ReplicaIdentity::Full,
            b'i' => ReplicaIdentity::Index,
            _ => return Err(DecodeError::Unknown("replica identity")),
        };
        let count = self.u16()?;
        let columns = (0..count).map(|_| self.column()).collect::<Result<_, _>>()?;
        // The schema `pg_catalog` is written as an empty text.
        let schema = if schema.is_empty() { "pg_catalog".to_owned() } else { schema };
        Ok(Relation { id, schema, table, identity, columns })
    }

    fn column(&mut self) -> Result<Column, DecodeError> {
        let is_key = self.u8()? & 1 == 1;
        let (name, type_id) = (self.text()?, self.u32()?);
        let _modifier = self.u32()?;
        Ok(Column { name, type_id, is_key })
    }

    fn update(&mut self) -> Result<Update, DecodeError> {
        let relation = self.u32()?;
        let old = match self.u8()? {
            b'N' => None,
            kind => {
                let old = self.old(kind)?;
                match self.expect(b'N') {
                    Err(DecodeError::TooShort) if !self.is_whole => {
                        return Ok(Update { relation, old: Some(old), new: Tuple::default() });
                    }
                    other => other?,
                }
                Some(old)
            }
        };
        Ok(Update { relation, old, new: self.tuple()? })
    }

    fn old(&mut self, kind: u8) -> Result<OldTuple, DecodeError> {
        match kind {
            b'K' => Ok(OldTuple::Key(self.tuple()?)),
            b'O' => Ok(OldTuple::Row(self.tuple()?)),
            _ => Err(DecodeError::Unknown("kind of row")),
        }
    }

    fn tuple(&mut self) -> Result<Tuple, DecodeError> {
        let count = match self.u16() {
            Err(_) if !self.is_whole => return Ok(Tuple::default()),
            count => usize::from(count?),
        };
        let mut values = Vec::new();
        while values.len() < count {
            match self.value() {
                Err(DecodeError::TooShort) if !self.is_whole => {
                    self.bytes.clear();
                    values.resize(count, Value::Omitted);
                }
                value => values.push(value?),
            }
        }
        Ok(Tuple(values))
    }

    fn value(&mut self) -> Result<Value, DecodeError> {
        match self.u8()? {
            b'n' => Ok(Value::Null),
            b'u' => Ok(Value::Unchanged),
            b't' => {
                let length = self.u32()? as usize;
                Ok(Value::Text(self.take(length)?))
            }
            _ => Err(DecodeError::Unknown("kind of value")),
        }
    }
}

#[cfg(test)]
mod tests;
