//! Advice on a database: what its schema exposes to strangers, and what makes it slow.
//!
//! The rules are those of Splinter, the linter behind the original's advisors: names, titles,
//! levels, categories, metadata and cache keys are the same, so that tools that mute or count
//! notices by them keep working. The SQL, the texts and the fixing statements are our own.
//!
//! It does not know who reads the advice, and changes nothing.

mod rules;
mod settings;

use compat_pg::{OwnerDb, PgError};
use serde::Serialize;
use serde_json::Value;

pub use rules::{RULES, Rule};
pub use settings::SettingAdvice;

/// Schemas of the services, of extensions or of PostgreSQL, whose contents a project cannot fix.
const MANAGED: &str = "{_console,_timescaledb_cache,_timescaledb_catalog,_timescaledb_config,\
    _timescaledb_internal,auth,cron,extensions,graphql,graphql_public,information_schema,net,pgmq,\
    pgroonga,pgsodium,pgsodium_masks,pgtle,pgbouncer,pg_catalog,realtime,repack,storage,\
    supabase_functions,supabase_migrations,tiger,topology,vault}";

/// The timeout of each query on the catalog.
const TIMEOUT: &str = "10s";

/// The severity of a notice.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "UPPERCASE")]
pub enum Level {
    /// Worth knowing.
    Info,
    /// Should be fixed.
    Warn,
    /// Rows are exposed to strangers, or may become so.
    Error,
}

/// The subject of a notice.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "UPPERCASE")]
pub enum Category {
    /// Who may read and write.
    Security,
    /// How fast the database is.
    Performance,
}

/// One notice, field for field as in the original's advisors, with the statement that fixes the
/// problem.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Notice {
    /// The rule, for instance `rls_disabled_in_public`.
    pub name: &'static str,
    /// The rule's title for people.
    pub title: &'static str,
    /// The severity.
    pub level: Level,
    /// `EXTERNAL`: for the people who work on the project.
    pub facing: &'static str,
    /// The subject: always one category.
    pub categories: [Category; 1],
    /// What the rule looks for.
    pub description: &'static str,
    /// What was found.
    pub detail: String,
    /// A link to an explanation, or what to do.
    pub remediation: String,
    /// The object: `schema`, `name`, `type` and further facts of the rule.
    pub metadata: Value,
    /// Identifies this notice.
    pub cache_key: String,
    /// SQL that fixes the problem; `None` if a person has to decide.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub statement: Option<String>,
}

/// A row of a rule's SQL.
#[derive(sqlx_macros::FromRow)]
struct Finding {
    detail: String,
    metadata: Value,
    cache_key: String,
    statement: Option<String>,
}

/// Applies every rule to a database. `exposed` are the schemas that rest/v1 serves.
///
/// # Errors
/// The catalog cannot be read, or not in time.
pub async fn advise(owner: &OwnerDb, exposed: &[String]) -> Result<Vec<Notice>, PgError> {
    let mut work = owner.begin().await?;
    // With an empty search path the server writes every name with its schema.
    sqlx::query(
        "select
            set_config('search_path', '', true),
            set_config('transaction_read_only', 'on', true),
            set_config('statement_timeout', $1, true),
            set_config('pgrst.db_schemas', $2, true),
            set_config('compat.managed_schemas', $3, true)",
    )
    .bind(TIMEOUT)
    .bind(exposed.join(","))
    .bind(MANAGED)
    .execute(&mut *work)
    .await?;
    let mut notices = Vec::new();
    for rule in RULES {
        let findings: Vec<Finding> = sqlx::query_as(rule.sql).fetch_all(&mut *work).await?;
        notices.extend(findings.into_iter().map(|finding| rule.notice(finding)));
    }
    work.rollback().await?;
    Ok(notices)
}
