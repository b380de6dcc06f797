//! Where the rows of a node come from, and how much of its select is written.

use crate::plan::{CallPlan, Embed};
use crate::schema::QualifiedName;

/// Where the rows of a node come from.
#[derive(Clone, Copy)]
pub(super) enum Origin<'a> {
    Relation(&'a QualifiedName),
    /// The rows that the write returned.
    Written,
    Call(&'a CallPlan),
    /// Rows of an embed that belong to a row of the alias above.
    Embed(&'a Embed, &'a str),
}

/// How much of a select to write.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum SelectParts {
    All,
    /// Everything but limit and offset.
    WithoutSlice,
}
