//! Creates, changes and drops objects. The statements of a change are sent as one text, which the
//! server runs as one transaction; the object is read before and after it on the same session.

mod column;
mod extension;
mod function;
mod policy;
mod privilege;
mod publication;
mod role;
mod schema;
mod table;
mod trigger;

use compat_pg::{Session, SessionDb};
use serde_json::Value;

use super::catalog::{self, Kind};
use super::query::{self, QueryRules};
use crate::MetaError;
use crate::model::Fields;
use crate::store::relation::Selection;

/// A change of an object or of privileges.
#[derive(Debug)]
pub(crate) enum Change<'a> {
    /// Creates an object.
    Create { kind: Kind, body: &'a Value },
    /// Changes the object with this number or name.
    Update { kind: Kind, id: &'a str, body: &'a Value },
    /// Drops the object, with dependent objects if `cascades` is set.
    Remove { kind: Kind, id: &'a str, cascades: bool },
    /// Grants or revokes privileges on relations or columns.
    Privileges { kind: Kind, grants: bool, body: &'a Value },
}

/// The statements that create an object, and the selection that finds it.
struct Creation {
    statements: String,
    selection: Selection,
    /// The error text if the object is not found.
    missing: String,
}

/// Applies a change; returns the object as it is afterwards, or as it was before it was dropped.
pub(crate) async fn change(
    sessions: &SessionDb,
    change: &Change<'_>,
    rules: &QueryRules,
) -> Result<Value, MetaError> {
    let mut session = sessions.open(&rules.session).await?;
    let limit = rules.session.bytes;
    match change {
        Change::Create { kind, body } => create(&mut session, *kind, body, limit).await,
        Change::Update { kind, id, body } => update(&mut session, *kind, id, body, limit).await,
        Change::Remove { kind, id, cascades } => {
            remove(&mut session, *kind, id, *cascades, limit).await
        }
        Change::Privileges { kind, grants, body } => {
            let (statements, selection) = privilege::change(*kind, *grants, body)?;
            run(&mut session, &statements).await?;
            catalog::select(&mut session, *kind, &selection, limit).await.map(Value::Array)
        }
    }
}

async fn create(
    session: &mut Session,
    kind: Kind,
    body: &Value,
    limit: usize,
) -> Result<Value, MetaError> {
    let fields = Fields::of(body)?;
    let creation = match kind {
        Kind::Schemas => schema::create(&fields)?,
        Kind::Tables => table::create(&fields)?,
        Kind::Columns => {
            let id = fields.required("table_id")?;
            let table = catalog::by_id(session, Kind::Tables, &id, limit).await?;
            column::create(&fields, &table)?
        }
        Kind::Functions => function::create(&fields)?,
        Kind::Policies => policy::create(&fields)?,
        Kind::Triggers => trigger::create(&fields)?,
        Kind::Roles => role::create(&fields)?,
        Kind::Publications => publication::create(&fields)?,
        Kind::Extensions => extension::create(&fields)?,
        _ => return Err(MetaError::NotFound),
    };
    run(session, &creation.statements).await?;
    let object = catalog::select(session, kind, &creation.selection, limit).await?;
    // Of functions with the same name, the newest is the created one.
    object.into_iter().next_back().ok_or(MetaError::Missing(creation.missing))
}

async fn update(
    session: &mut Session,
    kind: Kind,
    id: &str,
    body: &Value,
    limit: usize,
) -> Result<Value, MetaError> {
    let fields = Fields::of(body)?;
    let old = catalog::by_id(session, kind, id, limit).await?;
    let statements = match kind {
        Kind::Schemas => schema::update(&fields, &old)?,
        Kind::Tables => table::update(&fields, &old)?,
        Kind::Columns => {
            let check = column_check(session, &fields, &old).await?;
            column::update(&fields, &old, check.as_deref())?
        }
        Kind::Functions => function::update(&fields, &old)?,
        Kind::Policies => policy::update(&fields, &old)?,
        Kind::Triggers => trigger::update(&fields, &old)?,
        Kind::Roles => role::update(&fields, &old)?,
        Kind::Publications => publication::update(&fields, &old)?,
        Kind::Extensions => extension::update(&fields, &old)?,
        _ => return Err(MetaError::NotFound),
    };
    run(session, &statements).await?;
    if kind != Kind::Publications {
        return catalog::by_id(session, kind, id, limit).await;
    }
    // A publication that was created again has another number.
    let name = fields.text_or("name", text_of(&old, "name"))?;
    let selection = Selection::equal("name", &name);
    let object = catalog::select(session, kind, &selection, limit).await?.into_iter().next();
    object.ok_or_else(|| MetaError::Missing(format!("Cannot find a publication named {name}")))
}

async fn remove(
    session: &mut Session,
    kind: Kind,
    id: &str,
    cascades: bool,
    limit: usize,
) -> Result<Value, MetaError> {
    let old = catalog::by_id(session, kind, id, limit).await?;
    let statements = match kind {
        Kind::Schemas => schema::remove(&old, cascades),
        Kind::Tables => table::remove(&old, cascades),
        Kind::Columns => column::remove(&old, cascades),
        Kind::Functions => function::remove(&old),
        Kind::Policies => policy::remove(&old),
        Kind::Triggers => trigger::remove(&old, cascades),
        Kind::Roles => role::remove(&old),
        Kind::Publications => publication::remove(&old),
        Kind::Extensions => extension::remove(&old, cascades),
        _ => return Err(MetaError::NotFound),
    };
    run(session, &statements).await?;
    Ok(old)
}

/// The name of the check constraint that an update of a column replaces.
async fn column_check(
    session: &mut Session,
    fields: &Fields<'_>,
    old: &Value,
) -> Result<Option<String>, MetaError> {
    if fields.value("check").is_none() {
        return Ok(None);
    }
    session.query(&column::check_of(old)).await?;
    let body = query::rows(session, usize::MAX).await?;
    let rows: Value = serde_json::from_slice(&body).unwrap_or_default();
    Ok(rows[0]["conname"].as_str().map(str::to_owned))
}

async fn run(session: &mut Session, statements: &str) -> Result<(), MetaError> {
    session.query(statements).await?;
    Ok(session.finish().await?)
}

/// A text field of an object; empty if the object has none.
fn text_of<'a>(object: &'a Value, name: &str) -> &'a str {
    object[name].as_str().unwrap_or_default()
}

/// The drop behaviour as SQL.
fn behaviour(cascades: bool) -> &'static str {
    if cascades { "cascade" } else { "restrict" }
}
