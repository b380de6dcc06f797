//! Filters with their columns resolved.

use crate::request::field::JsonStep;
use crate::request::filter::{Comparison, FullText, IsValue, Quantifier};
use crate::schema::QualifiedName;

/// A column, computed field or JSON path, ready to be written.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Operand {
    pub column: String,
    pub path: Vec<JsonStep>,
    /// The column is no JSON and must be turned into it before the path applies.
    pub to_jsonb: bool,
}

/// A value a column is tested against.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum TestValue {
    /// Bound; PostgreSQL infers its type from the other side.
    Text(String),
    /// Bound and passed through the representation's parser first.
    Parsed { text: String, parser: QualifiedName },
    /// A truth value, written out so that partial indexes stay visible to the planner.
    Boolean(bool),
}

/// What is asked of the operand.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Test {
    Compare {
        comparison: Comparison,
        quantifier: Option<Quantifier>,
        value: TestValue,
    },
    /// The list as an array literal; the parser, where one exists, applies to each element.
    In {
        array: String,
        parser: Option<QualifiedName>,
    },
    Is(IsValue),
    IsDistinctFrom(TestValue),
    FullText {
        function: FullText,
        language: Option<String>,
        value: String,
        /// The operand is no `tsvector` and is turned into one.
        to_tsvector: bool,
    },
}

/// A boolean tree.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Condition {
    Test {
        operand: Operand,
        negated: bool,
        test: Test,
    },
    /// Some row of the embed at this position exists.
    EmbedExists {
        position: usize,
        negated: bool,
    },
    Group {
        negated: bool,
        all: bool,
        members: Vec<Condition>,
    },
}
