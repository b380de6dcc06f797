//! What other people's extensions do inside a project's database, done by the server beside it:
//! `pg_net`'s calls, `pg_cron`'s jobs, `pgmq`'s queues, the vault's secrets and webhooks of tables, under
//! the names of theirs.
//!
//! It promises that SQL written for them runs: the same functions, the same tables to read from. A
//! call leaves after its transaction has committed, at most once; a job runs once among several
//! processes. Where the real extension is offered by the server, it is nobody's business here
//! ([`missing`]). It does not know who serves the project.

pub mod cron;
pub mod net;
pub mod vault;

use compat_pg::{OwnerDb, PgError, SchemaSource};
use include_dir::include_dir;

/// One extension whose work is done here.
#[derive(Debug)]
pub struct Extension {
    /// The name `create extension` would have.
    pub name: &'static str,
    /// Its schema.
    pub source: SchemaSource,
}

/// All of them.
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

/// Those that the server does not offer itself.
pub async fn missing(owner: &OwnerDb) -> Result<Vec<&'static Extension>, PgError> {
    let offered = compat_pg::offered_extensions(owner).await?;
    Ok(ALL.iter().filter(|one| offered.iter().all(|name| name != one.name)).collect())
}
