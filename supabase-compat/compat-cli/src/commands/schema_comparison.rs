//! The statements that lead from one schema to another, found by npm's `@supabase/pg-delta`, which
//! runs in deno. The result of files is read from copies of a shadow database.

use std::time::Duration;

use compat_functions::{Tool, ToolLimits, ToolScript, ToolchainConfig};
use compat_pg::DatabaseCopy;
use compat_stack::Settings;
use secrecy::{ExposeSecret as _, SecretString};
use serde::Deserialize;
use sha2::{Digest as _, Sha256};
use url::Url;

use super::CommandError;
use super::shadow::ShadowCopies;
use crate::project::ProjectFiles;

const SCRIPT: &str = include_str!("diff/schema_diff.mjs");
const LOCK: &str = include_str!("diff/deno.lock");

/// The largest schemas take seconds to compare; while a folder is watched, hours may pass between
/// two comparisons.
const LIMITS: ToolLimits = ToolLimits {
    start: Duration::from_secs(120),
    answer: Duration::from_secs(300),
    idle: Duration::from_secs(3600),
};

/// The statements that lead from one database to another.
#[derive(Debug, Clone, Deserialize)]
pub(crate) struct SchemaDifference {
    /// Statements of one transaction each, in order.
    pub files: Vec<String>,
    /// The number of statements.
    pub statements: usize,
    /// The statements that lose rows.
    pub drops: Vec<String>,
    /// Objects that could not be compared.
    pub unmanaged: Vec<String>,
}

impl SchemaDifference {
    /// Logs what could not be compared.
    pub fn warn(&self) {
        for reason in &self.unmanaged {
            tracing::warn!(reason, "cannot compare a part of the schema");
        }
    }

    /// The statements that lose rows, in one line, if there are any.
    pub fn losses(&self) -> Option<String> {
        let words = |one: &String| one.split_whitespace().collect::<Vec<_>>().join(" ");
        let statements: Vec<String> = self.drops.iter().map(words).collect();
        (!statements.is_empty()).then(|| statements.join("; "))
    }

    /// The statements that drop something, in one line, if there are any.
    pub fn removals(&self) -> Option<String> {
        let lines = self.files.iter().flat_map(|text| text.lines());
        let removals: Vec<&str> = lines.filter(|line| line.starts_with("DROP ")).collect();
        (!removals.is_empty()).then(|| removals.join(" "))
    }

    /// # Errors
    /// The difference loses rows, and `force` is not set.
    pub fn must_keep_rows(&self, force: bool) -> Result<(), CommandError> {
        match self.losses().filter(|_| !force) {
            None => Ok(()),
            Some(statements) => Err(CommandError::Failed(format!(
                "the difference loses rows, so no migration was written (--force writes it): \
                 {statements}"
            ))),
        }
    }
}

/// Compares databases at two hosts.
pub(super) struct ComparisonTool(Tool);

impl ComparisonTool {
    pub fn new(toolchain: &ToolchainConfig, databases: &[&SecretString]) -> Self {
        let mut hosts: Vec<String> = databases.iter().filter_map(|url| host_of(url)).collect();
        hosts.dedup();
        let script = ToolScript { name: "schema-diff", source: SCRIPT, lock: LOCK, hosts };
        Self(Tool::new(toolchain.clone(), script, LIMITS))
    }

    /// The difference between two databases. Keys identify their contents, so that a schema that
    /// was read before is not read again.
    pub async fn difference(
        &self,
        (from, from_key): (&SecretString, Option<&str>),
        (to, to_key): (&SecretString, Option<&str>),
        schemas: &[String],
    ) -> Result<SchemaDifference, CommandError> {
        let question = serde_json::json!({
            "from": from.expose_secret(),
            "to": to.expose_secret(),
            "schemas": schemas,
            "fromKey": from_key,
            "toKey": to_key,
        });
        let failed =
            |reason: String| CommandError::Failed(format!("schemas not compared: {reason}"));
        let reply = self.0.ask(&question).await.map_err(|error| failed(error.to_string()))?;
        serde_json::from_str(&reply).map_err(|error| failed(error.to_string()))
    }
}

