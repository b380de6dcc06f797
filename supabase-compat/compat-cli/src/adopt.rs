//! Imports a dump of a project from another platform into a database of this program and takes its
//! schemas over: accounts, objects and rows, with the ledgers of the migrations that created them.
//!
//! What this program creates itself (extensions, their schemas, event triggers) is left out of the
//! dump.

use std::fs;
use std::path::Path;

use compat_pg::{OwnerDb, PgError, PreexistingObjects};
use compat_stack::{ConnectedDatabase, Settings, StackError, database, print_line};

use crate::{ProjectError, ProjectFiles};
use compat_stack::backup::{BackupError, Programs, at, blocking};

/// Schemas of the platform that projects do not use directly.
const PLATFORMS: [&str; 7] =
    ["pgbouncer", "graphql", "pgsodium", "pgsodium_masks", "_realtime", "_analytics", "_supavisor"];
/// Kinds of dump entries that are always left out.
const KINDS: [&str; 4] = ["EVENT TRIGGER", "PUBLICATION", "SUBSCRIPTION", "DATABASE"];
/// The one publication that exists already.
const PUBLICATION: &str = "supabase_realtime";

/// Why the import failed.
#[derive(Debug, thiserror::Error)]
pub enum AdoptError {
    /// The dump cannot be read or restored.
    #[error(transparent)]
    Dump(#[from] BackupError),
    /// The database cannot be opened or prepared.
    #[error(transparent)]
    Reach(#[from] StackError),
    /// A statement failed.
    #[error("database: {0}")]
    Database(#[from] PgError),
    /// The project's files cannot be used.
    #[error(transparent)]
    Project(#[from] ProjectError),
}

/// Imports a dump in PostgreSQL's custom format into an unused database, which then counts as
/// seeded.
///
/// # Errors
/// The database is in use, or a part of the dump is refused: then none of it is kept.
pub async fn adopt(
    settings: &Settings,
    files: &ProjectFiles,
    dump: &Path,
) -> Result<(), AdoptError> {
    fs::metadata(dump).map_err(at(dump))?;
    let connected = ConnectedDatabase::open(settings).await?;
    let done = fill(settings, &connected, files, dump).await;
    connected.leave().await;
    done
}

async fn fill(
    settings: &Settings,
    connected: &ConnectedDatabase,
    files: &ProjectFiles,
    dump: &Path,
) -> Result<(), AdoptError> {
    let programs = Programs::find(settings.database.bin_dir.as_deref(), connected.major)?;
    let path = dump.to_owned();
    let (programs, entries) =
        blocking(move || programs.entries(&path).map(|entries| (programs, entries))).await?;
    if !is_unused(&connected.owner).await? {
        let message = "the database has been used: a dump is taken over before the first start, or \
                    into another --data-dir";
        return Err(BackupError::Taken(message.to_owned()).into());
    }
    // The dump contains the services' schemas, so only what they depend on is created before it;
    // `prepare` then migrates them.
    database::prepare_ground(settings, &connected.owner).await?;
    let entries_to_restore =
        EntryFilter(PreexistingObjects::prepare(&connected.owner).await?).filter(&entries);
    let (url, path) = (connected.url.clone(), dump.to_owned());
    blocking(move || programs.restore_some(&url, &path, &entries_to_restore)).await?;
    database::prepare(settings, &connected.owner, &[]).await?;
    files.adopt(&connected.owner).await?;
    print_line("Taken over.");
    if connected.owner.answers("select exists (select from storage.objects)").await? {
        print_line("A dump has no bytes of objects: upload them under their names.");
    }
    Ok(())
}

/// Whether the schemas of a project have no tables of their own yet.
async fn is_unused(owner: &OwnerDb) -> Result<bool, PgError> {
    owner
        .answers(
            "select not exists (
               select from pg_catalog.pg_class c
               join pg_catalog.pg_namespace n on n.oid = c.relnamespace
               where n.nspname in ('auth', 'storage', 'public', 'supabase_migrations')
                 and c.relkind in ('r', 'p', 'm')
                 and not exists (
                   select from pg_catalog.pg_depend d
                   where d.classid = 'pg_catalog.pg_class'::regclass
                     and d.objid = c.oid and d.deptype = 'e'))",
        )
        .await
}

/// Selects entries of a dump, given the objects that exist already.
struct EntryFilter(PreexistingObjects);

impl EntryFilter {
    /// The lines of the dump's contents that are restored.
    fn filter(&self, entries: &str) -> String {
        let lines = entries.lines().filter(|line| Entry::read(line).is_none_or(|e| self.wants(&e)));
        lines.map(|line| format!("{line}\n")).collect()
    }

    fn wants(&self, entry: &Entry<'_>) -> bool {
        let is_ours = |schema: &str| {
            PLATFORMS.contains(&schema) || self.0.schemas.iter().any(|known| known == schema)
        };
        match (entry.kind.as_str(), entry.schema, entry.rest.as_slice()) {
            ("EXTENSION", _, [name, ..]) => {
                let is_offered = self.0.extensions.iter().any(|known| known == name);
                // This program does the work of such an extension, so leaving it out needs no
                // message.
                if !is_offered && compat_extensions::ALL.iter().all(|one| one.name != *name) {
                    print_line(&format!(
                        "Left out: the server does not offer the extension {name}."
                    ));
                }
                is_offered
            }
            ("COMMENT", _, ["EXTENSION", ..]) => false,
            ("SCHEMA", _, [name, ..]) => *name != "public" && !is_ours(name),
            ("ACL" | "COMMENT", "-", ["SCHEMA", name, ..]) => !is_ours(name),
            ("PUBLICATION TABLE", schema, [publication, ..]) => {
                *publication == PUBLICATION && !is_ours(schema)
            }
            // A project's policy on a table that is created again.
            ("POLICY", "realtime", ["messages", ..]) => true,
            (kind, schema, _) => {
                !KINDS.iter().any(|left| kind.starts_with(left)) && !is_ours(schema)
            }
        }
    }
}

/// One line of a dump's contents: `<number>; <oid> <oid> <KIND> <schema> <values>`.
#[derive(Debug, PartialEq, Eq)]
struct Entry<'a> {
    kind: String,
    schema: &'a str,
    rest: Vec<&'a str>,
}

impl<'a> Entry<'a> {
    fn read(line: &'a str) -> Option<Self> {
        let (number, rest) = line.split_once("; ")?;
        number.parse::<u64>().ok()?;
        let mut words = rest.split(' ').skip(2).peekable();
        let mut kind = Vec::new();
        let is_of_kind = |word: &str| word.bytes().all(|byte| byte.is_ascii_uppercase());
        while let Some(word) = words.next_if(|word| is_of_kind(word)) {
            kind.push(word);
        }
        Some(Self { kind: kind.join(" "), schema: words.next()?, rest: words.collect() })
    }
}

#[cfg(test)]
mod tests {
    use compat_testkit::property_test;

    use super::*;

    fn choice() -> EntryFilter {
        let own = |names: &[&str]| names.iter().map(|&name| name.to_owned()).collect();
        EntryFilter(PreexistingObjects {
            schemas: own(&["net", "extensions", "realtime"]),
            extensions: own(&["vector"]),
        })
    }

    #[test]
    fn adoption_skips_objects_that_exist() {
        let is_brought = |line: &str| choice().filter(line) == format!("{line}\n");
        for line in [
            ";",
            "; Dumped from database version: 15.8",
            "7; 2615 16 SCHEMA - auth supabase_admin",
            "8; 1259 17 TABLE auth users supabase_auth_admin",
            "9; 0 17 TABLE DATA public notes postgres",
            "10; 3256 19 POLICY storage objects people have a folder supabase_storage_admin",
            "10; 3256 19 POLICY realtime messages members listen supabase_realtime_admin",
            "11; 0 0 ACL - SCHEMA public pg_database_owner",
            "12; 3079 20 EXTENSION - vector",
            "13; 6106 21 PUBLICATION TABLE public supabase_realtime notes postgres",
            "14; 826 22 DEFAULT ACL public DEFAULT PRIVILEGES FOR TABLES postgres",
        ] {
            assert!(is_brought(line), "{line}");
        }
        for line in [
            "7; 2615 16 SCHEMA - public pg_database_owner",
            "7; 2615 16 SCHEMA - net supabase_admin",
            "8; 1259 17 TABLE net http_request_queue supabase_admin",
            "9; 0 0 ACL - SCHEMA extensions postgres",
            "10; 1255 18 FUNCTION pgbouncer get_auth(text) supabase_admin",
            "12; 3079 20 EXTENSION - pg_net",
            "12; 0 0 COMMENT - EXTENSION vector",
            "13; 6104 21 PUBLICATION - supabase_realtime postgres",
            "13; 6106 21 PUBLICATION TABLE public other notes postgres",
            "14; 3466 22 EVENT TRIGGER - pgrst_ddl_watch supabase_admin",
        ] {
            assert!(!is_brought(line), "{line}");
        }
    }

    #[test]
    fn random_contents_keep_unknown_lines() {
        property_test("contents of dumps", "[0-9; A-Za-z_(),-]{0,60}", |line| {
            let is_entry = Entry::read(&line).is_some();
            assert!(is_entry || choice().filter(&line).trim_end() == line.trim_end());
        });
    }
}
