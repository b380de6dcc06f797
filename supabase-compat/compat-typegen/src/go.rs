//! Go: a struct for each relation and operation, with the fields aligned as by `gofmt`.

use crate::model::{Metadata, PgType, Relation, RelationKind, Types};
use crate::names::{json_text, pascal};

/// Writes the types of a database in Go.
pub fn go(metadata: &Metadata) -> String {
    let structs = |kind, operations: &[Operation]| {
        let relations = metadata.relations_of_kind(kind);
        let structs = relations.flat_map(|relation| {
            let one = |operation| relation_struct(relation, operation, &metadata.types);
            operations.iter().copied().map(one).collect::<Vec<_>>()
        });
        structs.collect::<Vec<_>>().join("\n\n")
    };
    let composites: Vec<String> = metadata
        .types
        .iter()
        .filter(|one| !one.attributes.is_empty() && metadata.has_schema(&one.schema))
        .map(|one| composite_struct(one, &metadata.types))
        .collect();
    let text = format!(
        "package database\n\n{}\n\n{}\n\n{}\n\n{}",
        structs(RelationKind::Table, &[Operation::Select, Operation::Insert, Operation::Update]),
        structs(RelationKind::View, &[Operation::Select]),
        structs(RelationKind::MaterializedView, &[Operation::Select]),
        composites.join("\n\n")
    );
    text.trim_end().to_owned()
}

/// An operation on a relation.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Operation {
    Select,
    Insert,
    Update,
}

/// A field: its name, its type, and its name in JSON.
struct Field {
    name: String,
    kind: String,
    tag: String,
}

fn relation_struct(relation: &Relation, operation: Operation, types: &Types) -> String {
    let fields = relation.columns.iter().map(|column| {
        let is_pointer = match operation {
            Operation::Select => column.is_nullable,
            Operation::Insert => {
                column.is_nullable
                    || column.is_identity
                    || column.is_generated
                    || column.has_default
            }
            Operation::Update => true,
        };
        Field {
            name: pascal(&column.name),
            kind: go_type(&column.type_name, is_pointer, types),
            tag: tag(&column.name),
        }
    });
    let name = format!("{}{}{operation:?}", pascal(&relation.schema), pascal(&relation.name));
    go_struct(&name, &fields.collect::<Vec<_>>())
}

fn composite_struct(composite: &PgType, types: &Types) -> String {
    let fields = composite.attributes.iter().map(|attribute| {
        let format = types.by_id(attribute.type_id).map_or("", |one| &one.format);
        Field {
            name: pascal(&attribute.name),
            kind: go_type(format, false, &Types::default()),
            tag: tag(&attribute.name),
        }
    });
    let name = format!("{}{}", pascal(&composite.schema), pascal(&composite.name));
    go_struct(&name, &fields.collect::<Vec<_>>())
}

fn go_struct(name: &str, fields: &[Field]) -> String {
    let names = fields.iter().map(|field| field.name.len()).max().unwrap_or_default();
    let kinds = fields.iter().map(|field| field.kind.len()).max().unwrap_or_default();
    let lines: Vec<String> = fields
        .iter()
        .map(|Field { name, kind, tag }| format!("  {name:names$} {kind:kinds$} {tag}"))
        .collect();
    format!("type {name} struct {{\n{}\n}}", lines.join("\n"))
}

/// The tag with a field's name in JSON. A raw string cannot contain a backtick.
fn tag(name: &str) -> String {
    let tag = format!("json:{}", json_text(name));
    if tag.contains('`') { json_text(&tag) } else { format!("`{tag}`") }
}

fn go_type(name: &str, is_pointer: bool, types: &Types) -> String {
    let is_enum = types.named(name).any(|one| !one.variants.is_empty());
    let plain = if is_enum { Some("string") } else { plain_type(name) };
    if let Some(plain) = plain {
        let takes_pointer = !plain.contains(['[', '{']);
        return if is_pointer && takes_pointer { format!("*{plain}") } else { plain.to_owned() };
    }
    if types.named(name).any(|one| !one.attributes.is_empty()) {
        return "map[string]interface{}".to_owned();
    }
    match name.strip_prefix('_') {
        Some(element) => format!("[]{} ", go_type(element, is_pointer, types)),
        None => "interface{}".to_owned(),
    }
}

fn plain_type(name: &str) -> Option<&'static str> {
    Some(match name {
        "bool" => "bool",
        "int2" => "int16",
        "int4" => "int32",
        "int8" => "int64",
        "float4" => "float32",
        "float8" | "numeric" => "float64",
        "bytea" => "[]byte",
        "bpchar" | "varchar" | "date" | "text" | "citext" | "time" | "timetz" | "timestamp"
        | "timestamptz" | "interval" | "uuid" | "vector" | "int4range" | "int4multirange"
        | "int8range" | "int8multirange" | "numrange" | "nummultirange" | "tsrange"
        | "tsmultirange" | "tstzrange" | "tstzmultirange" | "daterange" | "datemultirange" => {
            "string"
        }
        "json" | "jsonb" | "void" => "interface{}",
        "record" => "map[string]interface{}",
        _ => return None,
    })
}
