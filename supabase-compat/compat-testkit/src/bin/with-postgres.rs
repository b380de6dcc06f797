//! `with-postgres COMMAND…`: runs a command with a throw-away PostgreSQL cluster, whose address it
//! finds in `TEST_DATABASE_URL`, and passes its exit code on. The cluster is gone afterwards, also
//! when the command fails or is interrupted.
//!
//! The command has its temporary files beside the cluster, in memory where there is room, and they
//! are gone with it. Of the world's certificate authorities it knows one.
//!
//! `PG_BINDIR` chooses the server's programs, `WITH_POSTGRES_DIR` the folder the cluster is put in.

use std::env;
use std::fs::Permissions;
use std::future::poll_fn;
use std::os::unix::fs::PermissionsExt as _;
use std::path::{Path, PathBuf};
use std::process::{ExitCode, ExitStatus};
use std::sync::Arc;
use std::task::{Context, Poll, Waker};

use compat_pg::{ConnectConfig, EmbeddedConfig, EmbeddedPostgres, Pools, ensure_roles};
use nix::errno::Errno;
use nix::sys::signal::{Signal, kill};
use nix::unistd::Pid;
use tokio::process::{Child, Command};
use tokio::signal::unix::{SignalKind, signal};

const ADDRESS: &str = "TEST_DATABASE_URL";

/// A file system in memory, where a database is cloned some twenty times as fast as on a disk.
const MEMORY: &str = "/dev/shm";
/// Bytes that must be free there.
const ROOM: u128 = 2 << 30;

/// Every test makes clients of its own, and reading all authorities for each takes longer than most
/// tests. None of them reaches anybody who would need one.
const AUTHORITY: &str = include_str!("authority.pem");

/// What the folder of a run is called, up to the run's process id.
const NAME: &str = "with-postgres-";

type Outcome<T> = Result<T, Box<dyn std::error::Error>>;

#[tokio::main]
async fn main() -> ExitCode {
    match run().await {
        Ok(code) => ExitCode::from(code),
        Err(error) => {
            eprintln!("with-postgres: {error}");
            ExitCode::FAILURE
        }
    }
}

async fn run() -> Outcome<u8> {
    let mut signals = Signals::listen()?;
    let mut words = env::args_os().skip(1).skip_while(|word| word == "--");
    let program = words.next().ok_or("usage: with-postgres COMMAND [ARGUMENT…]")?;
    let mut command = Command::new(program);
    command.args(words);
    if env::var_os(ADDRESS).is_some() {
        return Ok(code(signals.wait(command.spawn()?).await?));
    }
    let folder = Folder::new()?;
    folder.equip(&mut command)?;
    let server = EmbeddedPostgres::start(config(&folder.0)).await?;
    let outcome = with(&server, command, &mut signals).await;
    server.stop().await;
    outcome
}

async fn with(
    server: &EmbeddedPostgres,
    mut command: Command,
    signals: &mut Signals,
) -> Outcome<u8> {
    let pools = Pools::connect(&ConnectConfig::new(server.owner_url())).await?;
    ensure_roles(&pools.owner).await?;
    pools.close().await;
    if let Some(signal) = signals.received() {
        return Ok(u8::try_from(128 + signal as i32)?);
    }
    Ok(code(signals.wait(command.env(ADDRESS, server.owner_url()).spawn()?).await?))
}

fn config(home: &Path) -> EmbeddedConfig {
    let mut config = EmbeddedConfig::throwaway(home);
    config.bin_dir = env::var_os("PG_BINDIR").map(PathBuf::from);
    config.progress = Some(Arc::new(|news| eprintln!("with-postgres: {news}")));
    config
}

/// What asks a program to end. They are heard from the first moment on, so that none of them ends
/// this one before it has stopped its server.
struct Signals([(Signal, tokio::signal::unix::Signal); 3]);

impl Signals {
    fn listen() -> std::io::Result<Self> {
        Ok(Self([
            (Signal::SIGINT, signal(SignalKind::interrupt())?),
            (Signal::SIGTERM, signal(SignalKind::terminate())?),
            (Signal::SIGHUP, signal(SignalKind::hangup())?),
        ]))
    }

