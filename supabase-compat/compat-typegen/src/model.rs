//! The input of the generators: the catalogue of the selected schemas, and all types.

use std::collections::HashMap;

/// The catalogue; each list is in the order of printing.
#[derive(Debug, Default)]
pub struct Metadata {
    pub(crate) schemas: Vec<Schema>,
    /// Tables, foreign tables, views and materialised views, by schema and name.
    pub(crate) relations: Vec<Relation>,
    /// Foreign keys, and the relationships of views that follow from them.
    pub(crate) relationships: Vec<Relationship>,
    /// Functions, without trigger functions; overloads are sorted by their arguments.
    pub(crate) functions: Vec<Function>,
    pub(crate) types: Types,
}

/// A schema that is printed.
#[derive(Debug, sqlx_macros::FromRow)]
pub(crate) struct Schema {
    pub id: i64,
    pub name: String,
}

/// The kind of a relation.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum RelationKind {
    Table,
    ForeignTable,
    View,
    MaterializedView,
}

impl RelationKind {
    /// The kind of `pg_class.relkind`, which is one of `r`, `p`, `f`, `v` and `m`.
    pub fn of(relkind: &str) -> Self {
        match relkind {
            "f" => Self::ForeignTable,
            "v" => Self::View,
            "m" => Self::MaterializedView,
            _ => Self::Table,
        }
    }

    /// Whether relations of this kind are printed among the tables; the others are printed among
    /// the views.
    pub fn is_table(self) -> bool {
        matches!(self, Self::Table | Self::ForeignTable)
    }
}

/// A table or view.
#[derive(Debug)]
pub(crate) struct Relation {
    pub id: i64,
    pub schema: String,
    pub name: String,
    pub kind: RelationKind,
    /// Whether rows can be inserted, by the relation itself, a trigger or a rule.
    pub is_insertable: bool,
    /// Whether rows can be updated, by the relation itself, a trigger or a rule.
    pub is_updatable: bool,
    /// The columns, sorted by name.
    pub columns: Vec<Column>,
}

/// A column of a table or view.
#[derive(Debug, sqlx_macros::FromRow)]
pub(crate) struct Column {
    pub relation_id: i64,
    pub name: String,
    /// The name of the type; for a domain, the name of its base type.
    pub type_name: String,
    pub type_schema: String,
    pub has_default: bool,
    pub is_identity: bool,
    /// Whether the identity is `generated always`.
    pub is_always_identity: bool,
    pub is_generated: bool,
    pub is_nullable: bool,
    /// Whether the column can be written; a view's column may be read-only.
    pub is_updatable: bool,
}

/// A relation's reference to another.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Relationship {
    pub foreign_key: String,
    pub schema: String,
    pub relation: String,
    pub columns: Vec<String>,
    pub is_one_to_one: bool,
    pub target_schema: String,
    pub target: String,
    pub target_columns: Vec<String>,
}

/// The direction of an argument.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum ArgumentMode {
    In,
    Out,
    Table,
}

/// An argument of a function.
#[derive(Debug)]
pub(crate) struct Argument {
    pub mode: ArgumentMode,
    pub name: String,
    pub type_id: i64,
    pub has_default: bool,
}

/// A function; overloads share a name.
#[derive(Debug)]
pub(crate) struct Function {
    pub id: i64,
    pub schema: String,
    pub name: String,
    /// Input and output arguments, sorted by name.
    pub arguments: Vec<Argument>,
    /// The arguments in the form of `pg_get_function_arguments`.
    pub argument_types: String,
    pub identity_argument_types: String,
    pub return_type: String,
    pub return_type_id: i64,
    /// The relation or composite type whose rows the function returns.
    pub return_relation_id: Option<i64>,
    pub returns_set: bool,
    /// The estimated number of rows in a returned set.
    pub rows: Option<f32>,
}

impl Function {
    /// The arguments that a caller passes.
    pub fn inputs(&self) -> impl Iterator<Item = &Argument> + Clone {
        self.arguments.iter().filter(|argument| argument.mode == ArgumentMode::In)
    }
}

/// A type of PostgreSQL.
#[derive(Debug)]
pub(crate) struct PgType {
    pub id: i64,
    pub name: String,
    pub schema: String,
    /// The name in the form of `format_type`.
    pub format: String,
    /// The values of an enum, in their declared order.
    pub variants: Vec<String>,
    /// The fields of a composite type, in their declared order.
    pub attributes: Vec<Attribute>,
    /// The relation of a row type, or of a composite type.
    pub relation_id: Option<i64>,
}

/// A field of a composite type.
#[derive(Debug)]
pub(crate) struct Attribute {
    pub name: String,
    pub type_id: i64,
}

/// All types, sorted by schema and name.
#[derive(Debug, Default)]
pub(crate) struct Types {
    all: Vec<PgType>,
    by_id: HashMap<i64, usize>,
    by_name: HashMap<String, Vec<usize>>,
}

impl Types {
    /// Creates the collection; `all` keeps its order.
    pub fn new(all: Vec<PgType>) -> Self {
        let by_id = all.iter().enumerate().map(|(place, one)| (one.id, place)).collect();
        let mut by_name: HashMap<String, Vec<usize>> = HashMap::new();
        for (place, one) in all.iter().enumerate() {
            by_name.entry(one.name.clone()).or_default().push(place);
        }
        Self { all, by_id, by_name }
    }

    pub fn iter(&self) -> impl Iterator<Item = &PgType> {
        self.all.iter()
    }

    pub fn by_id(&self, id: i64) -> Option<&PgType> {
        self.by_id.get(&id).and_then(|place| self.all.get(*place))
    }

    /// The types with this name in all schemas.
    pub fn named(&self, name: &str) -> impl Iterator<Item = &PgType> {
        let places = self.by_name.get(name).map(Vec::as_slice).unwrap_or_default();
        places.iter().filter_map(|place| self.all.get(*place))
    }

    /// The enum with this name: that of the schema if there is one, otherwise the first.
    pub fn enum_named(&self, name: &str, schema: &str) -> Option<&PgType> {
        let mut enums = self.named(name).filter(|one| !one.variants.is_empty());
        let first = enums.next()?;
        Some([first].into_iter().chain(enums).find(|one| one.schema == schema).unwrap_or(first))
    }

    /// The composite type with this name: that of the schema if there is one, otherwise the first.
    pub fn composite_named(&self, name: &str, schema: &str) -> Option<&PgType> {
        let mut composites = self.named(name).filter(|one| !one.attributes.is_empty());
        let first = composites.next()?;
        let composite = [first].into_iter().chain(composites).find(|one| one.schema == schema);
        Some(composite.unwrap_or(first))
    }

    pub fn enums_of<'a>(&'a self, schema: &'a str) -> impl Iterator<Item = &'a PgType> {
        self.iter().filter(move |one| one.schema == schema && !one.variants.is_empty())
    }

    pub fn composites_of<'a>(&'a self, schema: &'a str) -> impl Iterator<Item = &'a PgType> {
        self.iter().filter(move |one| one.schema == schema && !one.attributes.is_empty())
    }
}

impl Metadata {
    /// Whether a schema is printed.
    pub(crate) fn has_schema(&self, name: &str) -> bool {
        self.schemas.iter().any(|schema| schema.name == name)
    }

    /// Relations of this kind in the schemas that are printed.
    pub(crate) fn relations_of_kind(&self, kind: RelationKind) -> impl Iterator<Item = &Relation> {
        self.relations
            .iter()
            .filter(move |relation| relation.kind == kind && self.has_schema(&relation.schema))
    }
}
