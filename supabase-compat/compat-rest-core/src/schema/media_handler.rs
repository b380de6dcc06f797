//! Database objects that produce a media type: domains named like one, returned by functions or
//! aggregates.

use super::QualifiedName;

/// What a handler can be applied to.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum HandlerTarget {
    /// Rows of this relation, or the result of this function.
    Relation(QualifiedName),
    /// Rows of anything (an aggregate over `anyelement`).
    AnyElement,
}

/// One way to produce a media type.
#[derive(Clone, Debug)]
pub struct MediaHandler {
    pub target: HandlerTarget,
    /// The domain's name: `text/html`, `*/*`.
    pub media_type: String,
    /// The aggregate to apply; absent when a function returns the domain itself.
    pub aggregate: Option<QualifiedName>,
}
