//! What each statement of a text gave, in the order of the text, for a reader who looks at columns, types
//! and counts.
//!
//! Statements go by the extended protocol, so that of each only as many rows are computed as are read.
//! Without `read only` they share one implicit transaction, as the statements of one simple query do: the
//! synchronisation point comes behind the last.

use std::collections::BTreeMap;
use std::time::{Duration, Instant};

use bytes::BytesMut;
use fallible_iterator::FallibleIterator as _;
use postgres_protocol::IsNull;
use postgres_protocol::message::backend::{DataRowBody, Message};
use postgres_protocol::message::frontend;
use serde_json::Value;
use tokio::io::AsyncWriteExt as _;

use super::value::Kind;
use super::{
    IN_BLOCK, SqlError, SqlLimits, SqlLogin, SqlSession, TEXT, columns_of, ends_transaction, lost,
    protocol, within,
};
use crate::project::{SqlStatement, first_words, statements};
use crate::{DatabaseError, PgError};

/// What a text of SQL may do.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum SqlAccess {
    /// Nothing is changed: the text runs in a read-only transaction that is taken back.
    ReadOnly,
    /// Whatever the login may.
    ReadWrite,
}

/// A column of a result.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct SqlColumn {
    /// Its name, which need not be the only one of its kind.
    pub name: String,
    /// Its type, as `format_type` writes it.
    pub type_name: String,
}

/// What one statement gave.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct SqlResult {
    /// Columns of its rows; none where it has no rows to give.
    pub columns: Vec<SqlColumn>,
    /// Values in the order of the columns: `null`, truth values, numbers that JSON holds, JSON, and
    /// everything else as PostgreSQL writes it.
    pub rows: Vec<Vec<Value>>,
    /// Rows that the server counts: given, inserted, changed or removed. Of a cut result, those given.
    pub row_count: u64,
    /// Whether there were more rows.
    pub is_cut: bool,
    /// The command's name: `SELECT`, `CREATE TABLE`.
    pub command: String,
    /// From sending it to its end.
    pub duration: Duration,
}

/// Bytes and rows that may still be read.
struct Room {
    limits: SqlLimits,
    bytes: usize,
}

impl SqlLogin {
    /// Runs a text of SQL and gives what each of its statements gave. Parameters, as PostgreSQL's texts, are
    /// for a text of one statement. The position in a refusal counts in the whole text.
    ///
    /// # Errors
    /// See [`SqlError`]; nothing has changed, unless the text itself ends transactions.
    pub async fn run(
        &self,
        text: &str,
        parameters: &[Option<String>],
        access: SqlAccess,
        limits: SqlLimits,
    ) -> Result<Vec<SqlResult>, SqlError> {
        let parts = statements(text);
        if parts.is_empty() {
            return Err(SqlError::Empty);
        }
        if parts.len() > 1 && !parameters.is_empty() {
            return Err(SqlError::Parameters);
        }
        let running = async {
            let mut session = SqlSession::open(self, limits).await?;
            let done = session.run(text, &parts, parameters, access).await;
            session.settle(done)
        };
        within(limits, running).await
    }
}

