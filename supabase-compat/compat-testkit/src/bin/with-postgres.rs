//! `with-postgres COMMAND…`: runs a command with a throw-away PostgreSQL cluster, whose address it
//! finds in `TEST_DATABASE_URL`, and passes its exit code on. The cluster is gone afterwards, also
//! when the command fails or is interrupted.

use std::{
    env,
    path::{Path, PathBuf},
    process::{ExitCode, ExitStatus},
    sync::Arc,
};

use compat_pg::{ConnectConfig, EmbeddedConfig, EmbeddedPostgres, Pools, ensure_roles};
use tokio::{
    process::{Child, Command},
    signal::unix::{SignalKind, signal},
};

const ADDRESS: &str = "TEST_DATABASE_URL";

/// A file system in memory, where a database is cloned some twenty times as fast as on a disk.
const MEMORY: &str = "/dev/shm";
/// Bytes that must be free there.
const ROOM: u128 = 2 << 30;

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
    let mut words = env::args_os().skip(1).skip_while(|word| word == "--");
    let program = words.next().ok_or("usage: with-postgres COMMAND [ARGUMENT…]")?;
    let mut command = Command::new(program);
    command.args(words);
    if env::var_os(ADDRESS).is_some() {
        return Ok(code(wait(command.spawn()?).await?));
    }
    let folder = Folder::new()?;
    let server = EmbeddedPostgres::start(config(&folder.0)).await?;
    let outcome = with(&server, command).await;
    server.stop().await;
    Ok(code(outcome?))
}

async fn with(server: &EmbeddedPostgres, mut command: Command) -> Outcome<ExitStatus> {
    let pools = Pools::connect(&ConnectConfig::new(server.owner_url())).await?;
    ensure_roles(&pools.owner).await?;
    pools.close().await;
    wait(command.env(ADDRESS, server.owner_url()).spawn()?).await
}

fn config(home: &Path) -> EmbeddedConfig {
    let mut config = EmbeddedConfig::throwaway(home);
    config.bin_dir = env::var_os("PG_BINDIR").map(PathBuf::from);
    config.progress = Some(Arc::new(|news| eprintln!("with-postgres: {news}")));
    config
}

/// Waits for the command. A terminal's Ctrl-C reaches it by itself; a signal meant for us alone is
/// passed on, and either way it is the command that decides when it is over.
async fn wait(mut child: Child) -> Outcome<ExitStatus> {
    let mut interrupted = signal(SignalKind::interrupt())?;
    let mut terminated = signal(SignalKind::terminate())?;
    let mut hung_up = signal(SignalKind::hangup())?;
    loop {
        tokio::select! {
            status = child.wait() => return Ok(status?),
            _ = interrupted.recv() => {}
            _ = terminated.recv() => tell(&child, nix::sys::signal::Signal::SIGTERM),
            _ = hung_up.recv() => tell(&child, nix::sys::signal::Signal::SIGHUP),
        }
    }
}

fn tell(child: &Child, signal: nix::sys::signal::Signal) {
    let pid = child.id().and_then(|pid| i32::try_from(pid).ok());
    if let Some(pid) = pid
        && let Err(error) = nix::sys::signal::kill(nix::unistd::Pid::from_raw(pid), signal)
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
        let parent = if is_roomy(Path::new(MEMORY)) { MEMORY.into() } else { env::temp_dir() };
        let path = parent.join(format!("with-postgres-{}", std::process::id()));
        std::fs::create_dir_all(&path)?;
        Ok(Self(path))
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
