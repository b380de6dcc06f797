//! One thread that owns the server's process: starts it, waits for it, starts it again.
//!
//! It is a thread of its own because Linux ties the child's "tell me when my parent dies" to the
//! thread that made it, and a pool's thread may end long before the program does.

use std::fs::File;
use std::os::unix::process::CommandExt;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::Path;
use std::process::{Child, Command};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};
use std::{fs, thread};

use compat_subprocess::end_with_us;
use nix::sys::signal::{Signal, kill};
use nix::unistd::Pid;
use tokio::sync::watch;

use super::cluster::PreparedCluster;
use super::error::EmbeddedError;
use super::postmaster;
use super::postmaster::PidFile;

const FIRST_PAUSE: Duration = Duration::from_millis(100);
const LONGEST_PAUSE: Duration = Duration::from_secs(30);
/// A server that lived this long did not crash because of how it was started.
const HEALTHY: Duration = Duration::from_secs(60);
/// How long the first start is tried again when a leftover of an earlier server is in the way.
const LEFTOVERS: Duration = Duration::from_secs(10);
/// How often a starting or stopping server is looked at.
const LOOK: Duration = Duration::from_millis(5);
/// How often a running one is.
const WATCH: Duration = Duration::from_millis(200);
/// How long a clean stop may take.
const CLEAN_STOP: Duration = Duration::from_secs(10);

/// What the server is doing.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ServerStatus {
    /// It is starting, or recovering what a crash interrupted.
    Starting,
    /// It takes connections.
    Ready,
    /// It ended unexpectedly and will be started again.
    Down,
    /// It was stopped, as asked.
    Stopped,
    /// It cannot be started; the text says why.
    Failed(String),
}

pub(super) struct Supervisor {
    shared: Arc<Shared>,
    status: watch::Receiver<ServerStatus>,
}

struct Shared {
    state: Mutex<State>,
    wake: Condvar,
    status: watch::Sender<ServerStatus>,
}

#[derive(Default)]
struct State {
    stop: bool,
    pid: Option<u32>,
}

impl Shared {
    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Waits until asked to stop, at most this long; says whether it was asked.
    fn stopping_after(&self, time: Duration) -> bool {
        let state = self.state();
        let waited = self.wake.wait_timeout_while(state, time, |state| !state.stop);
        waited.unwrap_or_else(PoisonError::into_inner).0.stop
    }

    fn ask_to_stop(&self) {
        self.state().stop = true;
        self.wake.notify_all();
    }
}

impl Supervisor {
    pub fn start(prepared: PreparedCluster) -> Result<Self, EmbeddedError> {
        let (sender, status) = watch::channel(ServerStatus::Starting);
        let shared =
            Arc::new(Shared { state: Mutex::default(), wake: Condvar::new(), status: sender });
        let theirs = shared.clone();
        thread::Builder::new()
            .name("postgres".to_owned())
            .spawn(move || {
                let life = catch_unwind(AssertUnwindSafe(|| supervise(&prepared, &theirs)));
                let last =
                    life.unwrap_or_else(|_| ServerStatus::Failed("its supervisor failed".into()));
                // The folder is free before anyone hears that the server is gone.
                drop(prepared);
                theirs.status.send_replace(last);
            })
            .map_err(|error| EmbeddedError::Start(error.to_string()))?;
        Ok(Self { shared, status })
    }

    pub async fn until_ready(&self) -> Result<(), EmbeddedError> {
        let mut status = self.status.clone();
        let reached = status
            .wait_for(|status| {
                matches!(
                    status,
                    ServerStatus::Ready | ServerStatus::Stopped | ServerStatus::Failed(_)
                )
            })
            .await
            .map_or(ServerStatus::Stopped, |status| status.clone());
        match reached {
            ServerStatus::Ready => Ok(()),
            ServerStatus::Failed(reason) => Err(EmbeddedError::Start(reason)),
            _ => Err(EmbeddedError::Start("it was stopped while it started".to_owned())),
        }
    }

    pub fn status(&self) -> ServerStatus {
        self.status.borrow().clone()
    }

    pub fn pid(&self) -> Option<u32> {
        self.shared.state().pid
    }

    pub async fn changed(&mut self) -> ServerStatus {
        match self.status.changed().await {
            Ok(()) => self.status.borrow_and_update().clone(),
            Err(_) => self.status(),
        }
    }

    pub async fn stop(self) {
        self.shared.ask_to_stop();
        let mut status = self.status.clone();
        let ended = |status: &ServerStatus| {
            matches!(status, ServerStatus::Stopped | ServerStatus::Failed(_))
        };
        // An error means that the thread is gone, and with it the server.
        drop(status.wait_for(ended).await);
    }
}

impl Drop for Supervisor {
    fn drop(&mut self) {
        self.shared.ask_to_stop();
    }
}