impl SqlSession {
    async fn run(
        &mut self,
        text: &str,
        parts: &[SqlStatement<'_>],
        parameters: &[Option<String>],
        access: SqlAccess,
    ) -> Result<Vec<SqlResult>, SqlError> {
        let is_read_only = access == SqlAccess::ReadOnly;
        if is_read_only {
            self.batch("begin transaction read only").await?;
        }
        let mut room = Room { limits: self.limits, bytes: 0 };
        let (mut results, mut types) = (Vec::new(), Vec::new());
        for part in parts {
            if is_read_only {
                if ends_transaction(&first_words(part.text)) {
                    return Err(SqlError::Leaves);
                }
                self.guard().await?;
            }
            let answer = self.portal(part.text, parameters, is_read_only, &mut room).await;
            let (result, oids) = answer.map_err(|error| at_place(error, text, part.at))?;
            results.push(result);
            types.push(oids);
        }
        if !is_read_only {
            let mut out = BytesMut::new();
            frontend::sync(&mut out);
            // Constraints that are checked at the end are checked here.
            self.exchange(&out).await?;
            if self.block == IN_BLOCK {
                return Err(SqlError::StaysOpen);
            }
        }
        self.name_types(&mut results, &types).await?;
        Ok(results)
    }

    /// Runs one statement up to the rows that are read. `is_alone` ends its messages with a
    /// synchronisation point; without it the statement shares a transaction with the next.
    async fn portal(
        &mut self,
        text: &str,
        parameters: &[Option<String>],
        is_alone: bool,
        room: &mut Room,
    ) -> Result<(SqlResult, Vec<u32>), SqlError> {
        let began = Instant::now();
        let most = i32::try_from(self.limits.rows.saturating_add(1)).unwrap_or(i32::MAX);
        let mut out = BytesMut::new();
        frontend::parse("", text, [], &mut out).map_err(protocol)?;
        let write = |value: &Option<String>, out: &mut BytesMut| match value {
            Some(text) => {
                out.extend_from_slice(text.as_bytes());
                Ok(IsNull::No)
            }
            None => Ok(IsNull::Yes),
        };
        frontend::bind("", "", [], parameters, write, TEXT, &mut out)
            .map_err(|_| protocol(std::io::ErrorKind::InvalidInput.into()))?;
        frontend::describe(b'P', "", &mut out).map_err(protocol)?;
        frontend::execute("", most, &mut out).map_err(protocol)?;
        match is_alone {
            true => frontend::sync(&mut out),
            false => frontend::flush(&mut out),
        }
        self.send(&out).await?;
        let (mut result, oids) = self.result(is_alone, room).await?;
        result.duration = began.elapsed();
        if result.command.is_empty() {
            let words = first_words(text);
            result.command = words.first().map(|word| word.to_uppercase()).unwrap_or_default();
        }
        if result.is_cut {
            result.row_count = result.rows.len() as u64;
        }
        Ok((result, oids))
    }

    async fn send(&mut self, out: &[u8]) -> Result<(), SqlError> {
        let written = async {
            self.stream.write_all(out).await?;
            self.stream.flush().await
        };
        Ok(written.await.map_err(lost)?)
    }

    /// Reads the answer of one statement.
    async fn result(
        &mut self,
        is_alone: bool,
        room: &mut Room,
    ) -> Result<(SqlResult, Vec<u32>), SqlError> {
        let (mut result, mut oids, mut kinds) = (SqlResult::default(), Vec::new(), Vec::new());
        let mut refusal: Option<DatabaseError> = None;
        loop {
            let is_end = match self.next().await? {
                Message::RowDescription(body) => {
                    let described = columns_of(&body)?;
                    kinds = described.iter().map(|(_, oid)| Kind::editable(*oid)).collect();
                    oids = described.iter().map(|(_, oid)| *oid).collect();
                    let column = |(name, _)| SqlColumn { name, type_name: String::new() };
                    result.columns = described.into_iter().map(column).collect();
                    false
                }
                Message::DataRow(row) if result.rows.len() < room.limits.rows => {
                    room.bytes += row.buffer().len();
                    if room.bytes > room.limits.bytes {
                        return Err(SqlError::TooLarge(room.limits.bytes));
                    }
                    result.rows.push(values(&kinds, &row)?);
                    false
                }
                Message::DataRow(_) => {
                    result.is_cut = true;
                    false
                }
                Message::PortalSuspended => {
                    result.is_cut = true;
                    true
                }
                Message::CommandComplete(body) => {
                    let tag = body.tag().map_err(lost)?;
                    (result.command, result.row_count) = command_of(tag);
                    true
                }
                Message::EmptyQueryResponse => true,
                Message::ErrorResponse(body) => {
                    refusal = Some(DatabaseError::from_wire(&body)?);
                    if !is_alone {
                        // Everything up to the next synchronisation point is passed over.
                        let mut out = BytesMut::new();
                        frontend::sync(&mut out);
                        self.send(&out).await?;
                    }
                    false
                }
                Message::ReadyForQuery(body) => {
                    self.block = body.status();
                    return match refusal {
                        Some(refusal) => Err(SqlError::Refused(Box::new(refusal))),
                        None => Ok((result, oids)),
                    };
                }
                _ => false,
            };
            if is_end && !is_alone {
                return Ok((result, oids));
            }
        }
    }

    /// Gives columns the names of their types.
    async fn name_types(
        &mut self,
        results: &mut [SqlResult],
        types: &[Vec<u32>],
    ) -> Result<(), SqlError> {
        let mut names: BTreeMap<u32, String> = BTreeMap::new();
        for oid in types.iter().flatten() {
            names.entry(*oid).or_default();
        }
        if names.is_empty() {
            return Ok(());
        }
        let list: Vec<String> = names.keys().map(u32::to_string).collect();
        let list = format!("{{{}}}", list.join(","));
        self.limits.rows = self.limits.rows.max(names.len());
        let known = self.call(TYPE_NAMES, &[&list]).await?;
        for row in known.rows {
            let oid = row.get("oid").and_then(Value::as_u64);
            let oid = oid.and_then(|oid| u32::try_from(oid).ok()).unwrap_or_default();
            let name = row.get("name").and_then(Value::as_str).unwrap_or_default();
            names.insert(oid, name.to_owned());
        }
        for (result, oids) in results.iter_mut().zip(types) {
            for (column, oid) in result.columns.iter_mut().zip(oids) {
                column.type_name = names.get(oid).cloned().unwrap_or_default();
            }
        }
        Ok(())
    }
}

const TYPE_NAMES: &str = "select t.oid as oid, pg_catalog.format_type(t.oid, null) as name
    from pg_catalog.pg_type as t where t.oid = any ($1::pg_catalog.oid[])";

/// A refusal whose position counts from the begin of the whole text, where the statement begins at this
/// byte of it.
fn at_place(error: SqlError, text: &str, at: usize) -> SqlError {
    let SqlError::Refused(mut refusal) = error else { return error };
    let before = text.get(..at).unwrap_or_default().chars().count();
    refusal.position = refusal.position.map(|position| position + before);
    SqlError::Refused(refusal)
}

/// Name and count of a command tag: `INSERT 0 3`, `SELECT 5`, `CREATE TABLE`.
fn command_of(tag: &str) -> (String, u64) {
    let is_number = |word: &&str| word.bytes().all(|byte| byte.is_ascii_digit());
    let name: Vec<&str> = tag.split(' ').take_while(|word| !is_number(word)).collect();
    let count = tag.rsplit(' ').next().and_then(|word| word.parse().ok()).unwrap_or_default();
    (name.join(" "), count)
}

fn values(kinds: &[Kind], row: &DataRowBody) -> Result<Vec<Value>, PgError> {
    let (buffer, mut ranges, mut values) = (row.buffer(), row.ranges(), Vec::new());
    for kind in kinds {
        let range = ranges.next().map_err(|error| PgError::Protocol(Box::new(error)))?.flatten();
        values.push(range.map_or(Value::Null, |range| {
            kind.json(&String::from_utf8_lossy(buffer.get(range).unwrap_or_default()))
        }));
    }
    Ok(values)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn command_tags_have_a_name_and_a_count() {
        for (tag, name, count) in [
            ("SELECT 5", "SELECT", 5),
            ("INSERT 0 3", "INSERT", 3),
            ("CREATE TABLE", "CREATE TABLE", 0),
            ("", "", 0),
        ] {
            assert_eq!(command_of(tag), (name.to_owned(), count), "{tag}");
        }
    }
}
