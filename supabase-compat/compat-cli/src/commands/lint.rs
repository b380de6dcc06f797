//! The command `db lint`: mistakes in the bodies of functions, as `plpgsql_check` finds them. If
//! the server lacks it, each function is created again and rolled back: the server then checks a
//! body in SQL completely, and the syntax of one in PL/pgSQL.

use std::collections::BTreeMap;

use clap::{Args, ValueEnum};
use compat_pg::TextTable;
use compat_stack::print_line;
use serde::Serialize;

use super::{CommandError, Project, ProjectArguments, TargetArguments};

type Failure = Box<dyn std::error::Error>;

/// Both statements return schema, function, level, message, SQLSTATE, line, statement, query,
/// position, hint and detail, and change nothing.
const BY_EXTENSION: &str = include_str!("lint/plpgsql_check.sql");
const BY_SERVER: &str = include_str!("lint/function_bodies.sql");

/// The arguments of `db lint`.
#[derive(Debug, Clone, Args)]
pub struct LintArguments {
    #[command(flatten)]
    pub project: ProjectArguments,
    #[command(flatten)]
    pub target: TargetArguments,
    /// Only these schemas
    #[arg(long, short, value_delimiter = ',')]
    pub schema: Vec<String>,
    /// The lowest level to print
    #[arg(long, value_enum, default_value_t)]
    pub level: LintLevel,
    /// The lowest level at which the command fails
    #[arg(long, value_enum, default_value_t)]
    pub fail_on: FailureLevel,
}

/// The level of an issue.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, PartialOrd, Ord, ValueEnum)]
pub enum LintLevel {
    /// The code may be intended.
    #[default]
    Warning,
    /// The code fails when it runs.
    Error,
}

/// The level at which the command fails.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, ValueEnum)]
pub enum FailureLevel {
    /// Never.
    #[default]
    None,
    /// Warnings and errors.
    Warning,
    /// Errors.
    Error,
}

/// The issues of one function, in the JSON of the official CLI.
#[derive(Debug, Serialize)]
struct FunctionIssues {
    function: String,
    issues: Vec<LintIssue>,
}

#[derive(Debug, Serialize)]
struct LintIssue {
    level: String,
    message: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    statement: Option<StatementPlace>,
    #[serde(skip_serializing_if = "Option::is_none")]
    query: Option<QueryPlace>,
    #[serde(skip_serializing_if = "Option::is_none")]
    hint: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    detail: Option<String>,
    #[serde(rename = "sqlState", skip_serializing_if = "Option::is_none")]
    sql_state: Option<String>,
}

#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
struct StatementPlace {
    line_number: String,
    text: String,
}

#[derive(Debug, Serialize)]
struct QueryPlace {
    position: String,
    text: String,
}

/// Prints the issues.
///
/// # Errors
/// An issue has at least the level of `--fail-on`.
pub async fn lint(arguments: LintArguments) -> Result<(), Failure> {
    let LintArguments { project, target, schema, level, fail_on } = arguments;
    let Project { settings, files: _ } = project.open()?;
    let connected = target.open(&settings).await?;
    let issues_found = async {
        let offered = compat_pg::offered_extensions(&connected.owner).await?;
        let has_extension = offered.iter().any(|name| name == "plpgsql_check");
        if !has_extension {
            tracing::warn!(
                "plpgsql_check is not offered by this server: bodies in SQL are checked whole, bodies \
                 in PL/pgSQL by their syntax only"
            );
        }
        let statement = if has_extension { BY_EXTENSION } else { BY_SERVER };
        connected.owner.read_text(statement).await
    }
    .await;
    connected.leave().await;
    let functions = issues(issues_found.map_err(CommandError::from)?, &schema, level);
    if functions.is_empty() {
        print_line("No schema errors found");
        return Ok(());
    }
    print_line(&serde_json::to_string_pretty(&functions)?);
    let worst = functions.iter().flat_map(|one| &one.issues).map(|issue| level_of(&issue.level));
    let fails = match (fail_on, worst.max()) {
        (FailureLevel::None, _) | (_, None) => false,
        (FailureLevel::Warning, Some(_)) => true,
        (FailureLevel::Error, Some(worst)) => worst == LintLevel::Error,
    };
    match fails {
        true => Err(CommandError::Failed("functions have mistakes (--fail-on)".to_owned()).into()),
        false => Ok(()),
    }
}

fn level_of(name: &str) -> LintLevel {
    if name == "error" { LintLevel::Error } else { LintLevel::Warning }
}

fn issues(table: TextTable, schemas: &[String], least: LintLevel) -> Vec<FunctionIssues> {
    let mut functions: BTreeMap<String, Vec<LintIssue>> = BTreeMap::new();
    for row in table.rows {
        let mut values = row.into_iter();
        let mut next = || values.next().flatten();
        let (schema, function) = (next().unwrap_or_default(), next().unwrap_or_default());
        let (level, message) = (next().unwrap_or_default(), next().unwrap_or_default());
        let is_wanted = schemas.is_empty() || schemas.contains(&schema);
        if !is_wanted || level_of(&level) < least {
            continue;
        }
        let (sql_state, line, statement) = (next(), next(), next());
        let (query, position) = (next(), next());
        let (hint, detail) = (next(), next());
        let issue = LintIssue {
            level,
            message,
            statement: line.map(|line_number| StatementPlace {
                line_number,
                text: statement.unwrap_or_default(),
            }),
            query: query.map(|text| QueryPlace { position: position.unwrap_or_default(), text }),
            hint,
            detail,
            sql_state,
        };
        functions.entry(format!("{schema}.{function}")).or_default().push(issue);
    }
    functions.into_iter().map(|(function, issues)| FunctionIssues { function, issues }).collect()
}

#[cfg(test)]
mod tests {
    use compat_testkit::TestDatabase;

    use super::*;

    #[tokio::test]
    async fn lint_reports_functions_that_cannot_run() {
        let db = TestDatabase::empty().await;
        let owner = db.pools().owner.clone();
        let functions = "set check_function_bodies = off;
            create schema \"it's\";
            create function \"it's\".broken() returns int language sql as 'select count(*) from nowhere';
            create function public.broken() returns int language plpgsql as 'begn return 1; end';
            create function public.whole() returns int language sql as 'select 1'";
        compat_pg::run_script(&owner, functions).await.expect("functions");
        let table = owner.read_text(BY_SERVER).await.expect("an answer");
        let listed = issues(table.clone(), &[], LintLevel::Warning);
        let names: Vec<_> = listed.iter().map(|one| one.function.as_str()).collect();
        assert_eq!(names, ["it's.broken", "public.broken"]);
        assert_eq!(listed[0].issues[0].sql_state.as_deref(), Some("42P01"));
        assert_eq!(issues(table, &["public".to_owned()], LintLevel::Error).len(), 1);
        // The statement leaves nothing behind and repairs nothing.
        let again = owner.read_text(BY_SERVER).await.expect("an answer");
        assert_eq!(issues(again, &[], LintLevel::Warning).len(), 2);
    }
}