/// The thread's whole life; returns the last status.
fn supervise(prepared: &PreparedCluster, shared: &Shared) -> ServerStatus {
    let began = Instant::now();
    let mut served = false;
    let mut pause = FIRST_PAUSE;
    loop {
        if shared.state().stop {
            return ServerStatus::Stopped;
        }
        let born = Instant::now();
        let life = live(prepared, shared);
        shared.state().pid = None;
        let reason = match life {
            Ok(ProcessEnd::Stopped) => return ServerStatus::Stopped,
            Ok(ProcessEnd::Served) => {
                served = true;
                "it ended unexpectedly".to_owned()
            }
            Ok(ProcessEnd::Refused) => complaint(&prepared.log),
            Err(reason) => reason,
        };
        let leaving = in_the_way(&reason) && began.elapsed() < LEFTOVERS;
        // A server that never served would fail in the same way again. Only the leftover of an
        // earlier one goes away by itself.
        if !served && !leaving {
            return ServerStatus::Failed(reason);
        }
        tracing::error!(%reason, "PostgreSQL down; restarting");
        shared.status.send_replace(ServerStatus::Down);
        pause = if born.elapsed() > HEALTHY { FIRST_PAUSE } else { pause };
        if shared.stopping_after(pause) {
            return ServerStatus::Stopped;
        }
        pause = (pause * 2).min(LONGEST_PAUSE);
    }
}

/// How one server process ended.
enum ProcessEnd {
    Stopped,
    /// It took connections before it ended.
    Served,
    /// It never came up.
    Refused,
}

/// Starts one process and stays with it until it is gone and waited for.
fn live(prepared: &PreparedCluster, shared: &Shared) -> Result<ProcessEnd, String> {
    postmaster::clear_leftovers(&prepared.data)?;
    let mut child = launch(prepared).map_err(|error| error.to_string())?;
    shared.state().pid = Some(child.id());
    shared.status.send_replace(ServerStatus::Starting);
    let mut ready = false;
    loop {
        match child.try_wait() {
            Ok(None) => {}
            Ok(Some(status)) => {
                tracing::debug!(%status, "PostgreSQL ended");
                return Ok(if ready { ProcessEnd::Served } else { ProcessEnd::Refused });
            }
            Err(error) => return Err(error.to_string()),
        }
        // The note may be an earlier server's, so it counts only with this child's process id.
        if !ready && announces(&prepared.data, &child) {
            ready = true;
            shared.status.send_replace(ServerStatus::Ready);
        }
        if shared.stopping_after(if ready { WATCH } else { LOOK }) {
            end(&mut child);
            return Ok(ProcessEnd::Stopped);
        }
    }
}

fn announces(data: &Path, child: &Child) -> bool {
    PidFile::read(data).is_some_and(|note| note.ready && u32::try_from(note.pid) == Ok(child.id()))
}

fn launch(prepared: &PreparedCluster) -> std::io::Result<Child> {
    let mut command = Command::new(&prepared.program);
    prepared.account.configure(&mut command);
    let output = File::create(prepared.log.join("start.log"))?;
    command
        .args(&prepared.arguments)
        .stdout(output.try_clone()?)
        .stderr(output)
        // A Ctrl-C at the terminal is for this program, which then stops the server in order.
        .process_group(0);
    end_with_us(&mut command, Signal::SIGINT);
    command.spawn()
}

/// Fast shutdown, then immediate; never SIGKILL, which would leave its children behind.
fn end(child: &mut Child) {
    let signal_server = |signal| {
        let pid = i32::try_from(child.id()).map(Pid::from_raw);
        if let Ok(pid) = pid
            && let Err(error) = kill(pid, signal)
        {
            tracing::warn!(%error, "PostgreSQL stop signal failed");
        }
    };
    signal_server(Signal::SIGINT);
    let started = Instant::now();
    let mut urged = false;
    while let Ok(None) = child.try_wait() {
        if !urged && started.elapsed() > CLEAN_STOP {
            tracing::warn!("PostgreSQL does not stop; requesting an immediate shutdown");
            let pid = i32::try_from(child.id()).map(Pid::from_raw);
            urged = pid.is_ok_and(|pid| kill(pid, Signal::SIGQUIT).is_ok());
        }
        thread::sleep(LOOK);
    }
}

/// The end of what the server wrote before it gave up.
fn complaint(log: &Path) -> String {
    let text = fs::read_to_string(log.join("start.log")).unwrap_or_default();
    let lines: Vec<_> = text.trim().lines().rev().take(6).collect();
    if lines.is_empty() {
        return format!("it said nothing; see {}", log.display());
    }
    lines.into_iter().rev().collect::<Vec<_>>().join(" / ")
}

/// Whether a server of an earlier life is still leaving.
fn in_the_way(reason: &str) -> bool {
    ["lock file", "shared memory block", "still serves"].iter().any(|sign| reason.contains(sign))
}
