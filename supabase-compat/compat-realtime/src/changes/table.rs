//! A table as described by the stream and the catalogue, a change of one of its rows, and the JSON
//! of the change. No I/O.

use std::collections::HashMap;
use std::fmt::Write as _;
use std::sync::Arc;

use chrono::{DateTime, SecondsFormat, Utc};
use compat_replication::{OldTuple, Relation, Tuple, Value};

use super::target::EventKind;
use super::value::{ValueKind, write_text};
use super::visibility::RightsGroup;
use crate::store::changes::{ColumnFacts, RoleFacts, TableFacts};

/// The size of a change, in bytes, above which only its short values are sent.
pub(super) const LARGEST_CHANGE: usize = 1 << 20;
/// Bytes of the longest value of such a change.
const SHORT_VALUE: usize = 64;

/// A published column.
#[derive(Debug)]
pub(super) struct Column {
    pub name: String,
    /// `pg_type.typname`.
    pub type_name: String,
    pub type_id: i64,
    /// The SQL name of the type.
    pub written: String,
    pub kind: ValueKind,
    /// Whether the column belongs to the primary key.
    pub is_primary: bool,
    /// Whether the column belongs to the replica identity, so that old rows have it.
    is_identity: bool,
}

/// A table whose changes are published.
#[derive(Debug)]
pub(super) struct Table {
    pub schema: String,
    pub name: String,
    pub has_row_security: bool,
    pub columns: Vec<Column>,
}

/// What callers of a role may be sent.
#[derive(Debug)]
pub(super) struct Access {
    pub bypasses: bool,
    /// The group of all callers of the role, if they all see the same rows.
    pub role_group: Option<Arc<RightsGroup>>,
    /// Whether each column may be read, by its index.
    readable: Vec<bool>,
    pub reads_key: bool,
}

impl Access {
    /// Whether the column at this index may be read.
    pub fn reads(&self, index: usize) -> bool {
        self.readable.get(index).copied().unwrap_or_default()
    }
}

/// A value of a row.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Cell<'a> {
    /// The change does not have the value.
    Absent,
    Null,
    Text(&'a str),
}

/// A change of one row.
#[derive(Debug)]
pub(super) struct Change {
    /// The oid of the table.
    pub table: u32,
    /// The lower 32 bits of the transaction number.
    pub transaction: u32,
    pub at: DateTime<Utc>,
    pub kind: EventKind,
    /// The row; empty for a deleted one.
    pub new: Tuple,
    pub old: Option<OldTuple>,
    /// The size of the change in the stream, in bytes.
    pub size: usize,
}

impl Table {
    /// Combines the stream's shape with the catalogue's facts; a column that has been dropped since
    /// is sent as text.
    pub fn new(relation: &Relation, facts: &TableFacts) -> Self {
        let known: HashMap<&str, &ColumnFacts> =
            facts.columns.iter().map(|column| (column.name.as_str(), column)).collect();
        let columns = relation.columns.iter().map(|column| {
            let known = known.get(column.name.as_str());
            Column {
                name: column.name.clone(),
                type_name: known.map_or_else(|| "text".to_owned(), |one| one.type_name.clone()),
                type_id: known.map_or(25, |one| one.type_id),
                written: known.map_or_else(|| "text".to_owned(), |one| one.written.clone()),
                kind: known.map_or(ValueKind::Other, |one| kind(facts, one.type_id)),
                is_primary: known.is_some_and(|one| one.is_primary),
                is_identity: column.is_key,
            }
        });
        Self {
            schema: relation.schema.clone(),
            name: relation.table.clone(),
            has_row_security: facts.has_row_security,
            columns: columns.collect(),
        }
    }

    /// Whether the table has a primary key.
    pub fn has_key(&self) -> bool {
        self.columns.iter().any(|column| column.is_primary)
    }

    /// What a role may read of the table.
    pub fn access(&self, facts: &RoleFacts, role_group: Arc<RightsGroup>) -> Access {
        let may = |column: &Column| facts.columns.contains(&column.name);
        let readable: Vec<bool> = self.columns.iter().map(may).collect();
        let reads_key = self.columns.iter().filter(|column| column.is_primary).all(may);
        let role_group = facts.is_uniform.then_some(role_group);
        Access { bypasses: facts.bypasses, role_group, readable, reads_key }
    }

    /// The index of a column.
    pub fn position(&self, name: &str) -> Option<usize> {
        self.columns.iter().position(|column| column.name == name)
    }

    /// Which columns are sent: those that may be read and are selected; the key is always selected.
    pub fn selected_columns(&self, access: &Access, select: Option<&Arc<[String]>>) -> Vec<bool> {
        let columns = self.columns.iter().zip(&access.readable);
        let is_selected = |column: &Column| {
            column.is_primary || select.is_none_or(|names| names.contains(&column.name))
        };
        columns.map(|(column, readable)| *readable && is_selected(column)).collect()
    }

