//! The command `test`: runs files of pgTAP tests against a project's database, each in a session of
//! its own.

use std::fs::{self, OpenOptions};
use std::io::Write as _;
use std::path::{Path, PathBuf};

use clap::Subcommand;
use compat_pg::{TextTable, run_script};
use compat_stack::{ConnectedDatabase, print_line};

use super::error::at;
use super::{CommandError, FolderArguments, Project, TargetArguments};
use crate::project::find_folder;

type Failure = Box<dyn std::error::Error>;

/// What is run before each file: pgTAP's functions are found without their schema.
const PREPARE: &str = "create extension if not exists pgtap with schema extensions;";

const TEMPLATE: &str = "begin;
select plan(1);

select ok(true, 'the first test passes');

select * from finish();
rollback;
";

/// The subcommands of `test`.
#[derive(Debug, Subcommand)]
pub enum TestCommand {
    /// Run tests by pgTAP
    Db {
        /// Files and folders [default: supabase/tests]
        paths: Vec<PathBuf>,
        #[command(flatten)]
        folder: FolderArguments,
        #[command(flatten)]
        target: TargetArguments,
    },
    /// Create a test file
    New {
        /// Name of the file
        name: String,
        #[command(flatten)]
        folder: FolderArguments,
    },
}

/// Runs a subcommand.
///
/// # Errors
/// A test failed, or no test could run.
pub async fn test_project(command: TestCommand) -> Result<(), Failure> {
    match command {
        TestCommand::New { name, folder } => Ok(create(&folder.workdir, &name)?),
        TestCommand::Db { paths, folder, target } => {
            let Project { settings, files } = folder.open()?;
            let own = vec![files.folder().join("tests")];
            let tests = match (paths.is_empty(), own[0].is_dir()) {
                (true, false) => Vec::new(),
                (true, true) => test_files(own)?,
                (false, _) => test_files(paths)?,
            };
            if tests.is_empty() {
                let message = "no file of tests, *.sql in supabase/tests; supabase-compat test new \
                               makes one";
                return Err(CommandError::Failed(message.to_owned()).into());
            }
            let connected = target.open(&settings).await?;
            let done = run_all(&connected, &tests).await;
            connected.leave().await;
            Ok(done?)
        }
    }
}

async fn run_all(connected: &ConnectedDatabase, tests: &[PathBuf]) -> Result<(), CommandError> {
    let offered = compat_pg::offered_extensions(&connected.owner).await?;
    if !offered.iter().any(|name| name == "pgtap") {
        return Err(CommandError::NoExtension {
            command: "test db",
            extension: "pgtap",
            remedy: format!(
                "install the package postgresql-{}-pgtap and set PG_BINDIR to that server, or name a \
                 database that has it by --db-url",
                connected.major
            ),
        });
    }
    run_script(&connected.owner, PREPARE).await?;
    let (mut count, mut failed) = (0, Vec::new());
    for path in tests {
        let text = fs::read_to_string(path).map_err(at(path))?;
        let result = match run_script(&connected.owner, &text).await {
            Ok(output) => TapResult::read(&output),
            Err(error) => TapResult { problems: vec![error.to_string()], ..TapResult::default() },
        };
        let problems = result.problems();
        count += result.count;
        let word = if problems.is_empty() { "ok" } else { "FAILED" };
        print_line(&format!("{} .. {word}", path.display()));
        problems.iter().for_each(|line| print_line(&format!("    {line}")));
        if !problems.is_empty() {
            failed.push(path.display().to_string());
        }
    }
    let files = tests.len();
    if failed.is_empty() {
        print_line("All tests successful.");
    }
    print_line(&format!("Files={files}, Tests={count}"));
    match failed.is_empty() {
        true => {
            print_line("Result: PASS");
            Ok(())
        }
        false => {
            print_line("Result: FAIL");
            let names = failed.join(", ");
            Err(CommandError::Failed(format!("{} of {files} files failed: {names}", failed.len())))
        }
    }
}

