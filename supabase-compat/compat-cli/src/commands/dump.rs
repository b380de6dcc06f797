//! The command `db dump`: schema, rows or roles as statements, without what the services create.

mod portable;

use std::fs::{self, File};
use std::io::{self, BufWriter, Write};
use std::path::PathBuf;

use clap::Args;
use compat_stack::{ConnectedDatabase, print_line};

use self::portable::{PortableLines, is_of_project};
use super::error::at;
use super::{CommandError, Project, ProjectArguments, TargetArguments};
use compat_stack::backup::{Programs, blocking};

type Failure = Box<dyn std::error::Error>;

/// Schemas that are in no dump: those of the server's extensions and of the services.
pub(super) const INTERNAL: [&str; 19] = [
    "_*",
    "cron",
    "extensions",
    "graphql",
    "graphql_public",
    "information_schema",
    "net",
    "pg_*",
    "pgbouncer",
    "pgmq",
    "pgmq_public",
    "pgsodium",
    "pgsodium_masks",
    "realtime",
    "supabase_functions",
    "supabase_migrations",
    "tiger",
    "topology",
    "vault",
];

/// Schemas whose tables belong to the services, and whose rows belong to the project.
const OF_SERVICES: [&str; 2] = ["auth", "storage"];

/// Tables in these schemas that record the services' own migrations.
const LEDGERS: [&str; 4] =
    ["schema_migrations", "migrations", "compat_migrations", "compat_repeatable"];

/// The arguments of `db dump`.
#[derive(Debug, Clone, Args)]
pub struct DumpArguments {
    #[command(flatten)]
    pub project: ProjectArguments,
    #[command(flatten)]
    pub target: TargetArguments,
    /// Dump only the rows
    #[arg(long, conflicts_with = "role_only")]
    pub data_only: bool,
    /// Dump only the roles
    #[arg(long)]
    pub role_only: bool,
    /// Write rows as COPY instead of INSERT
    #[arg(long, requires = "data_only")]
    pub use_copy: bool,
    /// Leave out the rows of these tables: schema.table
    #[arg(long, short = 'x', value_delimiter = ',', requires = "data_only")]
    pub exclude: Vec<String>,
    /// Only these schemas
    #[arg(long, short, value_delimiter = ',', conflicts_with = "role_only")]
    pub schema: Vec<String>,
    /// Keep the comments of pg_dump
    #[arg(long)]
    pub keep_comments: bool,
    /// Write into this file instead
    #[arg(long, short, value_name = "FILE")]
    pub file: Option<PathBuf>,
    /// Print the command without running it
    #[arg(long)]
    pub dry_run: bool,
}

impl DumpArguments {
    fn program(&self) -> (&'static str, Vec<String>) {
        if self.role_only {
            let arguments = ["--roles-only", "--no-role-passwords", "--quote-all-identifiers"];
            return ("pg_dumpall", arguments.map(str::to_owned).to_vec());
        }
        let mut arguments = vec!["--quote-all-identifiers".to_owned()];
        let kind = if self.data_only { "--data-only" } else { "--schema-only" };
        arguments.push(kind.to_owned());
        if self.data_only && !self.use_copy {
            arguments.extend(["--column-inserts", "--rows-per-insert=1000"].map(str::to_owned));
        }
        if self.schema.is_empty() {
            arguments.extend(INTERNAL.map(|name| format!("--exclude-schema={name}")));
            match self.data_only {
                true => arguments.extend(OF_SERVICES.iter().flat_map(|schema| {
                    LEDGERS.map(|table| format!("--exclude-table={schema}.{table}"))
                })),
                false => {
                    arguments.extend(OF_SERVICES.map(|name| format!("--exclude-schema={name}")))
                }
            }
        }
        arguments.extend(self.schema.iter().map(|name| format!("--schema={}", exactly(name))));
        arguments.extend(self.exclude.iter().map(|table| {
            let parts: Vec<String> = table.splitn(2, '.').map(exactly).collect();
            format!("--exclude-table={}", parts.join("."))
        }));
        (if self.role_only { "pg_dumpall" } else { "pg_dump" }, arguments)
    }
}

/// A pattern of pg_dump that matches exactly this name.
fn exactly(name: &str) -> String {
    format!("\"{}\"", name.replace('"', "\"\""))
}

/// Prints the dump, or writes it into a file, which appears only once it is complete.
///
/// # Errors
/// PostgreSQL's programs are missing, or fail.
pub async fn dump(arguments: DumpArguments) -> Result<(), Failure> {
    let (program, options) = arguments.program();
    if arguments.dry_run {
        print_line(&format!("{program} {}", options.join(" ")));
        return Ok(());
    }
    let Project { settings, files: _ } = arguments.project.clone().open()?;
    let connected = arguments.target.open(&settings).await?;
    let (url, major) = (connected.url.clone(), connected.major);
    let bin_dir = settings.database.bin_dir.clone();
    let done = blocking(move || {
        let programs = Programs::find(bin_dir.as_deref(), major)?;
        let mut output = DumpOutput::open(arguments.file.clone())?;
        let lines = PortableLines::new(arguments.keep_comments);
        output.fill(&programs, (program, &options), &url, (lines, &arguments))?;
        output.finish()
    })
    .await;
    connected.leave().await;
    Ok(done?)
}

