//! Functions that may be called.

use super::{Name, QualifiedName};

/// How much a function may change.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Volatility {
    Immutable,
    Stable,
    Volatile,
}

/// One declared input parameter.
#[derive(Clone, Debug)]
pub struct RoutineParam {
    /// Empty for an unnamed parameter.
    pub name: Name,
    pub data_type: QualifiedName,
    /// The type as people write it (`integer[]`), for messages and the OpenAPI document.
    pub display_type: String,
    /// False when the parameter has a default.
    pub required: bool,
    pub variadic: bool,
    /// True for array types, which GET may spell `{1,2}` and POST as a JSON array.
    pub is_array: bool,
}

/// The shape of what a function gives back.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ReturnShape {
    Void,
    /// One value that is not a row (a `record` without declared columns included).
    Scalar(QualifiedName),
    SetOfScalar(QualifiedName),
    /// One row; the name of its relation or composite type where it has one.
    Composite(QualifiedName),
    SetOfComposite(QualifiedName),
}

/// One overload of a function.
#[derive(Clone, Debug)]
pub struct Routine {
    pub name: QualifiedName,
    pub description: Option<String>,
    pub params: Vec<RoutineParam>,
    pub returns: ReturnShape,
    pub volatility: Volatility,
    /// `SET` clauses of the function: (name, value).
    pub settings: Vec<(String, String)>,
}

impl Routine {
    /// True for functions a client can be expected to know: all parameters have names, or the only
    /// one takes a whole body.
    pub fn is_listed(&self) -> bool {
        let body = ["json", "jsonb", "text", "xml", "bytea"];
        match self.params.as_slice() {
            [only] if only.name.is_empty() => body.iter().any(|t| only.data_type.is_system(t)),
            params => params.is_empty() || params.iter().any(|param| !param.name.is_empty()),
        }
    }

    /// The relation whose rows the function returns, which may then be embedded into.
    pub fn returned_relation(&self) -> Option<&QualifiedName> {
        match &self.returns {
            ReturnShape::Composite(name) | ReturnShape::SetOfComposite(name) => Some(name),
            _ => None,
        }
    }

    /// True for `SETOF` and `TABLE` functions.
    pub fn returns_set(&self) -> bool {
        matches!(self.returns, ReturnShape::SetOfScalar(_) | ReturnShape::SetOfComposite(_))
    }

    /// True when rows carry one unnamed value.
    pub fn returns_scalars(&self) -> bool {
        matches!(
            self.returns,
            ReturnShape::Void | ReturnShape::Scalar(_) | ReturnShape::SetOfScalar(_)
        )
    }
}
