//! Checks the walls between crates (`docs/house-style.md` section 2) on `cargo metadata` and the
//! source text.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

use cargo_metadata::{DependencyKind, Metadata, MetadataCommand};

/// The crates of the workspace that each crate may import. A crate that is missing here fails the
/// test.
const ALLOWED: &[(&str, &[&str])] = &[
    ("compat-token", &[]),
    ("compat-rest-core", &[]),
    ("compat-proof-of-work", &[]),
    ("compat-subprocess", &[]),
    ("compat-fair-semaphore", &[]),
    ("gamewire", &[]),
    ("compat-pg", &["compat-token", "compat-subprocess", "compat-fair-semaphore"]),
    ("compat-http", &["compat-token", "compat-fair-semaphore"]),
    ("compat-advice", &["compat-pg"]),
    ("compat-mcp", &["compat-pg", "compat-http", "compat-advice"]),
    ("compat-mail", &["compat-pg", "compat-http"]),
    (
        "compat-auth",
        &["compat-pg", "compat-token", "compat-http", "compat-mail", "compat-proof-of-work"],
    ),
    ("compat-console", &["compat-pg", "compat-http", "compat-auth"]),
    ("compat-extensions", &["compat-pg", "compat-http"]),
    ("compat-functions", &["compat-token", "compat-http", "compat-subprocess"]),
    (
        "compat-realtime",
        &[
            "compat-pg",
            "compat-token",
            "compat-http",
            "compat-replication",
            "compat-fair-semaphore",
        ],
    ),
    ("compat-meta", &["compat-pg", "compat-token", "compat-http"]),
    ("compat-replication", &["compat-pg"]),
    ("compat-rest", &["compat-pg", "compat-token", "compat-http", "compat-rest-core"]),
    ("compat-storage", &["compat-pg", "compat-token", "compat-http", "compat-fair-semaphore"]),
    (
        "compat-stack",
        &[
            "compat-advice",
            "compat-auth",
            "compat-console",
            "compat-extensions",
            "compat-functions",
            "compat-http",
            "compat-mail",
            "compat-meta",
            "compat-mcp",
            "compat-pg",
            "compat-realtime",
            "compat-rest",
            "compat-storage",
            "compat-token",
            "compat-typegen",
        ],
    ),
    (
        "compat-cli",
        &[
            "compat-stack",
            "compat-extensions",
            "compat-functions",
            "compat-http",
            "compat-pg",
            "compat-storage",
            "compat-token",
            "compat-typegen",
        ],
    ),
    ("compat-typegen", &["compat-pg", "compat-rest"]),
    ("compat-testkit", &["compat-pg", "compat-token", "compat-http"]),
    ("compat-testkit-s3", &[]),
    (
        "ranking",
        &[
            "compat-pg",
            "compat-http",
            "compat-fair-semaphore",
            "compat-functions",
            "compat-proof-of-work",
            "compat-mail",
            "gamewire",
            "page-registry",
        ],
    ),
    ("page-registry", &[]),
    ("bench-programs", &[]),
    ("payments", &["compat-pg", "compat-http", "compat-functions", "compat-mail", "page-registry"]),
    ("site-pages", &["compat-pg", "compat-http", "ranking", "page-registry"]),
    ("server", &["compat-cli", "compat-stack", "ranking", "payments", "site-pages"]),
];

/// Crates that a crate must not depend on.
const OUT_OF_REACH: &[(&str, &[&str])] = &[("compat-rest-core", NO_IO), ("gamewire", NO_IO)];
const NO_IO: &[&str] = &["tokio", "axum", "sqlx", "tokio-postgres"];

fn workspace() -> Metadata {
    MetadataCommand::new().no_deps().exec().expect("cargo metadata answers")
}

pub fn root() -> PathBuf {
    workspace().workspace_root.into_std_path_buf()
}

