//! Runs PostgreSQL's own programs, such as `pg_dump` and `pg_restore`.

use std::io::{self, BufRead as _, Read, Write as _};
use std::path::{Path, PathBuf};
use std::process::{Child, ChildStdout, Command, ExitStatus, Stdio};
use std::thread::JoinHandle;

use compat_pg::embedded::client_programs;
use secrecy::{ExposeSecret as _, SecretString};
use url::Url;

use super::BackupError;

/// The folder of PostgreSQL's client programs.
#[derive(Debug, Clone)]
pub struct Programs(PathBuf);

/// A running `pg_dump`.
#[derive(Debug)]
pub struct Dump {
    child: Child,
    stderr: StderrOutput,
}

/// The error output of a program, read on a thread of its own so that a full pipe never blocks the
/// program.
#[derive(Debug)]
struct StderrOutput(JoinHandle<String>);

impl Programs {
    /// Finds programs for a server of this major version, in this folder or in the system's
    /// folders.
    ///
    /// # Errors
    /// No such programs are installed.
    pub fn find(bin_dir: Option<&Path>, major: u32) -> Result<Self, BackupError> {
        Ok(Self(client_programs(bin_dir, major)?))
    }

    /// Dumps the whole database.
    pub fn dump(&self, url: &SecretString) -> Result<Dump, BackupError> {
        // The console's list of backups describes files that a restored project does not have.
        self.dump_with(url, &["--exclude-table-data=_console.backups"])
    }

    /// Dumps the whole database without compression, for a restore that reads the dump directly.
    pub fn dump_uncompressed(&self, url: &SecretString) -> Result<Dump, BackupError> {
        self.dump_with(url, &["--compress=0"])
    }

    /// Copies a schema of one database into another database that lacks it.
    pub fn copy_schema(
        &self,
        schema: &str,
        from: &SecretString,
        to: &SecretString,
    ) -> Result<(), BackupError> {
        let mut dump = self.dump_with(from, &["--compress=0", &format!("--schema={schema}")])?;
        let result = self.restore(to, &mut dump.output());
        dump.finish()?;
        result
    }

    fn dump_with(&self, url: &SecretString, options: &[&str]) -> Result<Dump, BackupError> {
        let mut command = self.command("pg_dump", url);
        let child = command.arg("--format=custom").args(options);
        let mut child =
            child.stdin(Stdio::null()).stdout(Stdio::piped()).spawn().map_err(failed("pg_dump"))?;
        let stderr = StderrOutput::by(&mut child);
        Ok(Dump { child, stderr })
    }

    /// Restores a dump into an empty database, in one transaction.
    pub fn restore(&self, url: &SecretString, dump: &mut impl Read) -> Result<(), BackupError> {
        let mut command = self.command("pg_restore", url);
        command.args(["--single-transaction", "--exit-on-error", "--no-owner"]);
        let child = command.stdin(Stdio::piped()).stdout(Stdio::null()).spawn();
        let mut child = child.map_err(failed("pg_restore"))?;
        let stderr = StderrOutput::by(&mut child);
        // A failed `pg_restore` reads no further; its error output says more than the broken pipe.
        let result = child.stdin.take().map_or(Ok(0), |mut stdin| io::copy(dump, &mut stdin));
        stderr.end(child, "pg_restore")?;
        result.map(drop).map_err(failed("pg_restore"))
    }

    /// Extracts the rows of the tables of this name from a dump, as a script of COPY commands.
    pub fn script_of(&self, table: &str, dump: &mut impl Read) -> Result<String, BackupError> {
        let mut command = Command::new(self.0.join("pg_restore"));
        command.args(["--data-only", "--file=-"]).arg(format!("--table={table}"));
        let child = command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
        let mut child = child.spawn().map_err(failed("pg_restore"))?;
        let stderr = StderrOutput::by(&mut child);
        let output = child.stdout.take().map(read_beside);
        let result = child.stdin.take().map_or(Ok(0), |mut stdin| io::copy(dump, &mut stdin));
        stderr.end(child, "pg_restore")?;
        // `pg_restore` may stop reading before the end of the dump.
        if let Err(error) = result
            && error.kind() != io::ErrorKind::BrokenPipe
        {
            return Err(failed("pg_restore")(error));
        }
        let script = output.and_then(|thread| thread.join().ok()).unwrap_or(Ok(String::new()));
        script.map_err(failed("pg_restore"))
    }

