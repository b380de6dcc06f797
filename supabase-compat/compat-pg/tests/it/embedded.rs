//! The embedded server from its first start to its stop.

use std::path::Path;
use std::time::Duration;

use compat_pg::embedded::{PasswordPort, ServerStatus};
use compat_pg::{
    ConnectConfig, EmbeddedConfig, EmbeddedError, EmbeddedPostgres, OwnerDb, Pools, ensure_roles,
    set_programs_password,
};
use nix::errno::Errno;
use nix::sys::signal::{Signal, kill};
use nix::unistd::Pid;

use crate::world::{Folder, bin_dir, identity, script, statement, text, value};

fn durable(home: &Path) -> EmbeddedConfig {
    EmbeddedConfig { bin_dir: bin_dir(), ..EmbeddedConfig::new(home) }
}

async fn start(home: &Path) -> EmbeddedPostgres {
    EmbeddedPostgres::start(durable(home)).await.unwrap()
}

async fn owner(server: &EmbeddedPostgres) -> OwnerDb {
    Pools::connect(&ConnectConfig::new(server.owner_url())).await.unwrap().owner
}

fn pid(server: &EmbeddedPostgres) -> Pid {
    Pid::from_raw(i32::try_from(server.pid().unwrap()).unwrap())
}

#[tokio::test]
async fn restarted_server_keeps_its_data() {
    let folder = Folder::new("life");
    let server = start(folder.path()).await;
    let first = owner(&server).await;
    script(&first, "create table public.kept (x int); insert into public.kept values (42)").await;
    first.close().await;
    let process = pid(&server);
    assert_eq!(server.status(), ServerStatus::Ready);
    server.stop().await;
    assert_eq!(kill(process, None), Err(Errno::ESRCH), "the process is gone");
    assert!(!folder.path().join(format!("data/{}/postmaster.pid", major(&folder))).exists());

    let server = start(folder.path()).await;
    let second = owner(&server).await;
    assert_eq!(value::<i32>(&second, "select x from public.kept").await, 42);
    second.close().await;
    server.stop().await;
}

#[tokio::test]
async fn unsynced_first_start_creates_a_new_cluster() {
    let folder = Folder::new("cut-off");
    let mut server = start(folder.path()).await;
    let data = folder.path().join("data").join(major(&folder));
    server.until_synced().await.unwrap();
    assert!(!data.join("unsynced").exists(), "what is on the disk is no longer marked");
    let first = owner(&server).await;
    script(&first, "create table public.kept (x int)").await;
    first.close().await;
    server.stop().await;

    // This is what a machine may leave that failed before all files were on the disk.
    std::fs::write(data.join("unsynced"), "").unwrap();
    std::fs::write(data.join("global/pg_control"), "").unwrap();
    let server = start(folder.path()).await;
    let second = owner(&server).await;
    let is_empty = second.answers("select to_regclass('public.kept') is null").await.unwrap();
    assert!(is_empty, "the cluster is a new one");
    second.close().await;
    server.stop().await;
    assert!(!data.join("unsynced").exists());
}

fn major(folder: &Folder) -> String {
    let mut entries = std::fs::read_dir(folder.path().join("data")).unwrap();
    entries.next().unwrap().unwrap().file_name().into_string().unwrap()
}

#[tokio::test]
async fn second_process_on_a_data_folder_is_refused() {
    let folder = Folder::new("twice");
    let server = start(folder.path()).await;
    let refusal = EmbeddedPostgres::start(durable(folder.path())).await.err().unwrap();
    assert_eq!(
        refusal.to_string(),
        format!(
            "the data folder {} is in use by process {}; stop it or choose another folder",
            folder.path().display(),
            std::process::id()
        )
    );
    server.stop().await;
    start(folder.path()).await.stop().await;
}

#[tokio::test]
async fn crashed_server_restarts_with_its_committed_data() {
    let folder = Folder::new("crash");
    let mut server = start(folder.path()).await;
    let config = server.connect_config();
    let pools = Pools::connect(&config).await.unwrap();
    ensure_roles(&pools.owner).await.unwrap();
    script(&pools.owner, "create table public.kept (x int); insert into public.kept values (42)")
        .await;
    let hello = statement("select 'hello'", &[]);
    assert_eq!(text(&pools.acting.run(&identity("anon"), hello).await.unwrap()), "hello");

    let before = pid(&server);
    kill(before, Signal::SIGKILL).unwrap();
    let mut seen = Vec::new();
    while seen.last() != Some(&ServerStatus::Ready) {
        let status = tokio::time::timeout(Duration::from_secs(60), server.changed()).await;
        let status = status.unwrap();
        if matches!(status, ServerStatus::Ready) && seen.is_empty() {
            continue;
        }
        seen.push(status);
    }
    assert_ne!(pid(&server), before);
    // The pools replace lost connections by themselves.
    let recovered = async {
        loop {
            match pools.acting.run(&identity("anon"), hello).await {
                Ok(rows) => return text(&rows),
                Err(error) => assert!(error.is_unavailable(), "{error}"),
            }
        }
    };
    let recovered = tokio::time::timeout(Duration::from_secs(20), recovered).await.unwrap();
    assert_eq!(recovered, "hello");
    let again = owner(&server).await;
    assert_eq!(value::<i32>(&again, "select x from public.kept").await, 42);
    again.close().await;
    pools.close().await;
    server.stop().await;
}

