//! Connections through a pooler that may run each transaction in a different session.

use std::net::TcpListener;
use std::os::unix::process::CommandExt;
use std::path::Path;
use std::process::{Child, Command, Stdio};

use compat_pg::{ActingConfig, ActingDb, TransactionOptions};
use compat_testkit::TestDatabase;
use nix::sys::signal::{Signal, kill};
use nix::unistd::{Pid, Uid, User};

use crate::world::{Folder, identity, statement, text, value};

struct Pooler {
    process: Child,
    port: u16,
}

impl Pooler {
    /// Starts pgbouncer in transaction mode with two sessions; `None` if it is not installed.
    async fn start(db: &TestDatabase, folder: &Path) -> Option<Self> {
        let socket: String =
            value(&db.pools().owner, "select current_setting('unix_socket_directories')").await;
        let port = TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap().port();
        let users = folder.join("users");
        std::fs::write(&users, "\"authenticator\" \"\"\n").unwrap();
        let settings = folder.join("pgbouncer.ini");
        let text = format!(
            "[databases]\n* = host={} \n[pgbouncer]\nlisten_addr = 127.0.0.1\n\
             listen_port = {port}\nauth_type = trust\nauth_file = {}\n\
             pool_mode = transaction\ndefault_pool_size = 2\nunix_socket_dir =\n",
            socket.trim_matches('"'),
            users.display()
        );
        std::fs::write(&settings, text).unwrap();
        let mut command = Command::new("pgbouncer");
        command.arg(&settings).stdout(Stdio::null()).stderr(Stdio::null());
        if Uid::effective().is_root() {
            let account = User::from_name("postgres").unwrap().unwrap();
            command.uid(account.uid.as_raw()).gid(account.gid.as_raw());
        }
        let process = command.spawn().ok()?;
        let mut pooler = Self { process, port };
        while std::net::TcpStream::connect(("127.0.0.1", port)).is_err() {
            assert_eq!(pooler.process.try_wait().unwrap(), None, "pgbouncer ended");
            std::thread::yield_now();
        }
        Some(pooler)
    }
}

impl Drop for Pooler {
    fn drop(&mut self) {
        kill(Pid::from_raw(i32::try_from(self.process.id()).unwrap()), Signal::SIGINT).unwrap();
        self.process.wait().unwrap();
    }
}

#[tokio::test]
async fn requests_share_sessions_without_seeing_each_other() {
    let db = TestDatabase::empty().await;
    let folder = Folder::new("pooler");
    let Some(pooler) = Pooler::start(&db, folder.path()).await else {
        eprintln!("skipped: pgbouncer is not installed");
        return;
    };
    let url = format!(
        "postgresql://authenticator@127.0.0.1:{}/{}?sslmode=disable",
        pooler.port,
        db.name()
    );
    let config =
        ActingConfig { max_connections: 6, prepared_statements: false, ..ActingConfig::default() };
    let acting = ActingDb::new(&url, None, &config).unwrap();
    let requests = (0..200).map(|number| {
        let acting = &acting;
        async move {
            let caller = identity(["anon", "authenticated"][number % 2]);
            let mine = number.to_string();
            let sql = "select current_user || ' ' || $1::int || ' ' || pg_backend_pid()::text";
            let params = [Some(mine.as_str())];
            let options =
                TransactionOptions { before: Some("select 1"), ..TransactionOptions::default() };
            let rows = acting.run_in(&options, &caller, statement(sql, &params)).await.unwrap();
            let answer = text(&rows);
            assert!(answer.starts_with(&format!("{} {mine} ", caller.role)), "{answer}");
            answer.rsplit(' ').next().unwrap().to_owned()
        }
    });
    let mut sessions = futures_util::future::join_all(requests).await;
    sessions.sort();
    sessions.dedup();
    assert!(sessions.len() <= 2, "six connections share two sessions: {sessions:?}");
    acting.close();
}