    /// The next one, once it comes.
    async fn next(&mut self) -> Signal {
        poll_fn(|context| self.poll(context)).await
    }

    /// One that has come already.
    fn received(&mut self) -> Option<Signal> {
        match self.poll(&mut Context::from_waker(Waker::noop())) {
            Poll::Ready(signal) => Some(signal),
            Poll::Pending => None,
        }
    }

    fn poll(&mut self, context: &mut Context<'_>) -> Poll<Signal> {
        for (signal, stream) in &mut self.0 {
            if stream.poll_recv(context).is_ready() {
                return Poll::Ready(*signal);
            }
        }
        Poll::Pending
    }

    /// Waits for the command. A terminal's Ctrl-C reaches it by itself; a signal meant for us alone
    /// is passed on, and either way it is the command that decides when it is over.
    async fn wait(&mut self, mut child: Child) -> std::io::Result<ExitStatus> {
        loop {
            tokio::select! {
                status = child.wait() => return status,
                signal = self.next() => match signal {
                    Signal::SIGINT => {}
                    signal => send_signal(&child, signal),
                }
            }
        }
    }
}

fn send_signal(child: &Child, signal: Signal) {
    let pid = child.id().and_then(|pid| i32::try_from(pid).ok());
    if let Some(pid) = pid
        && let Err(error) = kill(Pid::from_raw(pid), signal)
    {
        eprintln!("with-postgres: the command could not be told to stop: {error}");
    }
}

/// A shell's way of saying how a command ended.
fn code(status: ExitStatus) -> u8 {
    use std::os::unix::process::ExitStatusExt;
    let number = status.code().or(status.signal().map(|signal| 128 + signal)).unwrap_or(1);
    u8::try_from(number).unwrap_or(1)
}

/// A folder that is removed at the end.
struct Folder(PathBuf);

impl Folder {
    fn new() -> std::io::Result<Self> {
        let parent = match env::var_os("WITH_POSTGRES_DIR") {
            Some(folder) => folder.into(),
            None if is_roomy(Path::new(MEMORY)) => MEMORY.into(),
            None => env::temp_dir(),
        };
        sweep(&parent);
        let path = parent.join(format!("{NAME}{}", std::process::id()));
        std::fs::create_dir_all(&path)?;
        Ok(Self(path))
    }

    /// Gives the command a place for temporary files, also for what it runs as another account, and
    /// an authority.
    fn equip(&self, command: &mut Command) -> std::io::Result<()> {
        let (temporary, trust) = (self.0.join("tmp"), self.0.join("trust"));
        for folder in [&temporary, &trust] {
            std::fs::create_dir_all(folder)?;
        }
        std::fs::set_permissions(&temporary, Permissions::from_mode(0o1777))?;
        let authority = trust.join("authority.pem");
        std::fs::write(&authority, AUTHORITY)?;
        command.env("TMPDIR", temporary);
        command.env("SSL_CERT_FILE", authority).env("SSL_CERT_DIR", trust);
        Ok(())
    }
}

/// Removes what runs of this program left behind that were killed without a chance to clean up.
fn sweep(parent: &Path) {
    let Ok(entries) = std::fs::read_dir(parent) else { return };
    for entry in entries.flatten() {
        let name = entry.file_name();
        let id = name.to_str().and_then(|name| name.strip_prefix(NAME)?.parse().ok());
        if id.is_some_and(|id| kill(Pid::from_raw(id), None) == Err(Errno::ESRCH))
            && let Err(error) = std::fs::remove_dir_all(entry.path())
        {
            eprintln!("with-postgres: {} remains: {error}", entry.path().display());
        }
    }
}

/// Whether there is enough memory for the databases of tests that run side by side; containers
/// often give next to nothing.
fn is_roomy(folder: &Path) -> bool {
    nix::sys::statvfs::statvfs(folder).is_ok_and(|facts| {
        u128::from(facts.blocks_available()) * u128::from(facts.fragment_size()) > ROOM
    })
}

impl Drop for Folder {
    fn drop(&mut self) {
        if let Err(error) = std::fs::remove_dir_all(&self.0) {
            eprintln!("with-postgres: {} remains: {error}", self.0.display());
        }
    }
}