/// The result of a file, read from its output in the Test Anything Protocol.
#[derive(Debug, Default, PartialEq, Eq)]
struct TapResult {
    /// Tests that ran.
    count: usize,
    planned: Option<usize>,
    problems: Vec<String>,
}

impl TapResult {
    fn read(output: &TextTable) -> Self {
        let mut result = Self::default();
        let values = output.rows.iter().flatten().flatten();
        for line in values.flat_map(|text| text.lines()) {
            if let Some(count) = line.strip_prefix("1..").and_then(|rest| rest.trim().parse().ok())
            {
                result.planned = Some(count);
            } else if line.starts_with("ok ") {
                result.count += 1;
            } else if line.starts_with("not ok ") {
                result.count += 1;
                // A failure that is marked as expected does not count.
                if !line.contains("# TODO") {
                    result.problems.push(line.to_owned());
                }
            } else if line.starts_with("Bail out!") {
                result.problems.push(line.to_owned());
            }
        }
        result
    }

    /// The problems of the file; none if it passed.
    fn problems(&self) -> Vec<String> {
        let mut problems = self.problems.clone();
        match self.planned {
            Some(planned) if planned != self.count && problems.is_empty() => {
                problems.push(format!("planned {planned} tests, ran {}", self.count));
            }
            None if problems.is_empty() => problems.push("it has no plan".to_owned()),
            _ => {}
        }
        problems
    }
}

/// The named files, and the test files in named folders, in order.
fn test_files(mut open: Vec<PathBuf>) -> Result<Vec<PathBuf>, CommandError> {
    let mut paths = Vec::new();
    while let Some(path) = open.pop() {
        if !path.is_dir() {
            paths.push(path);
            continue;
        }
        for entry in fs::read_dir(&path).map_err(at(&path))? {
            let inner = entry.map_err(at(&path))?.path();
            let is_test = inner.extension().is_some_and(|kind| kind == "sql" || kind == "pg");
            if inner.is_dir() || is_test {
                open.push(inner);
            }
        }
    }
    paths.sort();
    Ok(paths)
}

fn create(workdir: &Path, name: &str) -> Result<(), CommandError> {
    let is_allowed =
        |character: char| character.is_ascii_alphanumeric() || "_-".contains(character);
    if name.is_empty() || !name.chars().all(is_allowed) {
        let rule = "letters, digits, `_` and `-`";
        return Err(CommandError::Name { kind: "test", name: name.to_owned(), rule });
    }
    let folder = find_folder(workdir)?.join("tests");
    fs::create_dir_all(&folder).map_err(at(&folder))?;
    let path = folder.join(format!("{name}_test.sql"));
    match OpenOptions::new().write(true).create_new(true).open(&path) {
        Ok(mut file) => file.write_all(TEMPLATE.as_bytes()).map_err(at(&path))?,
        Err(error) if error.kind() == std::io::ErrorKind::AlreadyExists => {
            return Err(CommandError::Exists(path));
        }
        Err(error) => return Err(at(&path)(error)),
    }
    print_line(&format!("Created new pgtap test at {}", path.display()));
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn result(lines: &[&str]) -> TapResult {
        let row = |line: &&str| vec![Some((*line).to_owned())];
        let rows = lines.iter().map(row).collect();
        TapResult::read(&TextTable { columns: vec!["x".to_owned()], rows })
    }

    #[test]
    fn file_passes_when_each_planned_test_does() {
        let passed = result(&["1..2", "ok 1 - a", "ok 2 - not ok"]);
        assert_eq!((passed.count, passed.problems()), (2, Vec::new()));
        let known = result(&["1..1", "not ok 1 - a # TODO later"]);
        assert_eq!(known.problems(), Vec::<String>::new());
    }

    #[test]
    fn failed_and_missing_tests_are_reported() {
        let failed = result(&["1..2", "ok 1", "not ok 2 - b\n# Failed test 2"]);
        assert_eq!(failed.problems(), ["not ok 2 - b"]);
        assert_eq!(result(&["1..3", "ok 1"]).problems(), ["planned 3 tests, ran 1"]);
        assert_eq!(result(&["nothing"]).problems(), ["it has no plan"]);
    }
}
