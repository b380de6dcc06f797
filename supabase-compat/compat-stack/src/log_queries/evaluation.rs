//! Runs a statement over the log ring. Rows that are not part of the answer are dropped at once:
//! memory is bounded by the rows of the answer and by the number of groups.

use std::cmp::Ordering;
use std::collections::HashMap;
use std::ops::ControlFlow;
use std::path::Path;

use serde_json::{Map, Value};

use super::expression::{Cell, Scope};
use super::select::{Aggregate, Item, ItemValue, Select, SortBy, SortKey};
use super::tables::LogRow;
use super::{Period, QueryError};
use crate::logs::visit_newest_first;

/// The most groups in an answer.
const MOST_GROUPS: usize = 10_000;

/// A row of the answer, with its sort keys.
struct AnswerRow {
    cells: Vec<Cell>,
    keys: Vec<Cell>,
}

/// The rows that a statement selects from the ring in `folder`.
pub(super) fn run(
    folder: &Path,
    select: &Select,
    period: Period,
) -> Result<Vec<Value>, QueryError> {
    let mut rows = Rows::new(select);
    let (after, until) = period;
    let mut failure = None;
    visit_newest_first(folder, after, |place, entry| {
        let is_within = after.is_none_or(|after| entry.time > after)
            && until.is_none_or(|until| entry.time <= until);
        if !is_within {
            return ControlFlow::Continue(());
        }
        let Some(row) = select.table.row(place, &entry) else { return ControlFlow::Continue(()) };
        match rows.add(&row) {
            Ok(()) => ControlFlow::Continue(()),
            Err(error) => {
                failure = Some(error);
                ControlFlow::Break(())
            }
        }
    })?;
    match failure {
        Some(error) => Err(error),
        None => Ok(rows.finish()),
    }
}

