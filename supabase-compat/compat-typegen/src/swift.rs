//! Swift: an enum for each schema, which contains its enums and a struct for each relation and
//! operation.

use std::str::FromStr;

use crate::model::{Column, Metadata, PgType, Relation, RelationKind};
use crate::names::{capitalized, words};

/// The access level of the declarations.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum AccessControl {
    #[default]
    Internal,
    Public,
    Private,
    Package,
}

impl AccessControl {
    /// The Swift keyword.
    pub fn name(self) -> &'static str {
        match self {
            Self::Internal => "internal",
            Self::Public => "public",
            Self::Private => "private",
            Self::Package => "package",
        }
    }
}

impl FromStr for AccessControl {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        [Self::Internal, Self::Public, Self::Private, Self::Package]
            .into_iter()
            .find(|one| one.name() == text)
            .ok_or_else(|| format!("{text:?} is none of internal, public, private and package"))
    }
}

/// Writes the types of a database in Swift.
pub fn swift(metadata: &Metadata, access: AccessControl) -> String {
    let mut printer = Printer { metadata, access: access.name(), lines: Vec::new() };
    printer.lines.extend(["import Foundation", "import Supabase", ""].map(str::to_owned));
    for schema in &metadata.schemas {
        printer.schema(&schema.name);
    }
    printer.lines.join("\n")
}

struct Printer<'a> {
    metadata: &'a Metadata,
    access: &'static str,
    lines: Vec<String>,
}

/// A property of a struct, and its name in JSON.
struct Property {
    name: String,
    kind: String,
    raw_name: String,
    is_identity: bool,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Operation {
    Select,
    Insert,
    Update,
}

impl Printer<'_> {
    fn schema(&mut self, schema: &str) {
        let metadata = self.metadata;
        self.lines.push(format!("{} enum {}Schema {{", self.access, type_name(schema)));
        for one in metadata.types.enums_of(schema) {
            let cases = one.variants.iter().map(|text| (property_name(text), text.as_str()));
            self.enumeration(
                1,
                &type_name(&one.name),
                "String, Codable, Hashable, Sendable",
                cases,
            );
        }
        let relations = || metadata.relations.iter().filter(move |one| one.schema == schema);
        for table in relations().filter(|relation| relation.kind.is_table()) {
            for operation in [Operation::Select, Operation::Insert, Operation::Update] {
                self.relation(table, operation);
            }
        }
        for view in relations().filter(|relation| !relation.kind.is_table()) {
            self.relation(view, Operation::Select);
        }
        for one in metadata.types.composites_of(schema) {
            let properties = one.attributes.iter().map(|attribute| {
                let pg_type = metadata.types.by_id(attribute.type_id);
                Property {
                    name: type_name(&attribute.name),
                    kind: self.kind(pg_type.map_or("", |one| &one.format)),
                    raw_name: attribute.name.clone(),
                    is_identity: false,
                }
            });
            let properties: Vec<Property> = properties.collect();
            self.structure(&type_name(&one.name), &properties);
        }
        self.lines.push("}".to_owned());
    }

    fn relation(&mut self, relation: &Relation, operation: Operation) {
        let properties = relation.columns.iter().map(|column| {
            let mark = if is_optional(column, operation) { "?" } else { "" };
            Property {
                name: property_name(&column.name),
                kind: format!("{}{mark}", self.kind(&column.type_name)),
                raw_name: column.name.clone(),
                is_identity: column.is_identity,
            }
        });
        let properties: Vec<Property> = properties.collect();
        self.structure(&format!("{}{operation:?}", type_name(&relation.name)), &properties);
    }

    fn structure(&mut self, name: &str, properties: &[Property]) {
        let access = self.access;
        let identity = properties.iter().find(|property| property.is_identity);
        let identifiable = if identity.is_some() { ", Identifiable" } else { "" };
        self.lines.push(format!(
            "  {access} struct {name}: Codable, Hashable, Sendable{identifiable} {{"
        ));
        if let Some(Property { name, kind, .. }) = identity.filter(|property| property.name != "id")
        {
            self.lines.push(format!("    {access} var id: {kind} {{ {name} }}"));
        }
        for Property { name, kind, .. } in properties {
            self.lines.push(format!("    {access} let {name}: {kind}"));
        }
        if !properties.is_empty() {
            let cases = properties.iter();
            let cases = cases.map(|property| (property.name.clone(), property.raw_name.as_str()));
            self.enumeration(2, "CodingKeys", "String, CodingKey", cases);
        }
        self.lines.push("  }".to_owned());
    }

