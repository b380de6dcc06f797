//! Relations and their columns.

use std::collections::HashMap;

use super::{Name, QualifiedName};
use crate::sql::CatalogueExpression;

/// One column of a relation.
#[derive(Clone, Debug)]
pub struct Column {
    pub name: Name,
    /// The declared type, a domain where one was used.
    pub data_type: QualifiedName,
    /// The type below every domain.
    pub base_type: QualifiedName,
    /// The base type as people write it (`character varying`), for the OpenAPI document.
    pub display_type: String,
    /// Declared length of character types.
    pub max_length: Option<i32>,
    /// The default, a domain's default, or the sequence of an identity column.
    pub default: Option<CatalogueExpression>,
    pub nullable: bool,
    pub description: Option<String>,
    pub enum_values: Vec<String>,
}

/// A table, view, materialised view, foreign or partitioned table.
#[derive(Clone, Debug)]
pub struct Table {
    pub name: QualifiedName,
    pub description: Option<String>,
    pub is_view: bool,
    pub insertable: bool,
    pub updatable: bool,
    pub deletable: bool,
    /// Key columns; for views those of the base table that the view shows under their names there.
    pub primary_key: Vec<Name>,
    /// Columns that together identify every row and are never null; empty if that is not certain.
    /// For a table its primary key, for a view the columns that show the key of its table.
    pub row_key: Vec<Name>,
    columns: Vec<Column>,
    positions: HashMap<Name, usize>,
}

impl Table {
    /// A relation without columns and rights; see [`Table::with_columns`].
    pub fn new(name: QualifiedName) -> Self {
        Self {
            name,
            description: None,
            is_view: false,
            insertable: false,
            updatable: false,
            deletable: false,
            primary_key: Vec::new(),
            row_key: Vec::new(),
            columns: Vec::new(),
            positions: HashMap::new(),
        }
    }

    /// Replaces the columns, in the relation's order.
    pub fn with_columns(mut self, columns: Vec<Column>) -> Self {
        self.positions = columns.iter().enumerate().map(|(i, c)| (c.name.clone(), i)).collect();
        self.columns = columns;
        self
    }

    /// A column by name; computed fields are not columns.
    pub fn column(&self, name: &str) -> Option<&Column> {
        self.positions.get(name).and_then(|position| self.columns.get(*position))
    }

    /// All columns in the relation's order.
    pub fn columns(&self) -> &[Column] {
        &self.columns
    }
}
