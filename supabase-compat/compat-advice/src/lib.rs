//! Advice on a database: what its schema leaves open to strangers, and what makes it slow.
//!
//! The rules are those of Splinter, the linter behind the original's advisers: names, titles, levels,
//! categories, metadata and cache keys are the same, so that a tool that mutes or counts notices by them
//! goes on doing so. The SQL, the words and the statements that mend what was found are our own.
//!
//! It does not know who is told, and changes nothing.

mod rules;
mod settings;

use compat_pg::{OwnerDb, PgError};
use serde::Serialize;
use serde_json::Value;

pub use rules::{RULES, Rule};
pub use settings::SettingAdvice;

/// Schemas that belong to the services, to extensions or to PostgreSQL, whose contents are not a
/// project's to mend.
const MANAGED: &str = "{_console,_timescaledb_cache,_timescaledb_catalog,_timescaledb_config,\
    _timescaledb_internal,auth,cron,extensions,graphql,graphql_public,information_schema,net,pgmq,\
    pgroonga,pgsodium,pgsodium_masks,pgtle,pgbouncer,pg_catalog,realtime,repack,storage,\
    supabase_functions,supabase_migrations,tiger,topology,vault}";

/// How long one look at the catalogue may take.
const PATIENCE: &str = "10s";

/// How much a notice matters.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "UPPERCASE")]
pub enum Level {
    /// Worth knowing.
    Info,
    /// Should be mended.
    Warn,
    /// Rows are open to strangers, or about to be.
    Error,
}

/// What a notice is about.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "UPPERCASE")]
pub enum Category {
    /// Who may read and write.
    Security,
    /// How fast it is.
    Performance,
}

/// One notice, field for field as the original's advisers give it, with the statement that mends it.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Notice {
    /// The rule, for instance `rls_disabled_in_public`.
    pub name: &'static str,
    /// The rule for people.
    pub title: &'static str,
    /// How much it matters.
    pub level: Level,
    /// `EXTERNAL`: for whoever works on the project.
    pub facing: &'static str,
    /// What it is about; one of them.
    pub categories: [Category; 1],
    /// What the rule looks for.
    pub description: &'static str,
    /// What was found.
    pub detail: String,
    /// Where more is written, or what to do.
    pub remediation: String,
    /// The object: `schema`, `name`, `type` and what else the rule knows of it.
    pub metadata: Value,
    /// Names this notice and no other.
    pub cache_key: String,
    /// SQL that mends it; none where somebody has to decide.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub statement: Option<String>,
}

/// What a rule's SQL gives.
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
/// The catalogue cannot be read, or not in time.
pub async fn advise(owner: &OwnerDb, exposed: &[String]) -> Result<Vec<Notice>, PgError> {
    let mut work = owner.begin().await?;
    // An empty search path has the server write every name with its schema.
    sqlx::query(
        "select
            set_config('search_path', '', true),
            set_config('transaction_read_only', 'on', true),
            set_config('statement_timeout', $1, true),
            set_config('pgrst.db_schemas', $2, true),
            set_config('compat.managed_schemas', $3, true)",
    )
    .bind(PATIENCE)
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
