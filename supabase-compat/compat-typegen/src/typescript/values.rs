//! The TypeScript types of PostgreSQL's values.

use std::collections::HashMap;

use super::syntax::{Member, Type};
use crate::model::{ArgumentMode, Column, Function, Metadata, Relation, RelationKind};

/// The name of the type for the whole database.
const DATABASE: &str = "Database";

/// The order of preference among relations with the same name.
const KINDS: [RelationKind; 4] = [
    RelationKind::Table,
    RelationKind::ForeignTable,
    RelationKind::View,
    RelationKind::MaterializedView,
];

/// Finds the TypeScript types of values.
pub(super) struct Values<'a> {
    metadata: &'a Metadata,
    relations: HashMap<i64, &'a Relation>,
}

impl<'a> Values<'a> {
    pub fn new(metadata: &'a Metadata) -> Self {
        let relations = metadata.relations.iter().map(|relation| (relation.id, relation));
        Self { metadata, relations: relations.collect() }
    }

    /// The type of a column's value that is not null.
    pub fn of_column(&self, column: &Column) -> Type {
        self.named(&column.type_name, &column.type_schema)
    }

    /// The type of a column's value. `Json` includes null, so a column without null needs
    /// `NonNullable`.
    pub fn of_column_with_null(&self, column: &Column) -> Type {
        match self.of_column(column) {
            value if column.is_nullable => super::or_null(value),
            Type::Plain(text) if text == "Json" => Type::plain("NonNullable<Json>"),
            value => value,
        }
    }

    /// The type of a value of a PostgreSQL type.
    pub fn of_type(&self, id: i64) -> Type {
        match self.metadata.types.by_id(id) {
            Some(pg_type) => self.named(&pg_type.name, &pg_type.schema),
            None => Type::plain("unknown"),
        }
    }

    /// The type of one row or of the value that a function returns.
    pub fn returned(&self, function: &Function) -> Type {
        let columns: Vec<Member> = function
            .arguments
            .iter()
            .filter(|argument| argument.mode == ArgumentMode::Table)
            .map(|argument| Member::new(&argument.name, self.of_type(argument.type_id)))
            .collect();
        if !columns.is_empty() {
            return Type::expanded(columns);
        }
        let relation = function.return_relation_id.and_then(|id| self.relations.get(&id));
        match relation.filter(|relation| relation.schema == function.schema) {
            Some(relation) => {
                let columns = relation.columns.iter();
                let columns = columns
                    .map(|column| Member::new(&column.name, self.of_column_with_null(column)));
                Type::expanded(columns.collect())
            }
            None => self.of_type(function.return_type_id),
        }
    }

    /// The name of a relation by its id or, for a composite type, by the id of the type.
    pub fn relation_name(&self, relation: Option<i64>, type_id: i64) -> Option<&'a str> {
        if let Some(name) = self.relations.get(&relation?) {
            return Some(&name.name);
        }
        let name = self.metadata.types.by_id(type_id)?;
        name.relation_id.map(|_| name.name.as_str())
    }

    /// The type of a value by its type's name; the schema decides among several types with this
    /// name.
    fn named(&self, name: &str, schema: &str) -> Type {
        match name {
            "bool" => return Type::plain("boolean"),
            "int2" | "int4" | "int8" | "float4" | "float8" | "numeric" => {
                return Type::plain("number");
            }
            "bytea" | "bpchar" | "varchar" | "date" | "text" | "citext" | "time" | "timetz"
            | "timestamp" | "timestamptz" | "uuid" | "vector" | "interval" => {
                return Type::plain("string");
            }
            "json" | "jsonb" => return Type::plain("Json"),
            "void" => return Type::plain("undefined"),
            "record" => return Type::Applied("Record", ["string", "unknown"]),
            _ => {}
        }
        if let Some(element) = name.strip_prefix('_') {
            return self.named(element, schema).array();
        }
        let lookup = |schema: &str, keys: [&str; 2], last: Option<&str>| {
            let keys = [schema].into_iter().chain(keys).chain(last).map(str::to_owned);
            Type::Lookup(DATABASE, keys.collect())
        };
        if let Some(pg_enum) = self.metadata.types.enum_named(name, schema) {
            return match self.metadata.has_schema(&pg_enum.schema) {
                true => lookup(&pg_enum.schema, ["Enums", &pg_enum.name], None),
                false => super::enum_type(pg_enum),
            };
        }
        if let Some(pg_enum) = self.metadata.types.composite_named(name, schema) {
            return match self.metadata.has_schema(&pg_enum.schema) {
                true => lookup(&pg_enum.schema, ["CompositeTypes", &pg_enum.name], None),
                false => Type::plain("unknown"),
            };
        }
        match self.relation_named(name, schema) {
            Some(pg_enum) if self.metadata.has_schema(&pg_enum.schema) => {
                let kind = if pg_enum.kind.is_table() { "Tables" } else { "Views" };
                lookup(&pg_enum.schema, [kind, &pg_enum.name], Some("Row"))
            }
            _ => Type::plain("unknown"),
        }
    }

    fn relation_named(&self, name: &str, schema: &str) -> Option<&'a Relation> {
        let find = |matches: &dyn Fn(&Relation) -> bool| {
            KINDS.iter().find_map(|kind| {
                self.metadata.relations.iter().find(|one| one.kind == *kind && matches(one))
            })
        };
        find(&|one| one.name == name && one.schema == schema)
            .or_else(|| find(&|one| one.name == name))
    }
}
