//! Finds out which migrations a backup contains, before any of it is restored.

use std::collections::HashMap;
use std::path::Path;

use compat_pg::SchemaSource;

use super::{BackupError, DUMP, Programs, at, open};

/// In a plain-text dump, the texts around the schema's name that precede the rows of a ledger.
const BEFORE_NAME: &str = "COPY ";
const AFTER_NAME: &str = ".compat_migrations (version, ";
/// The line after the last row.
const END: &str = "\\.";

/// Refuses a backup from before a baseline that this program cannot upgrade.
pub(super) fn accept(
    file: &Path,
    programs: &Programs,
    sources: &[SchemaSource],
) -> Result<(), BackupError> {
    let mut archive = open(file)?;
    for entry in archive.entries().map_err(at(file))? {
        let mut entry = entry.map_err(at(file))?;
        if entry.path().map_err(at(file))?.as_os_str() != DUMP {
            continue;
        }
        let script = programs.script_of("compat_migrations", &mut entry)?;
        let ledgers = read(&script);
        for source in sources {
            let Some(applied) = ledgers.get(source.schema) else { continue };
            if source.precedes_baseline(applied)? {
                source.accept_earlier(applied)?;
            }
        }
    }
    Ok(())
}

/// Parses the migration versions by schema.
fn read(script: &str) -> HashMap<&str, Vec<i64>> {
    let mut ledgers = HashMap::new();
    let mut lines = script.lines();
    while let Some(line) = lines.next() {
        let named = line.strip_prefix(BEFORE_NAME).and_then(|rest| rest.split_once(AFTER_NAME));
        if let Some((schema, _)) = named {
            let rows = lines.by_ref().take_while(|row| *row != END);
            let versions = rows.filter_map(|row| row.split('\t').next()?.parse().ok());
            ledgers.insert(schema, versions.collect());
        }
    }
    ledgers
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ledgers_are_read_by_schema() {
        let script = "SET x = 1;\n\
            COPY auth.compat_migrations (version, description) FROM stdin;\n1\ta\n2\tb\n\\.\n\n\
            COPY public.compat_migrations (version, description) FROM stdin;\n\\.\n\
            COPY public.others (id) FROM stdin;\n7\tx\n\\.\n";
        let expected = HashMap::from([("auth", vec![1, 2]), ("public", vec![])]);
        assert_eq!(read(script), expected);
    }
}
