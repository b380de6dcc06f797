//! What the gateway knows about the database: plain, immutable values, swapped as a whole.
//!
//! Nothing here can load itself; the loader and its catalogue queries live with the service.

mod fuzzy;
mod identifier;
mod media_handler;
mod relationship;
mod routine;
mod table;

use std::collections::HashMap;

pub use fuzzy::FuzzySet;
pub use identifier::{Name, QualifiedName};
pub use media_handler::{HandlerTarget, MediaHandler};
pub use relationship::{Junction, Key, Link, Relationship};
pub use routine::{ReturnShape, Routine, RoutineParam, Volatility};
pub use table::{Column, Table};

/// Everything known about the exposed part of a database at one moment.
#[derive(Debug, Default)]
pub struct SchemaCache {
    /// Grows with every load; part of every cache key that holds a plan.
    pub version: u64,
    /// Tables, views, materialised views, foreign and partitioned tables by name.
    pub tables: HashMap<QualifiedName, Table>,
    /// Relationships by the relation they start from.
    pub relationships: HashMap<QualifiedName, Vec<Relationship>>,
    /// Functions by name; one entry for each overload.
    pub routines: HashMap<QualifiedName, Vec<Routine>>,
    /// Cast functions between domains and `json` or `text`: (from, to) → function.
    pub representations: HashMap<(QualifiedName, QualifiedName), QualifiedName>,
    /// Functions and aggregates that produce a media type of their own.
    pub media_handlers: Vec<MediaHandler>,
    /// Comments of the exposed schemas, for the OpenAPI root.
    pub schema_comments: HashMap<Name, String>,
}

impl SchemaCache {
    /// The representation function between two types, if a cast declares one.
    pub fn representation(
        &self,
        from: &QualifiedName,
        to: &QualifiedName,
    ) -> Option<&QualifiedName> {
        if self.representations.is_empty() {
            return None;
        }
        self.representations.get(&(from.clone(), to.clone()))
    }

    /// Names of the relations of one schema.
    pub fn relation_names<'a>(&'a self, schema: &'a str) -> impl Iterator<Item = &'a str> {
        self.tables.keys().filter(move |q| &*q.schema == schema).map(|q| &*q.name)
    }

    /// Names of the functions of one schema that a client can be expected to know.
    pub fn routine_names<'a>(&'a self, schema: &'a str) -> impl Iterator<Item = &'a str> {
        let listed = |overloads: &[Routine]| overloads.iter().any(Routine::is_listed);
        self.routines
            .iter()
            .filter(move |(name, overloads)| &*name.schema == schema && listed(overloads))
            .map(|(name, _)| &*name.name)
    }
}
