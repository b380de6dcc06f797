//! Reads the server's `postmaster.pid`, and handles stale ones.

use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};
use std::{fs, thread};

use nix::sys::signal::{Signal, kill};
use nix::unistd::Pid;

/// How long a server whose supervisor vanished may take to end before it is signalled.
const TIMEOUT: Duration = Duration::from_secs(5);
/// How long it may take to end after the signal.
const ASKED: Duration = Duration::from_secs(30);

/// The contents of `postmaster.pid`.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct PidFile {
    pub pid: i32,
    pub data: PathBuf,
    /// Whether the server takes connections.
    pub ready: bool,
}

impl PidFile {
    pub fn read(data: &Path) -> Option<Self> {
        Self::parse(&fs::read_to_string(path(data)).ok()?)
    }

    fn parse(text: &str) -> Option<Self> {
        let mut lines = text.lines();
        let pid = lines.next()?.trim().parse().ok()?;
        let data = PathBuf::from(lines.next()?);
        // The eighth line is the state; it appears late in the start.
        let ready = lines.nth(5).is_some_and(|state| state.trim() == "ready");
        Some(Self { pid, data, ready })
    }
}

fn path(data: &Path) -> PathBuf {
    data.join("postmaster.pid")
}

/// Makes way for a new server. We hold the folder's lock, so the process in `postmaster.pid` is a
/// leftover: a server whose supervisor was killed and that is shutting down by itself, a dead
/// process that was not reaped yet, or an unrelated process that reuses the process id.
pub(super) fn clear_leftovers(data: &Path) -> Result<(), String> {
    let start = Instant::now();
    let mut is_stopping = false;
    loop {
        let Some(note) = PidFile::read(data) else { return Ok(()) };
        match state(note.pid) {
            // A new server replaces a stale file itself when the process is gone.
            State::Gone => return Ok(()),
            State::Stranger | State::Dead if note.data == data => {
                return fs::remove_file(path(data)).map_err(|error| error.to_string());
            }
            _ => {}
        }
        if !is_stopping && start.elapsed() > TIMEOUT {
            tracing::warn!(pid = note.pid, "stopping a PostgreSQL of an earlier run");
            is_stopping = kill(Pid::from_raw(note.pid), Signal::SIGINT).is_ok();
        }
        if start.elapsed() > TIMEOUT + ASKED {
            return Err(format!("process {} still serves {}", note.pid, data.display()));
        }
        thread::sleep(Duration::from_millis(50));
    }
}

#[derive(Debug, PartialEq, Eq)]
enum State {
    Gone,
    /// A zombie: it has ended, but its parent has not reaped it. It holds no resources.
    Dead,
    /// A process that is not PostgreSQL.
    Stranger,
    Running,
}

fn state(pid: i32) -> State {
    if kill(Pid::from_raw(pid), None) == Err(nix::errno::Errno::ESRCH) {
        return State::Gone;
    }
    // The format is `pid (name) state …`. Without /proc the server has to decide itself.
    let Ok(facts) = fs::read_to_string(format!("/proc/{pid}/stat")) else { return State::Running };
    let Some((head, tail)) = facts.rsplit_once(") ") else { return State::Running };
    if tail.starts_with('Z') || tail.starts_with('X') {
        State::Dead
    } else if head.ends_with("(postgres") {
        State::Running
    } else {
        State::Stranger
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn note_is_ready_only_with_its_eighth_line() {
        let start = "4711\n/data/15\n1700000000\n5432\n/run\n\n  5432001    32768\n";
        let note = |text: &str| PidFile::parse(text).unwrap();
        assert_eq!(note(start), PidFile { pid: 4711, data: "/data/15".into(), ready: false });
        assert!(!note(&format!("{start}starting\n")).ready);
        assert!(note(&format!("{start}ready   \n")).ready);
        assert_eq!(PidFile::parse(""), None);
    }

    #[test]
    fn foreign_and_vanished_processes_are_distinguished() {
        assert_eq!(state(i32::MAX), State::Gone);
        if cfg!(target_os = "linux") {
            let own = i32::try_from(std::process::id()).unwrap();
            assert_eq!(state(own), State::Stranger);
        }
    }
}