/// Compares what files of a project create, on one shadow server that is kept until the end.
pub(crate) struct SchemaComparison {
    copies: ShadowCopies,
    tool: ComparisonTool,
    /// The content of each copy, identified by a key of its files.
    contents: Vec<(DatabaseCopy, String, SecretString)>,
}

impl SchemaComparison {
    /// Starts the shadow server and the comparison tool.
    ///
    /// # Errors
    /// The server cannot be started.
    pub async fn start(settings: &Settings) -> Result<Self, CommandError> {
        let copies = ShadowCopies::start(settings).await?;
        let tool = ComparisonTool::new(&settings.toolchain, &[copies.address()]);
        // The tool starts while files are applied; a failure is reported by the first comparison.
        let starting = tool.0.clone();
        tokio::spawn(async move { starting.warm().await });
        Ok(Self { copies, tool, contents: Vec::new() })
    }

    /// The statements that lead from the result of some files to the result of others.
    ///
    /// # Errors
    /// A file fails on a new database, or the schemas cannot be compared.
    pub async fn difference(
        &mut self,
        from: &ProjectFiles,
        to: &ProjectFiles,
        schemas: &[String],
    ) -> Result<SchemaDifference, CommandError> {
        let (from_key, to_key) = (key_of(from), key_of(to));
        let from_place = self.place(from, &from_key, &to_key).await?;
        let to_place = self.place(to, &to_key, &from_key).await?;
        let ends = ((&from_place, Some(&*from_key)), (&to_place, Some(&*to_key)));
        self.tool.difference(ends.0, ends.1, schemas).await
    }

    /// Ensures that a copy contains the result of these files.
    pub async fn prepare(&mut self, files: &ProjectFiles) -> Result<(), CommandError> {
        let key = key_of(files);
        self.place(files, &key, &key).await.map(drop)
    }

    async fn place(
        &mut self,
        files: &ProjectFiles,
        key: &str,
        other: &str,
    ) -> Result<SecretString, CommandError> {
        if let Some((.., address)) = self.contents.iter().find(|(_, own, _)| own == key) {
            return Ok(address.clone());
        }
        let existing = self.contents.iter().find(|(_, own, _)| own == other);
        let copy = existing.map_or(DatabaseCopy::First, |(copy, ..)| copy.other());
        self.contents.retain(|(one, ..)| *one != copy);
        let address = self.copies.fill(copy, files.clone()).await?;
        self.contents.push((copy, key.to_owned(), address.clone()));
        Ok(address)
    }

    /// Stops the server and removes its folder.
    pub async fn end(self) {
        self.copies.remove().await;
    }
}

fn key_of(files: &ProjectFiles) -> String {
    let mut hash = Sha256::new();
    for (path, text) in files.texts() {
        hash.update(path);
        hash.update([0_u8]);
        hash.update(text);
        hash.update([0_u8]);
    }
    hex::encode(hash.finalize())
}

/// Host and port of a database; none for a Unix socket, whose folder libpq writes as a host with
/// escaped slashes.
fn host_of(url: &SecretString) -> Option<String> {
    let url = Url::parse(url.expose_secret()).ok()?;
    let host = url.host_str().filter(|host| !host.is_empty() && !host.starts_with('%'))?;
    Some(format!("{host}:{}", url.port().unwrap_or(5432)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn differences_that_lose_rows_need_force() {
        let difference = SchemaDifference {
            files: vec!["drop table a;".to_owned()],
            statements: 1,
            drops: vec!["drop  table\na".to_owned()],
            unmanaged: Vec::new(),
        };
        let refusal = difference.must_keep_rows(false).unwrap_err().to_string();
        assert!(refusal.contains("--force") && refusal.ends_with(": drop table a"), "{refusal}");
        difference.must_keep_rows(true).unwrap();
    }

    #[test]
    fn tool_reaches_the_databases_alone() {
        let host = |url: &str| host_of(&url.into());
        assert_eq!(host("postgresql://a:b@db.test/x").as_deref(), Some("db.test:5432"));
        assert_eq!(host("postgres://a@127.0.0.1:54322/x").as_deref(), Some("127.0.0.1:54322"));
        assert_eq!(host("postgresql://a@%2Frun/x"), None);
    }
}
