//! TypeScript: one type for the whole database, for `createClient<Database>` of supabase-js.

mod functions;
mod helpers;
mod layout;
mod syntax;
mod values;

use self::functions::{Overload, overloads_of};
use self::layout::Document;
use self::syntax::{Member, Type};
use self::values::Values;
use crate::model::{Column, Metadata, PgType, Relation, RelationKind, Relationship};

/// The options of the TypeScript generator.
#[derive(Debug, Clone, Default)]
pub struct TypescriptOptions {
    /// Whether each relationship states whether it is one to one.
    pub detects_one_to_one: bool,
    /// The version of PostgREST that the types state, such as `13.0.4`.
    pub postgrest_version: Option<String>,
}

const JSON: &str = "\
export type Json =
  | string
  | number
  | boolean
  | null
  | { [key: string]: Json | undefined }
  | Json[]
";

const VERSION_COMMENT: &[&str] = &[
    "// Allows to automatically instantiate createClient with right options",
    "// instead of createClient<Database, { PostgrestVersion: 'XX' }>(URL, KEY)",
];

/// Writes the types of a database in TypeScript.
pub fn typescript(metadata: &Metadata, options: &TypescriptOptions) -> String {
    let generator = Generator { metadata, options, values: Values::new(metadata) };
    format!(
        "{JSON}\n{}\n\n{}\n{}\n",
        generator.database(),
        helpers::helpers(),
        generator.constants()
    )
}

struct Generator<'a> {
    metadata: &'a Metadata,
    options: &'a TypescriptOptions,
    values: Values<'a>,
}

