//! Python: Pydantic models for rows, typed dictionaries for inserts and updates.

use crate::model::{Column, Metadata, PgType, Relation, RelationKind};
use crate::names::{json_text, pascal};

const PREAMBLE: &str = "\
from __future__ import annotations

import datetime
import uuid
from typing import (
    Annotated,
    Any,
    List,
    Literal,
    Optional,
    TypedDict,
)
from typing_extensions import NotRequired, TypeAlias

from pydantic import BaseModel, Field, JsonValue";

/// Writes the types of a database in Python.
pub fn python(metadata: &Metadata) -> String {
    let printer = Printer { metadata };
    let enums = metadata.types.iter().filter(|one| !one.variants.is_empty()).map(enum_alias);
    let tables = metadata.relations_of_kind(RelationKind::Table);
    let tables = tables.flat_map(|table| {
        [
            printer.model(table),
            printer.dictionary(table, "Insert", false),
            printer.dictionary(table, "Update", true),
        ]
    });
    let models = |kind| metadata.relations_of_kind(kind).map(|view| printer.model(view));
    let composites = metadata
        .types
        .iter()
        .filter(|one| !one.attributes.is_empty() && metadata.has_schema(&one.schema))
        .map(|one| printer.composite(one));
    let parts = [
        blocks(enums),
        blocks(tables),
        blocks(models(RelationKind::View)),
        blocks(models(RelationKind::MaterializedView)),
        blocks(composites),
    ];
    format!("{PREAMBLE}\n\n{}", parts.join("\n\n")).trim_end().to_owned()
}

fn blocks(blocks: impl Iterator<Item = String>) -> String {
    blocks.collect::<Vec<_>>().join("\n\n")
}

struct Printer<'a> {
    metadata: &'a Metadata,
}

impl Printer<'_> {
    fn model(&self, relation: &Relation) -> String {
        let lines =
            relation.columns.iter().map(|column| field(&column.name, &self.optional(column), None));
        class(&relation.schema, &relation.name, "", "BaseModel", lines)
    }

    fn dictionary(&self, table: &Relation, operation: &str, all_may_miss: bool) -> String {
        let lines = table.columns.iter().map(|column| {
            let may_miss =
                all_may_miss || column.is_nullable || column.is_identity || column.has_default;
            field(&column.name, &self.optional(column), Some(may_miss))
        });
        class(&table.schema, &table.name, operation, "TypedDict", lines)
    }

    fn composite(&self, composite: &PgType) -> String {
        let lines = composite.attributes.iter().map(|attribute| {
            let pg_type = self.metadata.types.by_id(attribute.type_id);
            let kind = pg_type.map_or("Any".to_owned(), |one| self.kind(&one.name, &one.schema));
            field(&attribute.name, &format!("Optional[{kind}]"), None)
        });
        class(&composite.schema, &composite.name, "", "BaseModel", lines)
    }

    fn optional(&self, column: &Column) -> String {
        let kind = self.kind(&column.type_name, &column.type_schema);
        if column.is_nullable { format!("Optional[{kind}]") } else { kind }
    }

    fn kind(&self, name: &str, schema: &str) -> String {
        if let Some(element) = name.strip_prefix('_') {
            return format!("List[{}]", self.kind(element, schema));
        }
        let pg_type = self.metadata.types.named(name).find(|one| one.schema == schema);
        match (pg_type, plain_type(name)) {
            (Some(pg_type), _) if !pg_type.variants.is_empty() => class_name(pg_type),
            (_, Some(plain)) => plain.to_owned(),
            (Some(pg_type), None) => class_name(pg_type),
            (None, None) => "Any".to_owned(),
        }
    }
}

fn enum_alias(one: &PgType) -> String {
    let variants: Vec<String> = one.variants.iter().map(|text| json_text(text)).collect();
    format!("{}: TypeAlias = Literal[{}]", class_name(one), variants.join(", "))
}

fn class_name(one: &PgType) -> String {
    format!("{}{}", pascal(&one.schema), pascal(&one.name))
}

fn class(
    schema: &str,
    name: &str,
    operation: &str,
    base: &str,
    lines: impl Iterator<Item = String>,
) -> String {
    let lines: Vec<String> = lines.collect();
    let body = if lines.is_empty() { "    pass".to_owned() } else { lines.join("\n") };
    format!("class {}{}{operation}({base}):\n{body}", pascal(schema), pascal(name))
}

/// A field of a model or, if `may_miss` is given, of a typed dictionary.
fn field(name: &str, kind: &str, may_miss: Option<bool>) -> String {
    let alias = format!("Field(alias={})", json_text(name));
    let name = attribute(name);
    match may_miss {
        None => format!("    {name}: {kind} = {alias}"),
        Some(false) => format!("    {name}: Annotated[{kind}, {alias}]"),
        Some(true) => format!("    {name}: NotRequired[Annotated[{kind}, {alias}]]"),
    }
}

/// Converts `PokemonCenter` into `pokemoncenter`, and `victory-road` into `victory_road`.
fn attribute(name: &str) -> String {
    let mut name_text = String::new();
    let mut is_between = false;
    for c in name.chars() {
        match (c.is_ascii_alphanumeric(), is_between) {
            (true, _) => name_text.push(c.to_ascii_lowercase()),
            (false, false) => name_text.push('_'),
            (false, true) => {}
        }
        is_between = !c.is_ascii_alphanumeric();
    }
    name_text
}

fn plain_type(name: &str) -> Option<&'static str> {
    Some(match name {
        "bool" => "bool",
        "int2" | "int4" | "int8" => "int",
        "float4" | "float8" | "numeric" => "float",
        "bytea" => "bytes",
        "bpchar" | "varchar" | "string" | "text" | "citext" | "interval" | "int4range"
        | "int4multirange" | "int8range" | "int8multirange" | "numrange" | "nummultirange"
        | "tsrange" | "tsmultirange" | "tstzrange" | "tstzmultirange" | "daterange"
        | "datemultirange" => "str",
        "date" => "datetime.date",
        "time" | "timetz" => "datetime.time",
        "timestamp" | "timestamptz" => "datetime.datetime",
        "uuid" => "uuid.UUID",
        "vector" => "list[Any]",
        "json" | "jsonb" => "JsonValue",
        "void" => "None",
        "record" => "dict[str, Any]",
        _ => return None,
    })
}
