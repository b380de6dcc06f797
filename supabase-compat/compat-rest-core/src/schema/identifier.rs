//! Names of database objects.

use std::fmt;
use std::sync::Arc;

/// An identifier, unquoted, as the catalogue spells it.
pub type Name = Arc<str>;

/// A name with its schema. An empty schema means "found through the search path".
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct QualifiedName {
    pub schema: Name,
    pub name: Name,
}

impl QualifiedName {
    /// Builds a qualified name.
    pub fn new(schema: impl Into<Name>, name: impl Into<Name>) -> Self {
        Self { schema: schema.into(), name: name.into() }
    }

    /// A type or function of the system catalogue.
    pub fn system(name: &str) -> Self {
        Self::new("pg_catalog", name)
    }

    /// True for a type of the system catalogue with this name.
    pub fn is_system(&self, name: &str) -> bool {
        &*self.schema == "pg_catalog" && &*self.name == name
    }
}

impl fmt::Display for QualifiedName {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}.{}", self.schema, self.name)
    }
}