enum Rows<'a> {
    Plain { select: &'a Select, rows: Vec<AnswerRow> },
    Grouped { select: &'a Select, groups: HashMap<String, Group> },
}

struct Group {
    plain: Vec<Cell>,
    sums: Vec<Sum>,
}

impl<'a> Rows<'a> {
    fn new(select: &'a Select) -> Self {
        if !select.is_grouped() {
            return Self::Plain { select, rows: Vec::new() };
        }
        let mut groups = HashMap::new();
        // A statement without `group by` has one group, even without rows.
        if select.groups.is_empty() {
            groups.insert(group_key(&[]), Group::new(select, Vec::new()));
        }
        Self::Grouped { select, groups }
    }

    fn add(&mut self, row: &LogRow) -> Result<(), QueryError> {
        let (Self::Plain { select, .. } | Self::Grouped { select, .. }) = self;
        let select = *select;
        let Some(scope) = RowScope::of(select, row)? else { return Ok(()) };
        if let Some(condition) = &select.condition
            && condition.holds(&scope)? != Some(true)
        {
            return Ok(());
        }
        match self {
            Self::Plain { rows, .. } => {
                let cells = plain_cells(&select.items, &scope)?;
                let keys = select.order.iter().map(|key| match &key.by {
                    SortBy::Item(place) => Ok(cells.get(*place).cloned().unwrap_or(Cell::Null)),
                    SortBy::Row(expression) => expression.evaluate(&scope),
                });
                let keys = keys.collect::<Result<_, _>>()?;
                rows.push(AnswerRow { cells, keys });
                if rows.len() > 2 * select.limit + 1000 {
                    sort(rows, &select.order);
                    rows.truncate(select.limit);
                }
            }
            Self::Grouped { groups, .. } => {
                let plain = plain_cells(&select.items, &scope)?;
                let key = group_key(&plain);
                if groups.len() >= MOST_GROUPS && !groups.contains_key(&key) {
                    return Err(QueryError::Resources("too many groups"));
                }
                let group = groups.entry(key).or_insert_with(|| Group::new(select, plain));
                for sum in &mut group.sums {
                    let item = select.items.get(sum.place);
                    let Some(ItemValue::Aggregate(_, inner)) = item.map(|item| &item.value) else {
                        continue;
                    };
                    sum.add(match inner {
                        Some(inner) => inner.evaluate(&scope)?,
                        None => Cell::Bool(true),
                    })?;
                }
            }
        }
        Ok(())
    }

    fn finish(self) -> Vec<Value> {
        let (select, mut rows) = match self {
            Self::Plain { select, rows } => (select, rows),
            Self::Grouped { select, groups } => {
                let groups = groups.into_values().map(|group| group.into_row(select));
                (select, groups.collect())
            }
        };
        sort(&mut rows, &select.order);
        rows.truncate(select.limit);
        let object = |row: AnswerRow| {
            let names = select.items.iter().map(|item| item.name.clone());
            let values = row.cells.into_iter().map(Cell::into_json);
            Value::Object(names.zip(values).collect::<Map<_, _>>())
        };
        rows.into_iter().map(object).collect()
    }
}

/// The key that identifies a group.
fn group_key(plain: &[Cell]) -> String {
    format!("{plain:?}")
}

fn plain_cells(items: &[Item], scope: &RowScope<'_>) -> Result<Vec<Cell>, QueryError> {
    let cells = items.iter().filter_map(|item| match &item.value {
        ItemValue::Plain(expression) => Some(expression.evaluate(scope)),
        ItemValue::Aggregate(..) => None,
    });
    cells.collect()
}

/// Sorts rows; nulls come first, as in BigQuery.
fn sort(rows: &mut [AnswerRow], order: &[SortKey]) {
    rows.sort_by(|left, right| {
        let keys = left.keys.iter().zip(&right.keys).zip(order);
        let mut orders = keys.map(|((left, right), key)| {
            let ordering = left.total_order(right);
            if key.is_descending { ordering.reverse() } else { ordering }
        });
        orders.find(|ordering| ordering.is_ne()).unwrap_or(Ordering::Equal)
    });
}

impl Group {
    fn new(select: &Select, plain: Vec<Cell>) -> Self {
        let sums = select.items.iter().enumerate().filter_map(|(place, item)| match &item.value {
            ItemValue::Aggregate(aggregate, _) => Some(Sum::new(place, *aggregate)),
            ItemValue::Plain(_) => None,
        });
        Self { plain, sums: sums.collect() }
    }

    fn into_row(self, select: &Select) -> AnswerRow {
        let (mut plain, mut sums) = (self.plain.into_iter(), self.sums.into_iter());
        let cells: Vec<Cell> = select
            .items
            .iter()
            .map(|item| match &item.value {
                ItemValue::Plain(_) => plain.next().unwrap_or(Cell::Null),
                ItemValue::Aggregate(..) => sums.next().map_or(Cell::Null, Sum::finish),
            })
            .collect();
        let keys = select.order.iter().map(|key| match &key.by {
            SortBy::Item(place) => cells.get(*place).cloned().unwrap_or(Cell::Null),
            SortBy::Row(_) => Cell::Null,
        });
        AnswerRow { keys: keys.collect(), cells }
    }
}

/// The state of an aggregate over one group.
struct Sum {
    place: usize,
    aggregate: Aggregate,
    count: i64,
    total: f64,
    is_whole: bool,
    best: Cell,
}

impl Sum {
    fn new(place: usize, aggregate: Aggregate) -> Self {
        Self { place, aggregate, count: 0, total: 0.0, is_whole: true, best: Cell::Null }
    }

    fn add(&mut self, cell: Cell) -> Result<(), QueryError> {
        if cell == Cell::Null {
            return Ok(());
        }
        match self.aggregate {
            Aggregate::Count => self.count += 1,
            Aggregate::CountIf => self.count += i64::from(cell == Cell::Bool(true)),
            Aggregate::Sum | Aggregate::Average => {
                self.count += 1;
                self.total += match cell {
                    Cell::Int(value) => value as f64,
                    Cell::Float(value) => {
                        self.is_whole = false;
                        value
                    }
                    _ => return Err(QueryError::query("No matching signature for aggregate")),
                };
            }
            Aggregate::Least | Aggregate::Greatest => {
                let better_order = match self.aggregate {
                    Aggregate::Least => Ordering::Less,
                    _ => Ordering::Greater,
                };
                if cell.compare(&self.best)?.is_none_or(|order| order == better_order) {
                    self.best = cell;
                }
            }
        }
        Ok(())
    }

    fn finish(self) -> Cell {
        match self.aggregate {
            Aggregate::Count | Aggregate::CountIf => Cell::Int(self.count),
            Aggregate::Sum | Aggregate::Average if self.count == 0 => Cell::Null,
            Aggregate::Sum if self.is_whole => Cell::Int(self.total as i64),
            Aggregate::Sum => Cell::Float(self.total),
            Aggregate::Average => Cell::Float(self.total / self.count as f64),
            Aggregate::Least | Aggregate::Greatest => self.best,
        }
    }
}

/// The names that a row defines: its columns, and the unnested structs.
struct RowScope<'a> {
    alias: &'a str,
    row: &'a LogRow,
    structs: Vec<(&'a str, &'a Value)>,
}