#[test]
fn crates_import_only_whom_the_map_allows() {
    let allowed: BTreeMap<_, BTreeSet<_>> =
        ALLOWED.iter().map(|(name, list)| (*name, list.iter().copied().collect())).collect();
    let metadata = workspace();
    let ours: BTreeSet<&str> =
        metadata.packages.iter().map(|package| package.name.as_str()).collect();
    assert_eq!(ours, allowed.keys().copied().collect(), "the map and the workspace differ");
    for package in &metadata.packages {
        let imports: BTreeSet<&str> = package
            .dependencies
            .iter()
            .filter(|dependency| dependency.kind == DependencyKind::Normal)
            .map(|dependency| dependency.name.as_str())
            .filter(|name| ours.contains(name))
            .collect();
        let beyond: Vec<_> = imports.difference(&allowed[package.name.as_str()]).collect();
        assert!(beyond.is_empty(), "{} may not import {beyond:?}", package.name);
    }
}

#[test]
fn the_dialect_cannot_do_input_or_output() {
    let metadata = workspace();
    for (name, unreachable) in OUT_OF_REACH {
        let package = metadata.packages.iter().find(|package| package.name == *name);
        for dependency in &package.expect("a member").dependencies {
            if dependency.kind == DependencyKind::Normal {
                assert!(
                    !unreachable.contains(&dependency.name.as_str()),
                    "{name}: {}",
                    dependency.name
                );
            }
        }
    }
}

#[test]
fn no_path_leads_out_of_the_compatible_services() {
    for package in workspace().packages {
        let compatible = package.manifest_path.as_str().contains("/supabase-compat/");
        let leaving = package.dependencies.iter().find(|dependency| {
            dependency
                .path
                .as_ref()
                .is_some_and(|path| !path.as_str().contains("/supabase-compat/"))
        });
        assert!(!compatible || leaving.is_none(), "{}: {leaving:?}", package.name);
    }
}

#[test]
fn the_compatible_services_name_nothing_of_this_site() {
    let words = ["vote", "listing", "game"];
    for file in sources(&root().join("supabase-compat")) {
        let text = std::fs::read_to_string(&file).expect("a text").to_lowercase();
        for (number, line) in text.lines().enumerate() {
            let word = line
                .split(|c: char| !c.is_alphanumeric())
                .find(|token| words.contains(&token.trim_end_matches('s')));
            assert!(word.is_none(), "{}:{}: {word:?}", file.display(), number + 1);
        }
    }
}

#[test]
fn composed_sql_passes_one_door() {
    let composing_files: Vec<_> = sources(&root())
        .into_iter()
        .filter(|file| file.extension().is_some_and(|kind| kind == "rs"))
        .filter(|file| !file.components().any(|part| part.as_os_str() == "compat-testkit"))
        .filter(|file| !file.components().any(|part| part.as_os_str() == "tests"))
        .filter(|file| {
            let text = std::fs::read_to_string(file).expect("a text");
            text.contains("AssertSqlSafe(") || text.contains("AssertSqlSafe::")
        })
        .collect();
    let composing_files: BTreeSet<String> = composing_files
        .iter()
        .map(|file| file.strip_prefix(root()).expect("below the root").display().to_string())
        .collect();
    // The SQL composed here contains the names of our own schemas, a project's own files or its
    // jobs.
    let known = [
        "supabase-compat/compat-extensions/src/cron.rs",
        "supabase-compat/compat-pg/src/migrate.rs",
        "supabase-compat/compat-pg/src/project/file_transaction.rs",
        "supabase-compat/compat-pg/src/project/ledger.rs",
    ];
    assert_eq!(composing_files, known.map(str::to_owned).into());
}

/// Every Rust and SQL file below `folder`, without build output and packages.
pub fn sources(folder: &Path) -> Vec<PathBuf> {
    let mut found = Vec::new();
    for entry in std::fs::read_dir(folder).expect("a folder") {
        let path = entry.expect("an entry").path();
        let name = path.file_name().and_then(|name| name.to_str()).unwrap_or_default().to_owned();
        if path.is_dir() && !["target", "node_modules", ".git", "dist"].contains(&name.as_str()) {
            found.extend(sources(&path));
        } else if name.ends_with(".rs") || name.ends_with(".sql") {
            found.push(path);
        }
    }
    found
}
