//! Roles.

use serde_json::Value;

use super::{Creation, text_of};
use crate::MetaError;
use crate::model::{Fields, identifier, literal};
use crate::store::relation::Selection;

/// The fields of a role, with the SQL for true and for false and the default of a new role.
const ATTRIBUTES: [(&str, &str, &str, bool); 7] = [
    ("is_superuser", "superuser", "nosuperuser", false),
    ("can_create_db", "createdb", "nocreatedb", false),
    ("can_create_role", "createrole", "nocreaterole", false),
    ("inherit_role", "inherit", "noinherit", true),
    ("can_login", "login", "nologin", false),
    ("is_replication_role", "replication", "noreplication", false),
    ("can_bypass_rls", "bypassrls", "nobypassrls", false),
];

pub(super) fn create(fields: &Fields<'_>) -> Result<Creation, MetaError> {
    let name = fields.required("name")?;
    let mut clauses = attributes(fields, true)?;
    if fields.integer("connection_limit")?.is_none() {
        clauses.push("connection limit -1".to_owned());
    }
    for (field, words) in [("member_of", "in role"), ("members", "role"), ("admins", "admin")] {
        if let Some(roles) = fields.texts(field)? {
            let roles: Vec<String> = roles.iter().map(|role| identifier(role)).collect();
            clauses.push(format!("{words} {}", roles.join(", ")));
        }
    }
    let role = identifier(&name);
    let mut statements = format!("create role {role} with {};", clauses.join(" "));
    for (setting, value) in fields.settings("config")? {
        if !setting.is_empty() && !value.is_empty() {
            statements += &set(&role, &setting, &value);
        }
    }
    Ok(Creation {
        statements,
        selection: Selection::equal("name", &name),
        missing: format!("Cannot find a role named {name}"),
    })
}

/// The name is changed last.
pub(super) fn update(fields: &Fields<'_>, old: &Value) -> Result<String, MetaError> {
    let role = identifier(text_of(old, "name"));
    let clauses = attributes(fields, false)?;
    let mut statements = String::new();
    if !clauses.is_empty() {
        statements += &format!("alter role {role} {};", clauses.join(" "));
    }
    for change in fields.objects("config")?.unwrap_or_default() {
        let setting = change.required("path")?;
        match change.choice("op", &["add", "replace", "remove"])? {
            Some("remove") => {
                statements += &format!("alter role {role} reset {};", identifier(&setting));
            }
            Some(_) => statements += &set(&role, &setting, &change.text_or("value", "")?),
            None => {
                let text = "body/config must have required property 'op'";
                return Err(MetaError::Invalid(text.to_owned()));
            }
        }
    }
    if let Some(name) = fields.text("name")? {
        statements += &format!("alter role {role} rename to {};", identifier(&name));
    }
    Ok(statements)
}

pub(super) fn remove(old: &Value) -> String {
    format!("drop role {}", identifier(text_of(old, "name")))
}

fn attributes(fields: &Fields<'_>, is_new: bool) -> Result<Vec<String>, MetaError> {
    let mut clauses = Vec::new();
    for (field, when_true, when_false, by_default) in ATTRIBUTES {
        let flag = fields.flag(field)?.or(is_new.then_some(by_default));
        clauses.extend(flag.map(|flag| if flag { when_true } else { when_false }.to_owned()));
    }
    if let Some(limit) = fields.integer("connection_limit")? {
        clauses.push(format!("connection limit {limit}"));
    }
    if let Some(password) = fields.text("password")? {
        clauses.push(format!("password {}", literal(&password)));
    }
    if let Some(until) = fields.text("valid_until")? {
        clauses.push(format!("valid until {}", literal(&until)));
    }
    Ok(clauses)
}

/// Sets a setting of a role; each part of a list is quoted separately.
fn set(role: &str, setting: &str, value: &str) -> String {
    let parts: Vec<String> = value.split(',').map(|part| literal(part.trim())).collect();
    // The name of an extension's setting contains a point.
    let setting: Vec<String> = setting.split('.').map(identifier).collect();
    format!("alter role {role} set {} = {};", setting.join("."), parts.join(", "))
}
