//! `with-postgres COMMAND…`: runs a command with a temporary PostgreSQL cluster and exits with the
//! command's exit code. The command finds the cluster's URL in `TEST_DATABASE_URL`. The cluster is
//! deleted afterwards, also if the command fails or is interrupted.
//!
//! The command's temporary files are beside the cluster, in memory if there is room, and are
//! deleted with it. The command trusts only one certificate authority.
//!
//! `PG_BINDIR` sets the folder of the server's programs, `WITH_POSTGRES_DIR` that of the cluster.

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

/// A file system in memory, where cloning a database is some twenty times as fast as on a disk.
const MEMORY: &str = "/dev/shm";
/// The number of bytes that must be free in [`MEMORY`].
const ROOM: u128 = 2 << 30;

/// The only certificate authority that the command trusts. Every test creates its own HTTP clients,
/// and reading all of the system's authorities takes longer than most tests. No test connects to a
/// server that needs them.
const AUTHORITY: &str = include_str!("authority.pem");

/// The name of a run's folder, without the process id at its end.
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

/// The signals that ask a program to stop. They are caught from the start on, so that none of them
/// ends this program before it has stopped its server.
struct Signals([(Signal, tokio::signal::unix::Signal); 3]);

impl Signals {
    fn listen() -> std::io::Result<Self> {
        Ok(Self([
            (Signal::SIGINT, signal(SignalKind::interrupt())?),
            (Signal::SIGTERM, signal(SignalKind::terminate())?),
            (Signal::SIGHUP, signal(SignalKind::hangup())?),
        ]))
    }

    /// Waits for the next signal.
    async fn next(&mut self) -> Signal {
        poll_fn(|context| self.poll(context)).await
    }

    /// A signal that has arrived already, if any.
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

    /// Waits for the command to end. A terminal sends SIGINT to the command, too; other signals are
    /// forwarded. Either way the command decides when it ends.
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
        eprintln!("with-postgres: cannot signal the command: {error}");
    }
}

/// The exit code that a shell gives a command with this status.
fn code(status: ExitStatus) -> u8 {
    use std::os::unix::process::ExitStatusExt;
    let number = status.code().or(status.signal().map(|signal| 128 + signal)).unwrap_or(1);
    u8::try_from(number).unwrap_or(1)
}

/// The folder of a run, removed when it is dropped.
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

    /// Sets the command's folder for temporary files, which every account may use, and its
    /// certificate authority.
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

/// Removes the folders of earlier runs that were killed before they could clean up.
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

/// Whether the file system has room for the databases of parallel tests; in containers it is often
/// tiny.
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
