//! Checks the types into which the JSON of a statement's rows is read. PostgreSQL does not know the
//! keys of JSON, so the statement is prepared again with the columns that `row_to_json` writes.

use std::path::Path;

use sqlx::Column as _;
use syn::{Expr, Type};

use super::rows::{
    FieldKind, ResultColumn, RowField, RowReader, RowStruct, RowTypes, inner_of, last_name,
    mismatch, rust_name, type_name,
};

/// Helpers that read each row from its JSON, with what they give of it.
const HELPERS: [(&str, &str); 2] = [("rows_of", "Vec"), ("row_of", "Option")];

/// The statement with the columns of its `row_to_json(…)::text`, if it has one outside of other JSON.
pub(super) fn as_columns(text: &str) -> Option<String> {
    let (before, rest) = text.split_once("row_to_json(")?;
    let (row, after) = rest.split_once(")::text")?;
    let is_name = row.chars().all(|c| c.is_ascii_alphanumeric() || c == '_');
    is_name.then(|| format!("{before}{row}.*{after}"))
}

/// The container in which a helper of this name returns its rows.
pub(super) fn helper(function: &Expr) -> Option<&'static str> {
    let Expr::Path(path) = function else { return None };
    let name = path.path.get_ident()?;
    HELPERS.iter().find(|(helper, _)| name == helper).map(|(_, container)| *container)
}

/// The type of a helper's row, where its value is of this type.
pub(super) fn value_of<'a>(function: &Expr, ty: &'a Type, is_tried: bool) -> Option<&'a Type> {
    let container = helper(function)?;
    let value = if is_tried { Some(ty) } else { inner_of(ty, "Result") };
    inner_of(value?, container)
}

/// A struct that JSON is read into.
pub(super) fn row_struct(path: &Path, item: &syn::ItemStruct) -> RowStruct {
    let fields = item.fields.iter().filter_map(|field| {
        let mut column = field.ident.as_ref()?.to_string();
        let mut kind = FieldKind::Plain;
        for attribute in field.attrs.iter().filter(|one| one.path().is_ident("serde")) {
            let _ = attribute.parse_nested_meta(|meta| {
                if meta.path.is_ident("rename") {
                    column = meta.value()?.parse::<syn::LitStr>()?.value();
                } else if meta.path.is_ident("default") {
                    kind = FieldKind::Optional;
                } else if meta.path.is_ident("skip") {
                    kind = FieldKind::Skipped;
                }
                Ok(())
            });
        }
        Some(RowField { column, ty: field.ty.clone(), kind })
    });
    RowStruct { file: path.to_owned(), name: item.ident.to_string(), fields: fields.collect() }
}

impl RowTypes {
    /// Why rows of these columns cannot be read from their JSON, or that they can; `None` where the
    /// type is not known here.
    pub fn json_refusal(
        &self,
        path: &Path,
        reader: &RowReader,
        columns: &[ResultColumn],
    ) -> Option<Option<String>> {
        let name = last_name(reader.ty.as_ref()?)?;
        let row = self.find(&self.json_structs, path, &name)?;
        let fields = row.fields.iter().filter(|field| field.kind != FieldKind::Skipped);
        let mut refusals = fields.filter_map(|field| {
            let column = columns.iter().find(|column| column.column.name() == field.column);
            match column {
                Some(column) => field_refusal(field, column),
                None if field.kind == FieldKind::Optional => None,
                None => Some(format!("there is no column {}, which {name} reads", field.column)),
            }
        });
        Some(refusals.next())
    }
}

fn field_refusal(field: &RowField, column: &ResultColumn) -> Option<String> {
    let optional = inner_of(&field.ty, "Option");
    let rust = rust_name(&field.ty);
    if column.may_be_null && optional.is_none() {
        return Some(format!("column {} may be null, read as {rust}", column.column.name()));
    }
    let fits = kind_of_column(&type_name(&column.column)) == kind_of_rust(&rust);
    let is_known = kind_of_rust(&rust).is_some();
    (is_known && !fits).then(|| mismatch(&column.column, &rust))
}

/// The kind of JSON that a Rust type is read from; none where this module does not know it.
fn kind_of_rust(name: &str) -> Option<&'static str> {
    Some(match name {
        "bool" => "boolean",
        "i16" | "i32" | "i64" | "u16" | "u32" | "u64" | "f32" | "f64" => "number",
        "String" | "Uuid" | "DateTime<Utc>" => "string",
        _ if name.starts_with("Vec<") => "array",
        _ => return None,
    })
}

/// The kind of JSON that PostgreSQL writes for a value of a type.
fn kind_of_column(name: &str) -> Option<&'static str> {
    Some(match name {
        "BOOL" => "boolean",
        "INT2" | "INT4" | "INT8" | "FLOAT4" | "FLOAT8" | "NUMERIC" => "number",
        _ if name.ends_with("[]") => "array",
        "JSON" | "JSONB" => return None,
        _ => "string",
    })
}
