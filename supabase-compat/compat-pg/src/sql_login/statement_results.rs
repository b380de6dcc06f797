//! The result of each statement of a text, in the order of the text, with columns, types and
//! counts.
//!
//! Statements are sent with the extended protocol, so that only as many rows are computed as are
//! read. Several statements share a transaction, as those of one simple query do; a single one runs
//! without a block, since some (`VACUUM`) refuse a transaction block.

use std::collections::BTreeMap;
use std::time::{Duration, Instant};

use serde_json::Value;

use super::value::Kind;
use super::{
    SqlError, SqlLimits, SqlLogin, batch, ends_transaction, guard, some_statements, statement,
};
use crate::project::first_words;
use crate::session::{Session, SessionMessage, SessionRow};

/// What an SQL text may do.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum SqlAccess {
    /// The text runs in a read-only transaction that is rolled back.
    ReadOnly,
    /// The text may do everything that the login may.
    ReadWrite,
}

/// A column of a result.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct SqlColumn {
    /// Its name, which need not be unique.
    pub name: String,
    /// Its type, as `format_type` writes it.
    pub type_name: String,
}

/// The result of one statement.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct SqlResult {
    /// The columns of its rows; empty if it returns no rows.
    pub columns: Vec<SqlColumn>,
    /// Values in the order of the columns: null, booleans, numbers that JSON can hold, JSON, and
    /// everything else as PostgreSQL's text.
    pub rows: Vec<Vec<Value>>,
    /// The server's row count: rows returned, inserted, changed or deleted. For a truncated result,
    /// the rows returned here.
    pub row_count: u64,
    /// Whether there were more rows.
    pub is_cut: bool,
    /// The command's name: `SELECT`, `CREATE TABLE`.
    pub command: String,
    /// The time from sending the statement to the end of its answer.
    pub duration: Duration,
}

/// The limits for all results of a text, and what they have used so far.
struct ResultBudget {
    limits: SqlLimits,
    bytes: usize,
}

impl SqlLogin {
    /// Runs an SQL text and returns the result of each statement. Parameters, as PostgreSQL's
    /// texts, are allowed for a single statement only. The position in a refusal counts from the
    /// beginning of the whole text.
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
        let parts = some_statements(text)?;
        if parts.len() > 1 && !parameters.is_empty() {
            return Err(SqlError::Parameters);
        }
        let is_read_only = access == SqlAccess::ReadOnly;
        let is_in_ours = is_read_only || parts.len() > 1;
        let mut session = self.open(limits).await?;
        if is_in_ours {
            let begin = if is_read_only { "begin transaction read only" } else { "begin" };
            batch(&mut session, begin, limits).await?;
        }
        let mut budget = ResultBudget { limits, bytes: 0 };
        let (mut results, mut types, mut stays_open) = (Vec::new(), Vec::new(), false);
        for part in parts {
            let words = first_words(part.text);
            if is_read_only {
                if ends_transaction(&words) {
                    return Err(SqlError::Leaves);
                }
                guard(&mut session, limits).await?;
            }
            stays_open = opens_transaction(&words).unwrap_or(stays_open);
            let answer = execute(&mut session, part.text, parameters, &mut budget).await;
            let (result, oids) = answer.map_err(|error| at_place(error, text, part.at))?;
            results.push(result);
            types.push(oids);
        }
        if stays_open && !is_read_only {
            return Err(SqlError::StaysOpen);
        }
        if is_in_ours && !is_read_only {
            // Deferred constraints are checked here.
            batch(&mut session, "commit", limits).await?;
        }
        name_types(&mut session, &mut results, &types, limits).await?;
        Ok(results)
    }
}

/// Whether a transaction is open after a statement that begins or ends one; `None` for other
/// statements.
fn opens_transaction(words: &[String]) -> Option<bool> {
    let chains = words.iter().any(|word| word == "chain") && !words.iter().any(|word| word == "no");
    match words.first().map(String::as_str) {
        Some("begin") => Some(true),
        Some("start") if words.get(1).is_some_and(|word| word == "transaction") => Some(true),
        _ if ends_transaction(words) => Some(chains),
        _ => None,
    }
}

/// Runs one statement and reads its rows up to the limit; also returns the oids of its columns'
/// types.
async fn execute(
    session: &mut Session,
    text: &str,
    parameters: &[Option<String>],
    budget: &mut ResultBudget,
) -> Result<(SqlResult, Vec<u32>), SqlError> {
    let began = Instant::now();
    // One more row shows that there are more.
    let most = budget.limits.rows.saturating_add(1);
    session.query_with(text, parameters, Some(most)).await?;
    let (mut result, mut oids, mut kinds) = (SqlResult::default(), Vec::new(), Vec::new());
    while let Some(message) = session.next().await? {
        match message {
            SessionMessage::Columns(described) => {
                kinds = described.iter().map(|column| Kind::editable(column.type_oid)).collect();
                oids = described.iter().map(|column| column.type_oid).collect();
                result.columns = described
                    .into_iter()
                    .map(|column| SqlColumn { name: column.name, type_name: String::new() })
                    .collect();
            }
            SessionMessage::Row(row) if result.rows.len() < budget.limits.rows => {
                budget.bytes += row.size();
                if budget.bytes > budget.limits.bytes {
                    return Err(SqlError::TooLarge(budget.limits.bytes));
                }
                result.rows.push(values(&kinds, &row));
            }
            SessionMessage::Row(_) => result.is_cut = true,
            SessionMessage::Copy => return Err(SqlError::Copy),
            SessionMessage::Done { tag, is_cut } => {
                (result.command, result.row_count) = command_of(&tag);
                result.is_cut |= is_cut;
            }
        }
    }
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

/// Fills in the names of the columns' types.
async fn name_types(
    session: &mut Session,
    results: &mut [SqlResult],
    types: &[Vec<u32>],
    limits: SqlLimits,
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
    let limits = SqlLimits { rows: names.len(), ..limits };
    let known = statement(session, TYPE_NAMES, &[Some(list)], limits).await?;
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

const TYPE_NAMES: &str = "select t.oid as oid, pg_catalog.format_type(t.oid, null) as name
    from pg_catalog.pg_type as t where t.oid = any ($1::pg_catalog.oid[])";

/// Converts the position of a refusal in the statement that begins at this byte into a position in
/// the whole text.
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

fn values(kinds: &[Kind], row: &SessionRow) -> Vec<Value> {
    let json = |(kind, value): (&Kind, Option<&[u8]>)| {
        value.map_or(Value::Null, |text| kind.json(&String::from_utf8_lossy(text)))
    };
    kinds.iter().zip(row.values()).map(json).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn open_transactions_are_known_by_words() {
        for (text, opens) in [
            ("begin", Some(true)),
            ("START TRANSACTION read only", Some(true)),
            ("commit", Some(false)),
            ("commit and chain", Some(true)),
            ("rollback and no chain", Some(false)),
            ("rollback to savepoint x", None),
            ("start x", None),
            ("select 1", None),
        ] {
            assert_eq!(opens_transaction(&first_words(text)), opens, "{text}");
        }
    }

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
