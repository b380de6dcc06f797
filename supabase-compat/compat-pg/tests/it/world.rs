//! Helpers of these tests: callers, schemas from inline files, temporary folders.

use std::path::{Path, PathBuf};

use compat_pg::{
    ActingConfig, ActingDb, Identity, Owner, OwnerDb, PgError, Row, SchemaSource, Statement,
};
use compat_testkit::TestDatabase;
use include_dir::{Dir, DirEntry, File};
use sqlx::AssertSqlSafe;

/// A caller with this role and no claims.
pub fn identity(role: &str) -> Identity<'_> {
    Identity {
        role,
        claims_json: "{}",
        method: "GET",
        path: "/",
        headers_json: "{}",
        cookies_json: "{}",
        search_path: "public",
        read_only: false,
        commit: true,
        client: None,
        extra: &[],
    }
}

pub fn statement<'a>(sql: &'a str, params: &'a [Option<&'a str>]) -> Statement<'a> {
    Statement { sql, params }
}

/// The rows as text; every column must be text.
pub fn texts(rows: &[Row]) -> Vec<Vec<Option<String>>> {
    rows.iter().map(|row| (0..row.len()).map(|at| row.try_get(at).unwrap()).collect()).collect()
}

/// The first row's first column as text.
pub fn text(rows: &[Row]) -> String {
    texts(rows)[0][0].clone().unwrap()
}

/// An acting pool of one connection, whose configuration `set` changes.
pub fn acting(db: &TestDatabase, set: impl FnOnce(&mut ActingConfig)) -> ActingDb {
    let mut config = ActingConfig { max_connections: 1, ..ActingConfig::default() };
    set(&mut config);
    ActingDb::new(&db.url_as("authenticator"), None, &config).unwrap()
}

/// Runs a script as the owner and commits.
pub async fn script(owner: &OwnerDb, text: &str) {
    let mut work = owner.begin().await.unwrap();
    run(&mut work, text).await.unwrap();
    work.commit().await.unwrap();
}

pub async fn run(work: &mut Owner, text: &str) -> Result<(), PgError> {
    sqlx::raw_sql(AssertSqlSafe(text.to_owned())).execute(&mut **work).await?;
    Ok(())
}

/// Reads one value as the owner.
pub async fn value<T>(owner: &OwnerDb, sql: &'static str) -> T
where
    T: Send + Unpin + sqlx::Type<sqlx::Postgres> + for<'a> sqlx::Decode<'a, sqlx::Postgres>,
{
    let mut work = owner.begin().await.unwrap();
    sqlx::query_scalar(sql).fetch_one(&mut *work).await.unwrap()
}

/// A schema whose folder has these files.
pub fn schema(schema: &'static str, files: &[(&'static str, &'static str)]) -> SchemaSource {
    let folder = |name: &'static str| {
        let entries: Vec<DirEntry<'static>> = files
            .iter()
            .filter(|(path, _)| path.starts_with(name))
            .map(|(path, text)| DirEntry::File(File::new(path, text.as_bytes())))
            .collect();
        DirEntry::Dir(Dir::new(name, Vec::leak(entries)))
    };
    let folders = vec![folder("migrations"), folder("repeatable"), folder("adoption")];
    SchemaSource { schema, dir: Box::leak(Box::new(Dir::new("", Vec::leak(folders)))) }
}

/// The folder of PostgreSQL's programs, if `PG_BINDIR` names one.
pub fn bin_dir() -> Option<PathBuf> {
    std::env::var_os("PG_BINDIR").map(PathBuf::from)
}

/// A temporary folder, removed when it is dropped.
pub struct Folder(PathBuf);

impl Folder {
    pub fn new(name: &str) -> Self {
        let path = std::env::temp_dir().join(format!("compat-pg-{}-{name}", std::process::id()));
        std::fs::create_dir_all(&path).unwrap();
        Self(path)
    }

    pub fn path(&self) -> &Path {
        &self.0
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        std::fs::remove_dir_all(&self.0).unwrap();
    }
}
