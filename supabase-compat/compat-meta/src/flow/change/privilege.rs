//! Privileges on relations and columns.

use serde_json::Value;

use crate::MetaError;
use crate::flow::catalog::Kind;
use crate::model::{Fields, identifier, literal};
use crate::store::relation::Selection;

const OF_RELATIONS: [&str; 9] = [
    "ALL",
    "SELECT",
    "INSERT",
    "UPDATE",
    "DELETE",
    "TRUNCATE",
    "REFERENCES",
    "TRIGGER",
    "MAINTAIN",
];
const OF_COLUMNS: [&str; 5] = ["ALL", "SELECT", "INSERT", "UPDATE", "REFERENCES"];

/// The statements for a list of grants or revocations, and the selection of the objects concerned.
pub(super) fn change(
    kind: Kind,
    grants: bool,
    body: &Value,
) -> Result<(String, Selection), MetaError> {
    let (mut lines, mut ids) = (String::new(), Vec::new());
    let column = if kind == Kind::ColumnPrivileges { "column_id" } else { "relation_id" };
    for fields in Fields::of_each(body)? {
        let id = fields.required(column)?;
        lines += &match kind {
            Kind::ColumnPrivileges => of_column(&fields, &id, grants)?,
            _ => of_relation(&fields, &id, grants)?,
        };
        ids.push(id);
    }
    // Quoted as a literal, because a name may contain the delimiter of a dollar-quoted string.
    let statements = format!("do {}", literal(&format!("begin {lines} end")));
    Ok((statements, Selection::among(column, &ids)))
}

fn of_relation(fields: &Fields<'_>, id: &str, grants: bool) -> Result<String, MetaError> {
    let privilege = privilege(fields, &OF_RELATIONS)?;
    let id = number(id)?;
    let ending = ending(fields, grants)?;
    let word = if grants { "grant" } else { "revoke" };
    Ok(format!(
        "execute {} || {id}::regclass::text || {}; ",
        literal(&format!("{word} {privilege} on table ")),
        literal(&format!(" {ending}"))
    ))
}

fn of_column(fields: &Fields<'_>, id: &str, grants: bool) -> Result<String, MetaError> {
    let privilege = privilege(fields, &OF_COLUMNS)?;
    let wrong =
        || MetaError::Invalid("body/column_id must match pattern \"^(\\d+)\\.(\\d+)$\"".to_owned());
    let (table, place) = id.split_once('.').ok_or_else(wrong)?;
    let (table, place) = (number(table)?, number(place)?);
    let ending = ending(fields, grants)?;
    let word = if grants { "grant" } else { "revoke" };
    Ok(format!(
        "execute (select {} || quote_ident(a.attname) || ') on ' || a.attrelid::regclass::text || {} \
         from pg_catalog.pg_attribute as a where a.attrelid = {table} and a.attnum = {place}); ",
        literal(&format!("{word} {privilege} (")),
        literal(&format!(" {ending}"))
    ))
}

fn privilege(fields: &Fields<'_>, choices: &[&'static str]) -> Result<&'static str, MetaError> {
    fields.required("privilege_type")?;
    Ok(fields.choice("privilege_type", choices)?.unwrap_or_default())
}

fn ending(fields: &Fields<'_>, grants: bool) -> Result<String, MetaError> {
    let grantee = fields.required("grantee")?;
    let grantee = match grantee.eq_ignore_ascii_case("public") {
        true => "public".to_owned(),
        false => identifier(&grantee),
    };
    let with_option = grants && fields.flag("is_grantable")?.unwrap_or_default();
    Ok(match (grants, with_option) {
        (true, true) => format!("to {grantee} with grant option"),
        (true, false) => format!("to {grantee}"),
        (false, _) => format!("from {grantee}"),
    })
}

fn number(text: &str) -> Result<u32, MetaError> {
    let wrong = |_| MetaError::Invalid("body/relation_id must be integer".to_owned());
    text.parse().map_err(wrong)
}