impl Generator<'_> {
    fn database(&self) -> String {
        let version = self.options.postgrest_version.as_deref().filter(|text| !text.is_empty());
        let version = version.map(|version| {
            let version = Member::new("PostgrestVersion", Type::Literal(version.to_owned()));
            Member::new("__InternalSupabase", Type::expanded(vec![version]))
                .with_comment(VERSION_COMMENT)
        });
        let schemas = self.metadata.schemas.iter();
        let schemas = schemas.map(|schema| Member::new(&schema.name, self.schema(&schema.name)));
        let members = version.into_iter().chain(schemas).collect();
        Document::Sequence(vec![
            Document::text("export type Database = "),
            Type::expanded(members).document(),
        ])
        .render()
    }

    fn schema(&self, schema: &str) -> Type {
        let relations = || self.metadata.relations.iter().filter(move |one| one.schema == schema);
        let overloads = overloads_of(self.metadata, schema);
        let tables = relations().filter(|relation| relation.kind.is_table());
        let tables = tables.map(|table| {
            Member::new(
                &table.name,
                Type::expanded(vec![
                    Member::new("Row", self.row(table, &overloads)),
                    Member::new("Insert", self.table_insert(table)),
                    Member::new("Update", self.table_update(table)),
                    Member::new("Relationships", self.relationships(table)),
                ]),
            )
        });
        let views = relations().filter(|relation| !relation.kind.is_table());
        let views = views.map(|view| Member::new(&view.name, self.view(view, &overloads)));
        let types = &self.metadata.types;
        let enums = types.enums_of(schema);
        let enums = enums.map(|one| Member::new(&one.name, enum_type(one)));
        let composites = types.composites_of(schema);
        let composites = composites.map(|one| Member::new(&one.name, self.composite(one)));
        let (tables, views) = (tables.collect(), views.collect());
        Type::expanded(vec![
            Member::new("Tables", Type::expanded_or_none(tables)),
            Member::new("Views", Type::expanded_or_none(views)),
            Member::new("Functions", Type::expanded_or_none(self.functions(&overloads))),
            Member::new("Enums", Type::expanded_or_none(enums.collect())),
            Member::new("CompositeTypes", Type::expanded_or_none(composites.collect())),
        ])
    }

    fn view(&self, view: &Relation, overloads: &[Overload<'_>]) -> Type {
        let mut members = vec![Member::new("Row", self.row(view, overloads))];
        let is_view = view.kind == RelationKind::View;
        for (operation, is_possible) in
            [("Insert", view.is_insertable), ("Update", view.is_updatable)]
        {
            if is_view && is_possible {
                let columns = view.columns.iter().map(|column| match column.is_updatable {
                    true => Member::optional(&column.name, or_null(self.values.of_column(column))),
                    false => Member::optional(&column.name, Type::plain("never")),
                });
                members.push(Member::new(operation, Type::expanded(columns.collect())));
            }
        }
        members.push(Member::new("Relationships", self.relationships(view)));
        Type::expanded(members)
    }

    /// The columns, followed by fields that functions compute.
    fn row(&self, relation: &Relation, overloads: &[Overload<'_>]) -> Type {
        let columns = relation.columns.iter();
        let columns = columns.map(|column| Member::new(&column.name, self.column(column)));
        let computed = overloads.iter().filter(|overload| overload.computes_field_of(relation));
        let computed = computed.map(|overload| {
            let value = or_null(self.values.returned(overload.function));
            Member::new(&overload.function.name, value)
        });
        Type::expanded(columns.chain(computed).collect())
    }

    fn column(&self, column: &Column) -> Type {
        self.values.of_column_with_null(column)
    }

    fn table_insert(&self, table: &Relation) -> Type {
        self.table_write(table, |column| {
            column.is_nullable || column.is_identity || column.has_default
        })
    }

    fn table_update(&self, table: &Relation) -> Type {
        self.table_write(table, |_| true)
    }

    fn table_write(&self, table: &Relation, is_optional: impl Fn(&Column) -> bool) -> Type {
        let columns = table.columns.iter().map(|column| {
            if column.is_always_identity || column.is_generated {
                Member::optional(&column.name, Type::plain("never"))
            } else if is_optional(column) {
                Member::optional(&column.name, self.column(column))
            } else {
                Member::new(&column.name, self.column(column))
            }
        });
        Type::expanded(columns.collect())
    }

    /// The relationships of a relation with relations of the same schema.
    fn relationships(&self, relation: &Relation) -> Type {
        let own = self.metadata.relationships.iter().filter(|one| {
            one.schema == relation.schema
                && one.relation == relation.name
                && one.target_schema == relation.schema
        });
        Type::Tuple(own.map(|one| self.relationship(one)).collect())
    }

    fn relationship(&self, relationship: &Relationship) -> Type {
        let names =
            |names: &[String]| Type::Tuple(names.iter().cloned().map(Type::Literal).collect());
        let key = Type::Literal(relationship.foreign_key.clone());
        let mut members = vec![
            Member::new("foreignKeyName", key),
            Member::new("columns", names(&relationship.columns)),
        ];
        if self.options.detects_one_to_one {
            let value = Type::plain(relationship.is_one_to_one.to_string());
            members.push(Member::new("isOneToOne", value));
        }
        members.push(Member::new("referencedRelation", Type::Literal(relationship.target.clone())));
        members.push(Member::new("referencedColumns", names(&relationship.target_columns)));
        Type::expanded(members)
    }

    fn composite(&self, composite: &PgType) -> Type {
        let fields = composite.attributes.iter().map(|attribute| {
            Member::new(&attribute.name, or_null(self.values.of_type(attribute.type_id)))
        });
        Type::expanded(fields.collect())
    }

    fn constants(&self) -> String {
        let schemas = self.metadata.schemas.iter().map(|schema| {
            let enums = self.metadata.types.enums_of(&schema.name).map(|one| {
                let variants = one.variants.iter();
                let variants = variants.map(|text| Document::text(syntax::literal(text))).collect();
                let list = syntax::list(variants, ",");
                property(&one.name, syntax::enclosed("[", Document::SoftLine, list, "]"))
            });
            let enums = property("Enums", constant_object(enums.collect()));
            property(&schema.name, constant_object(vec![enums]))
        });
        Document::Sequence(vec![
            Document::text("export const Constants = "),
            constant_object(schemas.collect()),
            Document::text(" as const"),
        ])
        .render()
    }
}

fn enum_type(one: &PgType) -> Type {
    Type::union(one.variants.iter().cloned().map(Type::Literal))
}

/// A value that may be null; `unknown` already includes null.
fn or_null(value: Type) -> Type {
    match &value {
        Type::Plain(text) if text == "unknown" => value,
        _ => Type::union([value, Type::plain("null")]),
    }
}

fn property(name: &str, value: Document) -> Document {
    Document::Sequence(vec![Document::text(format!("{}: ", syntax::key(name))), value])
}

fn constant_object(properties: Vec<Document>) -> Document {
    if properties.is_empty() {
        return Document::text("{}");
    }
    let separator = [Document::text(","), Document::HardLine];
    let mut parts = Document::joined(properties, &separator);
    parts.push(Document::text(","));
    syntax::enclosed("{", Document::HardLine, parts, "}")
}