    /// Lists the entries of a dump in PostgreSQL's custom format, one a line.
    pub fn entries(&self, dump: &Path) -> Result<String, BackupError> {
        let mut command = Command::new(self.0.join("pg_restore"));
        let child = command.arg("--list").arg(dump).stdin(Stdio::null());
        let child = child.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn();
        let mut child = child.map_err(failed("pg_restore"))?;
        let stderr = StderrOutput::by(&mut child);
        let mut entries = String::new();
        let read = child.stdout.take().map(|mut output| output.read_to_string(&mut entries));
        stderr.end(child, "pg_restore")?;
        read.transpose().map_err(failed("pg_restore"))?;
        Ok(entries)
    }

    /// Restores the entries of a dump that these lines list, in one transaction.
    pub fn restore_some(
        &self,
        url: &SecretString,
        dump: &Path,
        entries: &str,
    ) -> Result<(), BackupError> {
        let mut command = self.command("pg_restore", url);
        command.args(["--single-transaction", "--exit-on-error", "--no-owner"]);
        command.arg("--use-list=/dev/stdin").arg(dump);
        let child = command.stdin(Stdio::piped()).stdout(Stdio::null()).spawn();
        let mut child = child.map_err(failed("pg_restore"))?;
        let stderr = StderrOutput::by(&mut child);
        let result =
            child.stdin.take().map_or(Ok(()), |mut stdin| stdin.write_all(entries.as_bytes()));
        stderr.end(child, "pg_restore")?;
        result.map_err(failed("pg_restore"))
    }

    /// Runs a program on a database and passes each line of its output to `line`, with its line
    /// end.
    ///
    /// # Errors
    /// The program fails, or `line` does.
    pub fn each_line(
        &self,
        program: &'static str,
        url: &SecretString,
        arguments: &[String],
        line: &mut dyn FnMut(&[u8]) -> io::Result<()>,
    ) -> Result<(), BackupError> {
        let mut command = self.command(program, url);
        let command = command.args(arguments).stdin(Stdio::null()).stdout(Stdio::piped());
        let mut child = command.spawn().map_err(failed(program))?;
        let stderr = StderrOutput::by(&mut child);
        let mut output = io::BufReader::new(Output(child.stdout.take()));
        let mut text = Vec::new();
        let mut read = Ok(());
        while read.is_ok() {
            text.clear();
            match output.read_until(b'\n', &mut text) {
                Ok(0) => break,
                Ok(_) => read = line(&text),
                Err(error) => read = Err(error),
            }
        }
        drop(output);
        // An error of `line` explains more than the broken pipe that it causes in the program.
        read.map_err(failed(program))?;
        stderr.end(child, program)
    }

    /// Dumps roles, their passwords, settings and memberships, as a script for `psql`.
    pub fn roles(&self, url: &SecretString) -> Result<String, BackupError> {
        let mut command = self.command("pg_dumpall", url);
        let child = command.arg("--roles-only").stdin(Stdio::null()).stdout(Stdio::piped()).spawn();
        let mut child = child.map_err(failed("pg_dumpall"))?;
        let stderr = StderrOutput::by(&mut child);
        let mut script = String::new();
        let read = child.stdout.take().map(|mut output| output.read_to_string(&mut script));
        stderr.end(child, "pg_dumpall")?;
        read.transpose().map_err(failed("pg_dumpall"))?;
        Ok(script)
    }

    /// Runs a script in one transaction.
    pub fn run_script(&self, url: &SecretString, script: &str) -> Result<(), BackupError> {
        let mut command = self.command("psql", url);
        command.args(["--no-psqlrc", "--quiet", "--single-transaction"]);
        command.arg("--set=ON_ERROR_STOP=1").arg("--file=-");
        let child = command.stdin(Stdio::piped()).stdout(Stdio::null()).spawn();
        let mut child = child.map_err(failed("psql"))?;
        let stderr = StderrOutput::by(&mut child);
        let mut stdin = child.stdin.take();
        let result = stdin.as_mut().map_or(Ok(()), |stdin| stdin.write_all(script.as_bytes()));
        drop(stdin);
        stderr.end(child, "psql")?;
        result.map_err(failed("psql"))
    }

