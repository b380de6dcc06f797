//! PostgreSQL's own programs, which know every kind of object there is.

use std::io::{self, BufRead as _, Read, Write as _};
use std::path::{Path, PathBuf};
use std::process::{Child, ChildStdout, Command, ExitStatus, Stdio};
use std::thread::JoinHandle;

use compat_pg::embedded::client_programs;
use secrecy::{ExposeSecret as _, SecretString};
use url::Url;

use super::BackupError;

/// The folder they are in.
#[derive(Debug, Clone)]
pub struct Programs(PathBuf);

/// A dump on its way.
#[derive(Debug)]
pub struct Dump {
    child: Child,
    stderr: StderrOutput,
}

/// What a program complains of, read beside its work so that it is never held up by it.
#[derive(Debug)]
struct StderrOutput(JoinHandle<String>);

impl Programs {
    /// Those that understand a server of this major version, in this folder or where the system keeps them.
    ///
    /// # Errors
    /// There are none.
    pub fn find(bin_dir: Option<&Path>, major: u32) -> Result<Self, BackupError> {
        Ok(Self(client_programs(bin_dir, major)?))
    }

    /// Reads the whole database.
    pub fn dump(&self, url: &SecretString) -> Result<Dump, BackupError> {
        // What it tells of files is of no use where they are not.
        self.dump_with(url, &["--exclude-table-data=_console.backups"])
    }

    /// The same for a dump that is restored at once and never lies on a disk.
    pub fn dump_uncompressed(&self, url: &SecretString) -> Result<Dump, BackupError> {
        self.dump_with(url, &["--compress=0"])
    }

    /// Writes a schema of one database into another that does not have it.
    pub fn copy_schema(
        &self,
        schema: &str,
        from: &SecretString,
        to: &SecretString,
    ) -> Result<(), BackupError> {
        let mut dump = self.dump_with(from, &["--compress=0", &format!("--schema={schema}")])?;
        let written = self.restore(to, &mut dump.output());
        dump.finish()?;
        written
    }

    fn dump_with(&self, url: &SecretString, options: &[&str]) -> Result<Dump, BackupError> {
        let mut command = self.command("pg_dump", url);
        let child = command.arg("--format=custom").args(options);
        let mut child =
            child.stdin(Stdio::null()).stdout(Stdio::piped()).spawn().map_err(failed("pg_dump"))?;
        let stderr = StderrOutput::by(&mut child);
        Ok(Dump { child, stderr })
    }

    /// Writes a dump into an empty database, all of it or nothing.
    pub fn restore(&self, url: &SecretString, dump: &mut impl Read) -> Result<(), BackupError> {
        let mut command = self.command("pg_restore", url);
        command.args(["--single-transaction", "--exit-on-error", "--no-owner"]);
        let child = command.stdin(Stdio::piped()).stdout(Stdio::null()).spawn();
        let mut child = child.map_err(failed("pg_restore"))?;
        let stderr = StderrOutput::by(&mut child);
        // One that has failed takes no more; what it says of it tells more than that.
        let written = child.stdin.take().map_or(Ok(0), |mut stdin| io::copy(dump, &mut stdin));
        stderr.end(child, "pg_restore")?;
        written.map(drop).map_err(failed("pg_restore"))
    }

    /// The rows of the tables of this name in a dump, as a script that copies them.
    pub fn script_of(&self, table: &str, dump: &mut impl Read) -> Result<String, BackupError> {
        let mut command = Command::new(self.0.join("pg_restore"));
        command.args(["--data-only", "--file=-"]).arg(format!("--table={table}"));
        let child = command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
        let mut child = child.spawn().map_err(failed("pg_restore"))?;
        let stderr = StderrOutput::by(&mut child);
        let output = child.stdout.take().map(read_beside);
        let written = child.stdin.take().map_or(Ok(0), |mut stdin| io::copy(dump, &mut stdin));
        stderr.end(child, "pg_restore")?;
        // It need not read to the end.
        if let Err(error) = written
            && error.kind() != io::ErrorKind::BrokenPipe
        {
            return Err(failed("pg_restore")(error));
        }
        let script = output.and_then(|thread| thread.join().ok()).unwrap_or(Ok(String::new()));
        script.map_err(failed("pg_restore"))
    }

    /// What a dump in PostgreSQL's custom format holds, a line each.
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

    /// Writes these lines' entries of a dump into a database, all of them or nothing.
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
        let written =
            child.stdin.take().map_or(Ok(()), |mut stdin| stdin.write_all(entries.as_bytes()));
        stderr.end(child, "pg_restore")?;
        written.map_err(failed("pg_restore"))
    }

    /// Hands each line that a program prints of a database to `line`, as it comes; a line keeps its end.
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
        // Whoever takes no more lines has a better reason than the program, which then fails, too.
        read.map_err(failed(program))?;
        stderr.end(child, program)
    }

    /// Roles, their passwords, settings and memberships, as a script for `psql`.
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

    /// Runs a script, all of it or nothing.
    pub fn run_script(&self, url: &SecretString, script: &str) -> Result<(), BackupError> {
        let mut command = self.command("psql", url);
        command.args(["--no-psqlrc", "--quiet", "--single-transaction"]);
        command.arg("--set=ON_ERROR_STOP=1").arg("--file=-");
        let child = command.stdin(Stdio::piped()).stdout(Stdio::null()).spawn();
        let mut child = child.map_err(failed("psql"))?;
        let stderr = StderrOutput::by(&mut child);
        let mut stdin = child.stdin.take();
        let sent = stdin.as_mut().map_or(Ok(()), |stdin| stdin.write_all(script.as_bytes()));
        drop(stdin);
        stderr.end(child, "psql")?;
        sent.map_err(failed("psql"))
    }

    /// Makes the database of a dump anew, with its owner, locale and settings, and fills it. `url` leads to
    /// another database of the same server. Gives the commands that were left out: rights to functions that
    /// an extension has no longer in the server's version.
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
        let sent = child.stdin.take().map_or(Ok(0), |mut stdin| io::copy(dump, &mut stdin));
        let (status, output) = stderr.wait(child, "pg_restore")?;
        sent.map_err(failed("pg_restore"))?;
        if status.success() {
            return Ok(Vec::new());
        }
        super::restore_output::obsolete_grants(&output).ok_or_else(|| BackupError::Program {
            program: "pg_restore",
            output: format!("{output} ({status})"),
        })
    }

    /// The password does not stand on the command line, which everybody on the machine may read.
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
    /// The number of its process.
    pub(super) fn process(&self) -> u32 {
        self.child.id()
    }

    /// What it writes.
    pub fn output(&mut self) -> impl Read {
        Output(self.child.stdout.take())
    }

    /// What was read counts only if this succeeds.
    pub fn finish(self) -> Result<(), BackupError> {
        self.stderr.end(self.child, "pg_dump")
    }
}

struct Output(Option<ChildStdout>);

/// Reads to the end on a thread of its own, so that a program is never held up by what it writes.
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

    /// Waits for the end of the program.
    fn end(self, child: Child, program: &'static str) -> Result<(), BackupError> {
        let (status, output) = self.wait(child, program)?;
        if status.success() {
            return Ok(());
        }
        Err(BackupError::Program { program, output: format!("{output} ({status})") })
    }

    /// The same with what it complained of, however it ended.
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
