//! The program that runs a command with a throw-away cluster.

use std::io::{BufRead, BufReader};
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use nix::errno::Errno;
use nix::sys::signal::{Signal, kill};
use nix::unistd::Pid;

fn with_postgres(command: &[&str]) -> Command {
    let mut program = Command::new(env!("CARGO_BIN_EXE_with-postgres"));
    // These tests may themselves be run by it.
    program.env_remove("TEST_DATABASE_URL").args(command).stderr(Stdio::null());
    program
}

/// The folder of the cluster whose address this is.
fn home(address: &str) -> std::path::PathBuf {
    let socket = address.trim().split(['@', '/']).nth(3).unwrap().replace("%2F", "/");
    std::path::Path::new(&socket).parent().unwrap().to_owned()
}

#[test]
fn command_has_a_server_and_returns_exit_code() {
    let script = "echo $TEST_DATABASE_URL; exit 7";
    let output = with_postgres(&["sh", "-c", script]).output().unwrap();
    assert_eq!(output.status.code(), Some(7));
    let address = String::from_utf8(output.stdout).unwrap();
    assert!(address.starts_with("postgresql://postgres@%2F"), "{address}");
    assert!(!home(&address).exists(), "the folder is gone");
}

#[test]
fn command_ended_by_signal_returns_shell_exit_code() {
    let status = with_postgres(&["sh", "-c", "kill -TERM $$"]).status().unwrap();
    assert_eq!(status.code(), Some(128 + 15));
}

#[test]
fn cluster_that_exists_already_is_used() {
    let script = "test $TEST_DATABASE_URL = postgresql://given";
    let mut command = with_postgres(&["sh", "-c", script]);
    assert_eq!(
        command.env("TEST_DATABASE_URL", "postgresql://given").status().unwrap().code(),
        Some(0)
    );
}

#[test]
fn missing_program_returns_exit_code_one() {
    assert_eq!(with_postgres(&["/no/such/program"]).status().unwrap().code(), Some(1));
}

/// A command that waits to be told to end; the server's process id, and its folder.
fn waiting(folder: &std::path::Path) -> (Child, Pid, std::path::PathBuf) {
    std::fs::create_dir_all(folder).unwrap();
    let mut program = with_postgres(&["sh", "-c", "echo $TEST_DATABASE_URL; exec sleep 600"]);
    program.env("WITH_POSTGRES_DIR", folder).stdout(Stdio::piped());
    let mut child = program.spawn().unwrap();
    let mut address = String::new();
    BufReader::new(child.stdout.take().unwrap()).read_line(&mut address).unwrap();
    let home = home(&address);
    let data = std::fs::read_dir(home.join("data")).unwrap().next().unwrap().unwrap().path();
    let note = std::fs::read_to_string(data.join("postmaster.pid")).unwrap();
    let server = Pid::from_raw(note.lines().next().unwrap().parse().unwrap());
    (child, server, home)
}

/// A place of a test's own, where no other run sweeps.
fn folder(name: &str) -> std::path::PathBuf {
    std::env::temp_dir().join(format!("testkit-{}-{name}", std::process::id()))
}

fn id(child: &Child) -> Pid {
    Pid::from_raw(i32::try_from(child.id()).unwrap())
}

/// Waits until a process that is not our child has ended.
fn until_gone(process: Pid) {
    let began = Instant::now();
    while kill(process, None) != Err(Errno::ESRCH) {
        assert!(began.elapsed() < Duration::from_secs(30), "{process} still runs");
        std::thread::yield_now();
    }
}

#[test]
fn sigterm_stops_the_command_and_the_cluster() {
    let folder = folder("stop");
    let (mut child, server, home) = waiting(&folder);
    kill(id(&child), Signal::SIGTERM).unwrap();
    assert_eq!(child.wait().unwrap().code(), Some(128 + 15));
    assert_eq!(kill(server, None), Err(Errno::ESRCH));
    assert!(!home.exists());
    std::fs::remove_dir(folder).unwrap();
}

#[test]
#[cfg(target_os = "linux")]
fn server_stops_when_its_supervisor_is_killed() {
    let folder = folder("kill");
    let (mut child, server, home) = waiting(&folder);
    let command = Command::new("pgrep").args(["-P", &child.id().to_string(), "sleep"]).output();
    kill(id(&child), Signal::SIGKILL).unwrap();
    child.wait().unwrap();
    until_gone(server);
    // A clean shutdown takes its note away; a crash leaves it.
    let data = std::fs::read_dir(home.join("data")).unwrap().next().unwrap().unwrap().path();
    assert!(!data.join("postmaster.pid").exists());
    let orphan = String::from_utf8(command.unwrap().stdout).unwrap();
    kill(Pid::from_raw(orphan.trim().parse().unwrap()), Signal::SIGTERM).unwrap();

    // The next run in the same place removes what this one had to leave.
    let mut next = with_postgres(&["true"]);
    assert!(next.env("WITH_POSTGRES_DIR", &folder).status().unwrap().success());
    assert!(!home.exists());
    std::fs::remove_dir(folder).unwrap();
}
