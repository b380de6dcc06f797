//! Substitutes for PostgreSQL extensions of projects, whose work this server does beside the
//! database: requests of `pg_net`, jobs of `pg_cron`, queues of `pgmq`, secrets of the vault and
//! webhooks of tables, under the original names.
//!
//! SQL written for these extensions runs: the functions and the readable tables are the same. A
//! request is sent after its transaction has committed, at most once; a job runs once among several
//! processes. If the server offers the real extension, that is used instead ([`missing`]). This
//! crate does not know who serves the project.

pub mod cron;
pub mod net;
pub mod vault;

use compat_pg::{OwnerDb, PgError, SchemaSource};
use include_dir::include_dir;

/// An extension with a substitute in this crate.
#[derive(Debug)]
pub struct Extension {
    /// The extension's name in `create extension`.
    pub name: &'static str,
    /// The schema and the files that create it.
    pub source: SchemaSource,
}

/// Every extension with a substitute.
pub static ALL: [Extension; 5] = [
    Extension {
        name: "pg_net",
        source: SchemaSource { schema: "net", dir: &include_dir!("$CARGO_MANIFEST_DIR/sql/net") },
    },
    Extension {
        name: "pg_cron",
        source: SchemaSource { schema: "cron", dir: &include_dir!("$CARGO_MANIFEST_DIR/sql/cron") },
    },
    Extension {
        name: "supabase_vault",
        source: SchemaSource {
            schema: "vault",
            dir: &include_dir!("$CARGO_MANIFEST_DIR/sql/vault"),
        },
    },
    Extension {
        name: "pgmq",
        source: SchemaSource { schema: "pgmq", dir: &include_dir!("$CARGO_MANIFEST_DIR/sql/pgmq") },
    },
    Extension {
        name: "supabase_functions",
        source: SchemaSource {
            schema: "supabase_functions",
            dir: &include_dir!("$CARGO_MANIFEST_DIR/sql/hooks"),
        },
    },
];

/// The extensions that the server does not offer itself.
pub async fn missing(owner: &OwnerDb) -> Result<Vec<&'static Extension>, PgError> {
    let offered = compat_pg::offered_extensions(owner).await?;
    Ok(ALL.iter().filter(|one| offered.iter().all(|name| name != one.name)).collect())
}
