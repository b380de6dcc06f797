//! The tree of rows an answer is made of: one node per level of `select`.

use super::cast::CastType;
use super::condition::{Condition, Operand};
use crate::request::order::{Direction, Nulls};
use crate::request::range::Slice;
use crate::request::select::Aggregate;
use crate::schema::{Name, QualifiedName};

/// One level: which columns of which rows, in which order.
#[derive(Clone, Debug)]
pub struct Node {
    /// The name its rows go by inside the statement, unlike that of any level around it.
    pub alias: String,
    pub columns: Vec<OutputColumn>,
    pub embeds: Vec<Embed>,
    pub conditions: Vec<Condition>,
    pub order: Vec<Sort>,
    pub slice: Slice,
    /// Whether JSON made on this level is `jsonb`: needed if a level groups by it, because `json`
    /// has no equality, and if its text is shown, because the original uses `jsonb`.
    pub jsonb: bool,
}

impl Node {
    /// True when the level has an aggregate and is therefore grouped by everything else.
    pub fn is_grouped(&self) -> bool {
        let own = self.columns.iter().any(|column| column.aggregate.is_some());
        own || self
            .embeds
            .iter()
            .any(|embed| embed.spread.iter().flatten().any(|column| column.aggregate.is_some()))
    }

    /// True when the level, or a spread into it, shows a value under a name that is not its
    /// column's.
    pub fn renames(&self, name: &str) -> bool {
        let plain = |column: &OutputColumn| {
            column.cast.is_none() && matches!(&column.value, Value::Field(o) if o.column == name)
        };
        let own = self
            .columns
            .iter()
            .any(|column| column.key() == name && (column.aggregate.is_some() || !plain(column)));
        let mut spreads = self.embeds.iter().filter(|embed| embed.spread.is_some());
        own || spreads.any(|embed| {
            embed.node.renames(name) || embed.node.columns.iter().any(|c| c.key() == name)
        })
    }

    /// True when the level shows nothing: no column, and only embeds that show nothing.
    pub fn is_hidden(&self) -> bool {
        self.columns.is_empty() && self.embeds.iter().all(|embed| embed.node.is_hidden())
    }
}

/// What a selected value is.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Value {
    /// All columns.
    Star,
    /// The row as one value (`count()` through a spread).
    WholeRow,
    Field(Operand),
}

/// An aggregate over a value, and the type its result is cast to.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct AggregateCall {
    pub function: Aggregate,
    pub cast: Option<CastType>,
}

/// One selected value.
#[derive(Clone, Debug)]
pub struct OutputColumn {
    pub value: Value,
    /// Function that turns a domain into its JSON form.
    pub format: Option<QualifiedName>,
    pub cast: Option<CastType>,
    pub aggregate: Option<AggregateCall>,
    /// Output name, where it is not the column's own.
    pub alias: Option<String>,
}

impl OutputColumn {
    /// The key under which the value appears.
    pub fn key(&self) -> &str {
        match (&self.alias, &self.aggregate, &self.value) {
            (Some(alias), _, _) => alias,
            (None, Some(call), _) => call.function.name(),
            (None, None, Value::Field(operand)) => &operand.column,
            (None, None, Value::Star | Value::WholeRow) => "*",
        }
    }
}

/// How rows of an embed belong to a row of the level above.
#[derive(Clone, Debug)]
pub enum JoinPath {
    /// Columns of both sides are equal: (column above, column of the embed).
    Columns(Vec<(Name, Name)>),
    /// Through a third table: (column above, column there), (column of the embed, column there).
    Junction {
        table: QualifiedName,
        alias: String,
        above: Vec<(Name, Name)>,
        below: Vec<(Name, Name)>,
    },
    /// A function of the row above, whose type is named.
    Function { function: QualifiedName, row: QualifiedName },
}

/// A resource embedded into the level above.
#[derive(Clone, Debug)]
pub struct Embed {
    /// The alias or target name: its key in the answer and its name in paths.
    pub key: String,
    /// The target's name, where a clause used it although there is an alias.
    pub legacy_name: Option<String>,
    pub relation: QualifiedName,
    pub via: JoinPath,
    pub to_one: bool,
    pub inner: bool,
    /// Columns lifted into the level above; `None` for an ordinary embed.
    pub spread: Option<Vec<SpreadColumn>>,
    pub node: Node,
}

/// One column lifted out of a spread embed.
#[derive(Clone, Debug)]
pub struct SpreadColumn {
    /// Its name inside the embed.
    pub name: String,
    /// An aggregate that belongs to the level above.
    pub aggregate: Option<AggregateCall>,
}

/// What a sort key looks at.
#[derive(Clone, Debug)]
pub enum SortKey {
    Own(Operand),
    /// A column of the to-one embed at this position.
    Embed {
        position: usize,
        operand: Operand,
    },
    /// What the to-one embed at this position shows under this name.
    EmbedOutput {
        position: usize,
        name: String,
    },
}

/// One sort key.
#[derive(Clone, Debug)]
pub struct Sort {
    pub key: SortKey,
    pub direction: Option<Direction>,
    pub nulls: Option<Nulls>,
}
