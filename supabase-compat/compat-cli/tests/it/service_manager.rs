//! The program's notifications to systemd, and the health check.

use std::io::{BufRead, BufReader};
use std::os::unix::net::UnixDatagram;
use std::path::PathBuf;
use std::process::{Child, Command, Output, Stdio};
use std::time::Duration;

use compat_testkit::TestDatabase;
use nix::sys::signal::{Signal, kill};
use nix::unistd::Pid;

/// A temporary folder, removed when it is dropped.
struct Scratch(PathBuf);

impl Scratch {
    fn new(name: &str) -> Self {
        let path = std::env::temp_dir().join(format!("{name}-{}", std::process::id()));
        std::fs::create_dir_all(&path).expect("a folder");
        Self(path)
    }
}

impl Drop for Scratch {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&self.0);
    }
}

/// The running program, killed when it is dropped.
struct Server(Child);

impl Server {
    fn signal(&self, signal: Signal) {
        kill(Pid::from_raw(self.0.id().cast_signed()), signal).expect("a process");
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

fn program(database: &TestDatabase, folder: &Scratch, arguments: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_supabase-compat"));
    command.env_clear().env("DATABASE_URL", database.owner_url()).args(arguments);
    command.arg("--data-dir").arg(&folder.0).args(["--only", "rest"]);
    command
}

/// Waits for the next message that starts with `begin`; skips the others.
fn message(socket: &UnixDatagram, begin: &str) -> String {
    let mut buffer = [0; 1024];
    loop {
        let length = socket.recv(&mut buffer).expect("a message arrives in time");
        let text = String::from_utf8(buffer[..length].to_vec()).expect("text");
        if text.starts_with(begin) {
            return text;
        }
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn service_manager_is_notified_of_each_state() {
    let database = TestDatabase::empty().await;
    let folder = Scratch::new("notify");
    let path = folder.0.join("socket");
    let socket = UnixDatagram::bind(&path).unwrap();
    socket.set_read_timeout(Some(Duration::from_secs(60))).unwrap();
    let mut command = program(&database, &folder, &["serve", "--port", "0"]);
    command.env("NOTIFY_SOCKET", &path).env("WATCHDOG_USEC", "200000");
    let mut server = Server(command.stdout(Stdio::null()).spawn().unwrap());
    let ready = message(&socket, "READY=1");
    assert!(ready.contains("STATUS=serving http://localhost:"), "{ready}");
    message(&socket, "WATCHDOG=1");
    message(&socket, "WATCHDOG=1");
    server.signal(Signal::SIGTERM);
    message(&socket, "STOPPING=1");
    assert!(server.0.wait().unwrap().success());
}

/// A loopback address that no other process of the tests uses, so that its ports are free.
fn own_address() -> String {
    let [_, _, high, low] = std::process::id().to_be_bytes();
    format!("127.77.{high}.{low}")
}

fn text(output: &Output) -> String {
    String::from_utf8_lossy(&[&*output.stdout, &*output.stderr].concat()).into_owned()
}

#[tokio::test(flavor = "multi_thread")]
async fn health_command_succeeds_only_with_ready_server() {
    let database = TestDatabase::empty().await;
    let folder = Scratch::new("health");
    let address = own_address();
    let admin = ["--admin-host", &*address, "--admin-port", "9100"];
    let health = [&["health"], &admin[..]].concat();
    let before = program(&database, &folder, &health).output().unwrap();
    assert_eq!(before.status.code(), Some(1));
    let refusal = format!("nobody answers at {address}");
    assert!(text(&before).contains(&refusal), "{}", text(&before));

    let serve = [&["serve", "--port", "0"], &admin[..]].concat();
    let mut command = program(&database, &folder, &serve);
    let mut server = Server(command.stdout(Stdio::piped()).spawn().unwrap());
    let lines = BufReader::new(server.0.stdout.take().unwrap()).lines();
    let mut lines = lines.map_while(Result::ok);
    assert!(lines.any(|line| line.starts_with("ready ")), "the server starts");
    let after = program(&database, &folder, &health).output().unwrap();
    assert!(after.status.success(), "{}", text(&after));

    let without = program(&database, &folder, &["health"]).output().unwrap();
    assert!(text(&without).contains("--admin-port"), "{}", text(&without));
}