/// The whole schema of a project's database.
///
/// # Errors
/// As [`dump`].
pub(super) async fn schema_of(
    bin_dir: Option<PathBuf>,
    connected: &ConnectedDatabase,
) -> Result<Vec<u8>, CommandError> {
    let mut options = vec!["--quote-all-identifiers".to_owned(), "--schema-only".to_owned()];
    options
        .extend(INTERNAL.iter().chain(&OF_SERVICES).map(|name| format!("--exclude-schema={name}")));
    let (url, major) = (connected.url.clone(), connected.major);
    blocking(move || {
        let programs = Programs::find(bin_dir.as_deref(), major)?;
        let (mut lines, mut text) = (PortableLines::new(false), Vec::new());
        programs.each_line("pg_dump", &url, &options, &mut |line| {
            text.extend(lines.line(line).unwrap_or_default());
            Ok(())
        })?;
        Ok(text)
    })
    .await
}

/// The output of a dump.
struct DumpOutput {
    writer: Box<dyn Write + Send>,
    /// The draft, and the file that it is renamed to.
    file: Option<(PathBuf, PathBuf)>,
}

impl DumpOutput {
    fn open(file: Option<PathBuf>) -> Result<Self, CommandError> {
        let Some(path) = file else {
            return Ok(Self { writer: Box::new(BufWriter::new(io::stdout())), file: None });
        };
        let draft = PathBuf::from(format!("{}.partial", path.display()));
        let writer = Box::new(BufWriter::new(File::create(&draft).map_err(at(&draft))?));
        Ok(Self { writer, file: Some((draft, path)) })
    }

    fn fill(
        &mut self,
        programs: &Programs,
        (program, options): (&'static str, &[String]),
        url: &secrecy::SecretString,
        (mut lines, arguments): (PortableLines, &DumpArguments),
    ) -> Result<(), CommandError> {
        let writer = &mut self.writer;
        let wrote = |done: io::Result<()>| done.map_err(at("the output".as_ref()));
        if arguments.data_only {
            // Triggers and foreign keys were checked when these rows were first written.
            wrote(writer.write_all(b"SET session_replication_role = replica;\n\n"))?;
        }
        programs.each_line(program, url, options, &mut |line| {
            if arguments.role_only && !is_of_project(line) {
                return Ok(());
            }
            lines.line(line).map_or(Ok(()), |line| writer.write_all(&line))
        })?;
        if arguments.data_only {
            wrote(writer.write_all(b"\nRESET ALL;\n"))?;
        }
        Ok(())
    }

    fn finish(mut self) -> Result<(), CommandError> {
        self.writer.flush().map_err(at("the output".as_ref()))?;
        if let Some((draft, path)) = self.file.take() {
            fs::rename(&draft, &path).map_err(at(&path))?;
            print_line(&format!("Dumped schema to {}.", path.display()));
        }
        Ok(())
    }
}

impl Drop for DumpOutput {
    fn drop(&mut self) {
        if let Some((draft, _)) = &self.file {
            let _ = fs::remove_file(draft);
        }
    }
}

#[cfg(test)]
mod tests {
    use clap::Parser;

    use super::*;

    #[derive(Parser)]
    struct Program {
        #[command(flatten)]
        dump: DumpArguments,
    }

    fn options(arguments: &[&str]) -> Option<String> {
        let all = ["program"].iter().chain(arguments);
        let (program, options) = Program::try_parse_from(all).ok()?.dump.program();
        Some(format!("{program} {}", options.join(" ")))
    }

    #[test]
    fn schema_dump_excludes_service_schemas() {
        let all = options(&[]).expect("arguments");
        assert!(all.contains("--schema-only") && all.contains("--exclude-schema=auth"), "{all}");
        let rows = options(&["--data-only"]).expect("arguments");
        assert!(!rows.contains("--exclude-schema=auth"), "{rows}");
        assert!(rows.contains("--exclude-table=auth.compat_migrations"), "{rows}");
    }

    #[test]
    fn quoted_names_are_escaped_in_dump_options() {
        let all = options(&["-s", "it\"s", "--data-only", "-x", "public.a*"]).expect("arguments");
        assert!(all.contains("--schema=\"it\"\"s\""), "{all}");
        assert!(all.contains("--exclude-table=\"public\".\"a*\""), "{all}");
    }

    #[test]
    fn options_that_exclude_each_other_are_refused() {
        assert_eq!(options(&["--data-only", "--role-only"]), None);
        assert_eq!(options(&["--use-copy"]), None);
    }
}