    fn enumeration<'a>(
        &mut self,
        level: usize,
        name: &str,
        protocols: &str,
        cases: impl Iterator<Item = (String, &'a str)>,
    ) {
        let indent = "  ".repeat(level);
        self.lines.push(format!("{indent}{} enum {name}: {protocols} {{", self.access));
        for (name, value) in cases {
            self.lines.push(format!("{indent}  case {name} = {}", literal(value)));
        }
        self.lines.push(format!("{indent}}}"));
    }

    fn kind(&self, name: &str) -> String {
        if let Some(plain) = plain_type(name) {
            return plain.to_owned();
        }
        if let Some(element) = name.strip_prefix('_') {
            return format!("[{}]", self.kind(element));
        }
        let metadata = self.metadata;
        let is_enum = |one: &PgType| !one.variants.is_empty();
        let is_relation = || {
            metadata.relations.iter().any(|one| {
                one.name == name && matches!(one.kind, RelationKind::View | RelationKind::Table)
            })
        };
        match metadata.types.named(name).next() {
            Some(_) if metadata.types.named(name).any(is_enum) => type_name(name),
            Some(_) => format!("{}Select", type_name(name)),
            None if is_relation() => format!("{}Select", type_name(name)),
            None => "AnyJSON".to_owned(),
        }
    }
}

fn is_optional(column: &Column, operation: Operation) -> bool {
    match operation {
        Operation::Select => column.is_nullable,
        Operation::Insert => {
            column.is_nullable || column.is_identity || column.is_generated || column.has_default
        }
        Operation::Update => true,
    }
}

fn plain_type(name: &str) -> Option<&'static str> {
    Some(match name {
        "bool" => "Bool",
        "int2" => "Int16",
        "int4" => "Int32",
        "int8" => "Int64",
        "float4" => "Float",
        "float8" => "Double",
        "numeric" | "decimal" => "Decimal",
        "uuid" => "UUID",
        "bytea" | "bpchar" | "varchar" | "date" | "text" | "citext" | "time" | "timetz"
        | "timestamp" | "timestamptz" | "interval" | "vector" => "String",
        "json" | "jsonb" => "AnyJSON",
        "void" => "Void",
        "record" => "JSONObject",
        _ => return None,
    })
}

/// A string literal. Characters that some programs treat as line breaks are escaped, and so is the
/// start of an interpolation.
fn literal(value: &str) -> String {
    let mut text = String::from('"');
    for c in value.chars() {
        match c {
            '\\' => text.push_str("\\\\"),
            '"' => text.push_str("\\\""),
            '\t' => text.push_str("\\t"),
            '\n' => text.push_str("\\n"),
            '\r' => text.push_str("\\r"),
            c if c < ' ' || matches!(c, '\u{7f}' | '\u{2028}' | '\u{2029}') => {
                text.push_str(&format!("\\u{{{:x}}}", u32::from(c)));
            }
            c => text.push(c),
        }
    }
    text.push('"');
    text
}

/// Converts `pokemon_center` into `PokemonCenter`; an underscore at the start stays.
fn type_name(name: &str) -> String {
    let (prefix, rest) = match name.strip_prefix('_') {
        Some(rest) => ("_", rest),
        None => ("", name),
    };
    format!("{prefix}{}", words(rest).map(capitalized).collect::<String>())
}

/// Converts `pokemon_center` into `pokemonCenter`.
fn property_name(name: &str) -> String {
    let mut identifier = String::new();
    for (place, word) in words(name).enumerate() {
        let word = word.to_ascii_lowercase();
        identifier.push_str(&if place == 0 { word } else { capitalized(&word) });
    }
    match identifier.as_str() {
        "in" | "default" | "case" => format!("`{identifier}`"),
        _ => identifier,
    }
}
