//! A thread that owns the server's process: it starts the server, waits for it and restarts it.
//!
//! It is a separate thread because Linux ties the child's parent-death signal to the thread that
//! created it, and a thread of a pool may end long before the program does.

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
/// A server that ran this long did not crash because of its start, so the restart pause is reset.
const HEALTHY: Duration = Duration::from_secs(60);
/// How long the first start is retried while a leftover of an earlier server blocks it.
const LEFTOVERS: Duration = Duration::from_secs(10);
/// How often a starting or stopping server is polled.
const LOOK: Duration = Duration::from_millis(5);
/// How often a running server is polled.
const WATCH: Duration = Duration::from_millis(200);
/// How long a fast shutdown may take before an immediate one.
const CLEAN_STOP: Duration = Duration::from_secs(10);

/// The state of the server.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ServerStatus {
    /// It is starting, or recovering after a crash.
    Starting,
    /// It accepts connections.
    Ready,
    /// It ended unexpectedly and will be restarted.
    Down,
    /// It was stopped on request.
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

    /// Waits at most this long for a stop request; returns whether there is one.
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
                let outcome = catch_unwind(AssertUnwindSafe(|| supervise(&prepared, &theirs)));
                let last = outcome
                    .unwrap_or_else(|_| ServerStatus::Failed("its supervisor failed".into()));
                // The folder is unlocked before the end of the server is reported.
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
        // An error means that the thread has ended, and the server with it.
        drop(status.wait_for(ended).await);
    }
}

impl Drop for Supervisor {
    fn drop(&mut self) {
        self.shared.ask_to_stop();
    }
}

/// Runs the server until it is stopped or cannot start; returns the last status.
fn supervise(prepared: &PreparedCluster, shared: &Shared) -> ServerStatus {
    let began = Instant::now();
    let mut served = false;
    let mut pause = FIRST_PAUSE;
    loop {
        if shared.state().stop {
            return ServerStatus::Stopped;
        }
        let process_start = Instant::now();
        let outcome = live(prepared, shared);
        shared.state().pid = None;
        let reason = match outcome {
            Ok(ProcessEnd::Stopped) => return ServerStatus::Stopped,
            Ok(ProcessEnd::Served) => {
                served = true;
                "it ended unexpectedly".to_owned()
            }
            Ok(ProcessEnd::Refused) => startup_error(&prepared.log),
            Err(reason) => reason,
        };
        let leaving = is_in_use(&reason) && began.elapsed() < LEFTOVERS;
        // A server that never accepted connections would fail in the same way again. Only the
        // leftover of an earlier server disappears by itself.
        if !served && !leaving {
            return ServerStatus::Failed(reason);
        }
        tracing::error!(%reason, "PostgreSQL down; restarting");
        shared.status.send_replace(ServerStatus::Down);
        pause = if process_start.elapsed() > HEALTHY { FIRST_PAUSE } else { pause };
        if shared.stopping_after(pause) {
            return ServerStatus::Stopped;
        }
        pause = (pause * 2).min(LONGEST_PAUSE);
    }
}

/// How one server process ended.
enum ProcessEnd {
    Stopped,
    /// It accepted connections before it ended.
    Served,
    /// It never accepted connections.
    Refused,
}

/// Starts one process and waits until it has ended.
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
        // The file may be an earlier server's, so it counts only with this child's process id.
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
        // Ctrl-C in the terminal reaches this program only, which then stops the server cleanly.
        .process_group(0);
    end_with_us(&mut command, Signal::SIGINT);
    command.spawn()
}

/// Requests a fast, then an immediate shutdown; never SIGKILL, which would leave child processes.
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

/// The last lines that the server wrote before it failed to start.
fn startup_error(log: &Path) -> String {
    let text = fs::read_to_string(log.join("start.log")).unwrap_or_default();
    let lines: Vec<_> = text.trim().lines().rev().take(6).collect();
    if lines.is_empty() {
        return format!("it said nothing; see {}", log.display());
    }
    lines.into_iter().rev().collect::<Vec<_>>().join(" / ")
}

/// Whether an earlier server is still shutting down.
fn is_in_use(reason: &str) -> bool {
    ["lock file", "shared memory block", "still serves"].iter().any(|sign| reason.contains(sign))
}