    /// The contract's `data` of a change, with the columns of `selected`.
    pub fn data(&self, change: &Change, selected: &[bool]) -> String {
        let is_large = change.size > LARGEST_CHANGE;
        let mut out = self.begin(change.kind);
        let at = change.at.to_rfc3339_opts(SecondsFormat::Millis, true);
        let _ = write!(out, ",\"commit_timestamp\":\"{at}\",\"columns\":[");
        let selected_columns =
            || self.columns.iter().enumerate().filter(|(index, _)| selected[*index]);
        for (place, (_, column)) in selected_columns().enumerate() {
            out.push_str(if place == 0 { "{\"name\":" } else { ",{\"name\":" });
            write_text(&column.name, &mut out);
            out.push_str(",\"type\":");
            write_text(&column.type_name, &mut out);
            out.push('}');
        }
        out.push(']');
        if change.kind != EventKind::Delete {
            let row = selected_columns().map(|(index, column)| (column, change.current(index)));
            write_record("record", row, is_large, &mut out);
        }
        if change.kind != EventKind::Insert {
            // Row security cannot decide on a deleted row, so only its key is sent.
            let is_secret = change.kind == EventKind::Delete && self.has_row_security;
            let row = selected_columns().filter(|(_, column)| !is_secret || column.is_primary);
            let row = row.map(|(index, column)| (column, change.before(index, column)));
            write_record("old_record", row, is_large, &mut out);
        }
        out.push_str(",\"errors\":");
        out.push_str(if is_large { r#"["Error 413: Payload Too Large"]}"# } else { "null}" });
        out
    }

    /// The contract's `data` of a change that only reports a failure.
    pub fn failure(&self, kind: EventKind, error: &str) -> String {
        let mut out = self.begin(kind);
        out.push_str(",\"errors\":[");
        write_text(error, &mut out);
        out.push_str("]}");
        out
    }

    fn begin(&self, kind: EventKind) -> String {
        let mut out = String::from("{\"schema\":");
        write_text(&self.schema, &mut out);
        out.push_str(",\"table\":");
        write_text(&self.name, &mut out);
        let _ = write!(out, ",\"type\":\"{}\"", kind.name());
        out
    }
}

fn write_record<'a>(
    name: &str,
    cells: impl Iterator<Item = (&'a Column, Cell<'a>)>,
    is_large: bool,
    out: &mut String,
) {
    let _ = write!(out, ",\"{name}\":{{");
    let mut is_first = true;
    for (column, cell) in cells {
        match cell {
            Cell::Absent => continue,
            Cell::Text(text) if is_large && text.len() > SHORT_VALUE => continue,
            _ => {}
        }
        if !std::mem::take(&mut is_first) {
            out.push(',');
        }
        write_text(&column.name, out);
        out.push(':');
        match cell {
            Cell::Text(text) => column.kind.write_json(text, out),
            _ => out.push_str("null"),
        }
    }
    out.push('}');
}

/// How deep nested types are resolved.
const DEEPEST_TYPE: usize = 16;

/// The kind of a type's values.
pub(super) fn kind(facts: &TableFacts, type_id: i64) -> ValueKind {
    kind_within(facts, type_id, DEEPEST_TYPE)
}

fn kind_within(facts: &TableFacts, type_id: i64, depth: usize) -> ValueKind {
    let (Some(one), Some(depth)) = (facts.base_of(type_id), depth.checked_sub(1)) else {
        return ValueKind::Other;
    };
    if let Some(element) = one.element_id {
        return ValueKind::Array(Box::new(kind_within(facts, element, depth)));
    }
    match (&one.attributes, &one.attribute_ids) {
        (Some(names), Some(ids)) => {
            let kinds = ids.iter().map(|id| kind_within(facts, *id, depth));
            ValueKind::Composite(names.iter().cloned().zip(kinds).collect())
        }
        _ => {
            let category = one.category.bytes().next().unwrap_or_default();
            ValueKind::of(u32::try_from(one.id).unwrap_or_default(), category)
        }
    }
}

impl Change {
    /// A value of the row after the change. A value that the change did not touch may come from the
    /// old row.
    pub fn current(&self, index: usize) -> Cell<'_> {
        match (self.new.0.get(index), &self.old) {
            (Some(Value::Unchanged), Some(OldTuple::Row(old))) => cell(old.0.get(index)),
            (value, _) => cell(value),
        }
    }

    /// A value of the row before the change.
    pub fn before(&self, index: usize, column: &Column) -> Cell<'_> {
        match &self.old {
            Some(OldTuple::Row(old)) => cell(old.0.get(index)),
            _ if !column.is_identity => Cell::Absent,
            Some(OldTuple::Key(old)) => cell(old.0.get(index)),
            None => self.current(index),
        }
    }

    /// The value that filters are evaluated on.
    pub fn judged(&self, index: usize, column: &Column) -> Cell<'_> {
        match self.kind {
            EventKind::Delete => self.before(index, column),
            _ => self.current(index),
        }
    }
}

fn cell(value: Option<&Value>) -> Cell<'_> {
    match value {
        None | Some(Value::Unchanged | Value::Omitted) => Cell::Absent,
        Some(Value::Null) => Cell::Null,
        Some(value @ Value::Text(_)) => value.text().map_or(Cell::Absent, Cell::Text),
    }
}