impl<'a> RowScope<'a> {
    /// The scope of a row; none if an inner unnest finds no value, which drops the row.
    fn of(select: &'a Select, row: &'a LogRow) -> Result<Option<Self>, QueryError> {
        let mut scope = Self { alias: &select.alias, row, structs: Vec::new() };
        for unnest in &select.unnests {
            let array = scope.find(&unnest.path).ok_or_else(|| unknown(&unnest.path))?;
            // Every array in a log row has one element.
            let first = match array {
                Value::Array(list) => list.first().unwrap_or(&Value::Null),
                Value::Null => &Value::Null,
                _ => return Err(QueryError::query("Values referenced in UNNEST must be arrays")),
            };
            if first.is_null() && !unnest.is_left {
                return Ok(None);
            }
            scope.structs.push((unnest.alias.as_str(), first));
        }
        Ok(Some(scope))
    }

    /// A JSON value by its path: in an unnested struct, the aliased table, or the row's metadata.
    fn find(&self, path: &[String]) -> Option<&'a Value> {
        let (first, rest) = path.split_first()?;
        if let Some((_, value)) =
            self.structs.iter().rev().find(|(alias, _)| *alias == first.as_str())
        {
            return field(value, rest);
        }
        if first == self.alias
            && let [column, rest @ ..] = rest
        {
            return (column == "metadata")
                .then_some(&self.row.metadata)
                .and_then(|it| field(it, rest));
        }
        if first == "metadata" {
            return field(&self.row.metadata, rest);
        }
        self.structs.iter().rev().find_map(|(_, value)| field(value, path))
    }
}

impl Scope for RowScope<'_> {
    fn look_up(&self, path: &[String]) -> Result<Cell, QueryError> {
        let columns: &[String] = match path {
            [first, rest @ ..] if first == self.alias && !rest.is_empty() => rest,
            path => path,
        };
        if let [column] = columns
            && !self.structs.iter().any(|(alias, _)| *alias == column.as_str())
        {
            match column.as_str() {
                "timestamp" => return Ok(Cell::Time(self.row.timestamp)),
                "id" => return Ok(Cell::Text(self.row.id.clone())),
                "event_message" => return Ok(Cell::Text(self.row.event_message.clone())),
                _ => {}
            }
        }
        self.find(path).map(Cell::of_json).ok_or_else(|| unknown(path))
    }
}

/// A value in a struct; every path into a null is null.
fn field<'a>(value: &'a Value, path: &[String]) -> Option<&'a Value> {
    let mut current = value;
    for name in path {
        current = match current {
            Value::Null => &Value::Null,
            Value::Object(fields) => fields.get(name)?,
            _ => return None,
        };
    }
    Some(current)
}

fn unknown(path: &[String]) -> QueryError {
    let path: String = path.join(".").chars().take(128).collect();
    QueryError::query(format!("Unrecognized name: {path}"))
}
