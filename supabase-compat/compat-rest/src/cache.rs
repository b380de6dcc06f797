//! Loads the schema cache with a handful of concurrent catalogue queries.

mod keys;
mod lineage;
mod query_tree;
mod relations;
mod relationships;
mod routines;
mod row_keys;
mod rows;

use std::collections::HashMap;

use compat_pg::Row;
use compat_pg::{ActingDb, PgError};
use compat_rest_core::SchemaCache;
use compat_rest_core::schema::{HandlerTarget, MediaHandler, Name, QualifiedName};

use crate::config::{Config, DATABASE_SETTINGS, qualified as qualified_name};
use crate::statement;
use keys::Keys;
use lineage::Lineage;
pub use lineage::view_column_origins;
use relations::Relations;
use row_keys::RowKeys;
use rows::{text, texts};

/// The result of one load.
pub(crate) struct SchemaLoad {
    pub schema: SchemaCache,
    /// Settings of the roles that may be taken: (name, value) by role.
    pub role_settings: HashMap<String, Vec<(String, String)>>,
    /// The settings in force, those kept in the database included.
    pub config: Config,
}

/// Loads settings and schema. `version` marks the result.
pub(crate) async fn load(
    db: &ActingDb,
    config: &Config,
    version: u64,
) -> Result<SchemaLoad, PgError> {
    // Settings come first: they name the schemas that the queries below read.
    let config = in_database(db, config.clone()).await?;
    let exposed = compat_rest_core::plan::array_literal(&config.schemas);
    let searched: Vec<String> =
        config.schemas.iter().chain(&config.extra_search_path).cloned().collect();
    let searched = compat_rest_core::plan::array_literal(&searched);
    let (exposed, searched) = ([Some(exposed.as_str())], [Some(searched.as_str())]);
    let (relations, columns, keys, views) = tokio::try_join!(
        db.query_raw(include_str!("../sql/relations.sql"), &exposed),
        db.query_raw(include_str!("../sql/columns.sql"), &exposed),
        db.query_raw(include_str!("../sql/keys.sql"), &[]),
        db.query_raw(include_str!("../sql/view_definitions.sql"), &[]),
    )?;
    let (routines, representations, handlers, comments, roles) = tokio::try_join!(
        db.query_raw(include_str!("../sql/routines.sql"), &searched),
        db.query_raw(include_str!("../sql/representations.sql"), &[]),
        db.query_raw(include_str!("../sql/media_handlers.sql"), &searched),
        db.query_raw(include_str!("../sql/schema_comments.sql"), &exposed),
        db.query_raw(include_str!("../sql/roles.sql"), &[]),
    )?;
    let relations = Relations::read(&relations, &columns)?;
    let lineage = Lineage::read(&views)?;
    let keys = Keys::read(&keys)?;
    let row_keys = RowKeys::read(&views)?;
    let mut relationships = relationships::detected(&relations, &keys, &lineage);
    let (routines, computed) = routines::read(&routines, &config, &relations)?;
    relationships::add_computed(&mut relationships, computed);
    let schema = SchemaCache {
        version,
        tables: relations.into_tables(&keys, &lineage, &row_keys),
        relationships,
        routines,
        representations: read_representations(&representations)?,
        media_handlers: read_media_handlers(&handlers)?,
        schema_comments: read_comments(&comments)?,
    };
    Ok(SchemaLoad { schema, role_settings: read_roles(&roles)?, config })
}

async fn in_database(db: &ActingDb, config: Config) -> Result<Config, PgError> {
    if !config.db_config {
        return Ok(config);
    }
    let mut settings = Vec::new();
    for row in &db.query_raw(include_str!("../sql/configuration.sql"), &[]).await? {
        settings.push((text(row, "name")?, text(row, "value")?));
    }
    if let Some(function) = &config.pre_config {
        let default = config.schemas.first().map_or("public", String::as_str);
        let names = compat_rest_core::plan::array_literal(&DATABASE_SETTINGS);
        let statement = statement::made_settings(&qualified_name(function, default));
        for row in &db.query_raw(&statement, &[Some(names.as_str())]).await? {
            settings.push((text(row, "name")?, text(row, "value")?));
        }
    }
    let settings = settings.iter().map(|(name, value)| (name.as_str(), value.as_str()));
    Ok(config.with_database_settings(settings))
}

fn qualified(row: &Row, schema: &str, name: &str) -> Result<QualifiedName, PgError> {
    Ok(QualifiedName::new(text(row, schema)?, text(row, name)?))
}

fn read_representations(
    rows: &[Row],
) -> Result<HashMap<(QualifiedName, QualifiedName), QualifiedName>, PgError> {
    rows.iter()
        .map(|row| {
            let source = qualified(row, "source_schema", "source_name")?;
            let target = qualified(row, "target_schema", "target_name")?;
            Ok(((source, target), qualified(row, "function_schema", "function_name")?))
        })
        .collect()
}

fn read_media_handlers(rows: &[Row]) -> Result<Vec<MediaHandler>, PgError> {
    rows.iter()
        .map(|row| {
            let function = qualified(row, "function_schema", "function_name")?;
            let is_aggregate: bool = rows::get(row, "is_aggregate")?;
            let takes_anything: Option<bool> = rows::get(row, "takes_anything")?;
            let target = match (is_aggregate, takes_anything) {
                (false, _) => HandlerTarget::Relation(function.clone()),
                (true, Some(true)) => HandlerTarget::AnyElement,
                (true, _) => {
                    HandlerTarget::Relation(qualified(row, "relation_schema", "relation_name")?)
                }
            };
            Ok(MediaHandler {
                target,
                media_type: text(row, "media_type")?,
                aggregate: is_aggregate.then_some(function),
            })
        })
        .collect()
}

fn read_comments(rows: &[Row]) -> Result<HashMap<Name, String>, PgError> {
    let mut comments = HashMap::new();
    for row in rows {
        if let Some(description) = rows::get::<Option<String>>(row, "description")? {
            comments.insert(Name::from(text(row, "schema_name")?), description);
        }
    }
    Ok(comments)
}

fn read_roles(rows: &[Row]) -> Result<HashMap<String, Vec<(String, String)>>, PgError> {
    let mut roles: HashMap<String, Vec<(String, String)>> = HashMap::new();
    for row in rows {
        let setting = text(row, "setting")?;
        if let Some((name, value)) = setting.split_once('=') {
            let settings = roles.entry(text(row, "role_name")?).or_default();
            settings.retain(|(known, _)| known != name);
            settings.push((name.to_owned(), value.to_owned()));
        }
    }
    Ok(roles)
}

/// `SET` clauses of a function as (name, value).
fn settings(row: &Row) -> Result<Vec<(String, String)>, PgError> {
    let pairs = texts(row, "settings")?;
    Ok(pairs
        .iter()
        .filter_map(|pair| pair.split_once('='))
        .map(|(name, value)| (name.to_owned(), value.to_owned()))
        .collect())
}