#[tokio::test]
async fn deep_folder_gets_its_socket_elsewhere() {
    let folder = Folder::new("deep");
    let deep = folder.path().join("a".repeat(60)).join("b".repeat(60));
    let server = start(&deep).await;
    let owner = owner(&server).await;
    let socket: String =
        value(&owner, "select trim('\"' from current_setting('unix_socket_directories'))").await;
    assert!(socket.starts_with("/tmp/supabase-compat-"), "{socket}");
    owner.close().await;
    server.stop().await;
    std::fs::remove_dir_all(socket).unwrap();
}

#[tokio::test]
async fn server_listens_locally_and_admits_the_owner_only() {
    let folder = Folder::new("doors");
    let server = start(folder.path()).await;
    let owner = owner(&server).await;
    assert_eq!(value::<String>(&owner, "select current_setting('listen_addresses')").await, "");
    assert_eq!(value::<String>(&owner, "select current_setting('wal_level')").await, "logical");
    script(&owner, "create role somebody login").await;
    let other_login = server.owner_url().replace("postgres@", "somebody@");
    let refusal = Pools::connect(&ConnectConfig::new(other_login)).await.err().unwrap();
    assert_eq!(refusal.code(), Some("28000"), "{refusal}");
    owner.close().await;
    server.stop().await;
}

#[tokio::test]
async fn server_that_cannot_start_says_why() {
    let folder = Folder::new("wrong");
    let mut config = durable(folder.path());
    config.settings.push(("shared_buffers".to_owned(), "a lot".to_owned()));
    let refusal = EmbeddedPostgres::start(config).await.err().unwrap();
    assert!(
        refusal.to_string().contains("invalid value for parameter \"shared_buffers\": \"a lot\""),
        "{refusal}"
    );
    // The folder is unlocked and undamaged.
    start(folder.path()).await.stop().await;
}

#[tokio::test]
async fn folder_of_another_major_version_is_left_alone() {
    let folder = Folder::new("major");
    let data = folder.path().join("data/14");
    std::fs::create_dir_all(&data).unwrap();
    std::fs::write(data.join("PG_VERSION"), "14\n").unwrap();
    let config = EmbeddedConfig::new(folder.path());
    let refusal = EmbeddedPostgres::start(config).await.err().unwrap();
    assert!(matches!(refusal, EmbeddedError::OtherVersion { major: 14, .. }), "{refusal}");
    assert!(refusal.to_string().contains("holds data of PostgreSQL 14, but only"), "{refusal}");
}

#[tokio::test]
async fn wrong_folder_of_programs_is_refused_in_words() {
    let folder = Folder::new("bindir");
    let mut config = durable(folder.path());
    config.bin_dir = Some("/usr/share".into());
    assert_eq!(
        EmbeddedPostgres::start(config).await.err().unwrap().to_string(),
        "no PostgreSQL 14 or later was found in /usr/share: `postgres` is not there; PG_BINDIR must \
         name a folder with `postgres` and `initdb`"
    );
}

#[tokio::test]
async fn stale_postmaster_pid_does_not_prevent_a_start() {
    let folder = Folder::new("note");
    start(folder.path()).await.stop().await;
    let data = folder.path().canonicalize().unwrap().join("data").join(major(&folder));
    // The process id is that of this test, which is no PostgreSQL server.
    let note = format!("{}\n{}\n1700000000\n5432\n", std::process::id(), data.display());
    std::fs::write(data.join("postmaster.pid"), note).unwrap();
    start(folder.path()).await.stop().await;
}

#[tokio::test]
async fn closed_folder_is_refused_before_anything_is_made() {
    use std::os::unix::fs::PermissionsExt;
    if !nix::unistd::Uid::effective().is_root() {
        // Without root the server runs as the same account, so the folder is accessible to it.
        return;
    }
    let folder = Folder::new("closed");
    std::fs::set_permissions(folder.path(), std::fs::Permissions::from_mode(0o700)).unwrap();
    let refusal = EmbeddedPostgres::start(durable(&folder.path().join("home"))).await;
    let refusal = refusal.err().unwrap().to_string();
    assert!(refusal.contains("is closed to the account"), "{refusal}");
    assert!(refusal.contains("(mode 700)"), "{refusal}");
    assert!(!folder.path().join("home/data").exists());
}

#[tokio::test]
async fn database_port_requires_the_password() {
    let folder = Folder::new("door");
    let free = std::net::TcpListener::bind(("127.0.0.1", 0)).unwrap();
    let port = free.local_addr().unwrap().port();
    let config =
        EmbeddedConfig { password_port: Some(PasswordPort { port }), ..durable(folder.path()) };
    let refusal = EmbeddedPostgres::start(config.clone()).await.err().unwrap();
    assert!(matches!(refusal, EmbeddedError::Port { .. }), "{refusal}");
    assert!(refusal.to_string().contains("--db-port"), "{refusal}");
    drop(free);

    let server = EmbeddedPostgres::start(config).await.unwrap();
    let owner = owner(&server).await;
    set_programs_password(&owner, &"it's".to_owned().into()).await.unwrap();
    let at = |password: &str| {
        ConnectConfig::new(format!("postgresql://postgres:{password}@127.0.0.1:{port}/postgres"))
    };
    let program = Pools::connect(&at("it%27s")).await.unwrap().owner;
    assert_eq!(value::<i32>(&program, "select 1").await, 1);
    program.close().await;
    for wrong in ["", "its"] {
        assert!(Pools::connect(&at(wrong)).await.is_err(), "{wrong:?}");
    }
    owner.close().await;
    server.stop().await;

    let closed = start(folder.path()).await;
    assert!(std::net::TcpStream::connect(("127.0.0.1", port)).is_err(), "nobody listens");
    self::owner(&closed).await.close().await;
    closed.stop().await;
}