    /// Recreates the database of a dump, with its owner, locale and settings, and fills it. `url`
    /// is that of another database of the same server. Returns the commands that were skipped:
    /// grants on functions that an extension no longer has in the server's version.
    pub fn restore_database(
        &self,
        url: &SecretString,
        dump: &mut impl Read,
    ) -> Result<Vec<String>, BackupError> {
        let mut command = self.command("pg_restore", url);
        command.args(["--create", "--clean", "--if-exists"]).env("LC_ALL", "C");
        let child = command.stdin(Stdio::piped()).stdout(Stdio::null()).spawn();
        let mut child = child.map_err(failed("pg_restore"))?;
        let stderr = StderrOutput::by(&mut child);
        let result = child.stdin.take().map_or(Ok(0), |mut stdin| io::copy(dump, &mut stdin));
        let (status, output) = stderr.wait(child, "pg_restore")?;
        result.map_err(failed("pg_restore"))?;
        if status.success() {
            return Ok(Vec::new());
        }
        super::restore_output::obsolete_grants(&output).ok_or_else(|| BackupError::Program {
            program: "pg_restore",
            output: format!("{output} ({status})"),
        })
    }

    /// A program of PostgreSQL for this database. The password is passed in the environment,
    /// because every user of the machine can read command lines.
    fn command(&self, program: &str, url: &SecretString) -> Command {
        let mut command = Command::new(self.0.join(program));
        let mut address = url.expose_secret().to_owned();
        if let Ok(mut parsed) = Url::parse(&address)
            && let Some(password) = parsed.password().map(decoded)
            && parsed.set_password(None).is_ok()
        {
            command.env("PGPASSWORD", password);
            address = parsed.into();
        }
        command.arg(format!("--dbname={address}")).stderr(Stdio::piped());
        command
    }
}

fn decoded(password: &str) -> String {
    percent_encoding::percent_decode_str(password).decode_utf8_lossy().into_owned()
}

impl Dump {
    /// The process id.
    pub(super) fn process(&self) -> u32 {
        self.child.id()
    }

    /// The dump's bytes.
    pub fn output(&mut self) -> impl Read {
        Output(self.child.stdout.take())
    }

    /// Waits for `pg_dump`. The bytes read before are valid only if this succeeds.
    pub fn finish(self) -> Result<(), BackupError> {
        self.stderr.end(self.child, "pg_dump")
    }
}

struct Output(Option<ChildStdout>);

/// Reads to the end on a thread of its own, so that a full pipe never blocks the program.
fn read_beside(mut output: ChildStdout) -> JoinHandle<io::Result<String>> {
    std::thread::spawn(move || {
        let mut text = String::new();
        output.read_to_string(&mut text).map(|_| text)
    })
}

impl Read for Output {
    fn read(&mut self, into: &mut [u8]) -> io::Result<usize> {
        self.0.as_mut().map_or(Ok(0), |output| output.read(into))
    }
}

impl StderrOutput {
    fn by(child: &mut Child) -> Self {
        let stderr = child.stderr.take();
        Self(std::thread::spawn(move || {
            let mut output = Vec::new();
            if let Some(mut stderr) = stderr {
                let _ = stderr.read_to_end(&mut output);
            }
            String::from_utf8_lossy(&output).trim().to_owned()
        }))
    }

    /// Waits for the program to exit; a failure contains its error output.
    fn end(self, child: Child, program: &'static str) -> Result<(), BackupError> {
        let (status, output) = self.wait(child, program)?;
        if status.success() {
            return Ok(());
        }
        Err(BackupError::Program { program, output: format!("{output} ({status})") })
    }

    /// Waits for the program to exit; returns its status and its error output.
    fn wait(
        self,
        mut child: Child,
        program: &'static str,
    ) -> Result<(ExitStatus, String), BackupError> {
        let status = child.wait().map_err(failed(program))?;
        Ok((status, self.0.join().unwrap_or_default()))
    }
}

fn failed(program: &'static str) -> impl Fn(io::Error) -> BackupError {
    move |error| BackupError::Program { program, output: error.to_string() }
}
