//! First starts from a prepared cluster.

use std::fs::{self, OpenOptions};
use std::path::{Path, PathBuf};
use std::time::Duration;

use compat_pg::embedded::{ClusterArchive, SchemaVersion, ServerStatus};
use compat_pg::{
    ConnectConfig, EmbeddedConfig, EmbeddedPostgres, OwnerDb, PROJECT, Pools, SchemaSource,
};
use nix::sys::signal::{Signal, kill};
use nix::unistd::Pid;

use crate::world::{Folder, bin_dir, script, value};

/// A schema that no archive of these tests has.
static OTHER: SchemaSource = SchemaSource { schema: "other", dir: PROJECT.dir };

fn archive(folder: &Folder) -> ClusterArchive {
    ClusterArchive {
        path: folder.path().join("cluster.tar.gz"),
        schemas: vec![SchemaVersion::of(&PROJECT)],
        optional: Vec::new(),
    }
}

fn config(home: PathBuf, archive: Option<ClusterArchive>) -> EmbeddedConfig {
    EmbeddedConfig { bin_dir: bin_dir(), archive, ..EmbeddedConfig::new(home) }
}

async fn owner(server: &EmbeddedPostgres) -> OwnerDb {
    Pools::connect(&ConnectConfig::new(server.owner_url())).await.unwrap().owner
}

/// Packs a cluster with the table `public.prepared`; returns its system identifier.
async fn pack(folder: &Folder) -> i64 {
    let config = config(folder.path().join("original"), None);
    let server = EmbeddedPostgres::start(config.clone()).await.unwrap();
    let original = owner(&server).await;
    script(
        &original,
        "create table public.prepared (x int); insert into public.prepared values (7)",
    )
    .await;
    let identifier = system_identifier(&original).await;
    original.close().await;
    server.pack(config, archive(folder)).await.unwrap();
    identifier
}

/// Whether a first start in this folder takes the cluster from the archive.
async fn is_prepared(folder: &Folder, name: &str, archive: ClusterArchive) -> bool {
    let config = config(folder.path().join(name), Some(archive));
    let server = EmbeddedPostgres::start(config).await.unwrap();
    let owner = owner(&server).await;
    let is_prepared =
        owner.answers("select to_regclass('public.prepared') is not null").await.unwrap();
    owner.close().await;
    server.stop().await;
    is_prepared
}

async fn system_identifier(owner: &OwnerDb) -> i64 {
    value(owner, "select system_identifier from pg_control_system()").await
}

fn pid(server: &EmbeddedPostgres) -> Pid {
    Pid::from_raw(i32::try_from(server.pid().unwrap()).unwrap())
}

#[tokio::test]
async fn unpacked_cluster_has_its_own_identity_and_recovers() {
    let folder = Folder::new("archive");
    let original = pack(&folder).await;
    let copies = [folder.path().join("one"), folder.path().join("two")];
    let mut identifiers = vec![original];
    for home in copies {
        let config = config(home, Some(archive(&folder)));
        let mut server = EmbeddedPostgres::start(config).await.unwrap();
        let first = owner(&server).await;
        assert_eq!(value::<i32>(&first, "select x from public.prepared").await, 7);
        identifiers.push(system_identifier(&first).await);
        script(&first, "insert into public.prepared values (8)").await;
        first.close().await;
        server.until_synced().await.unwrap();

        // Recovery reads the write-ahead log, whose pages name the cluster.
        let before = pid(&server);
        kill(before, Signal::SIGKILL).unwrap();
        while server.pid().is_none_or(|_| pid(&server) == before)
            || server.status() != ServerStatus::Ready
        {
            tokio::time::timeout(Duration::from_secs(60), server.changed()).await.unwrap();
        }
        let second = owner(&server).await;
        assert_eq!(value::<i64>(&second, "select sum(x) from public.prepared").await, 15);
        second.close().await;
        server.stop().await;
    }
    identifiers.sort_unstable();
    identifiers.dedup();
    assert_eq!(identifiers.len(), 3);
}

#[tokio::test]
async fn archive_is_used_only_where_its_label_fits() {
    let folder = Folder::new("label");
    pack(&folder).await;
    let archive = archive(&folder);
    let other = || vec![SchemaVersion::of(&OTHER)];
    let needs_more = ClusterArchive { schemas: other(), ..archive.clone() };
    assert!(!is_prepared(&folder, "more", needs_more).await);
    let needs_less = ClusterArchive { schemas: Vec::new(), ..archive.clone() };
    assert!(!is_prepared(&folder, "less", needs_less).await);
    let allows_more = ClusterArchive { optional: other(), ..archive.clone() };
    assert!(is_prepared(&folder, "optional", allows_more).await);
    let absent = ClusterArchive { path: folder.path().join("absent"), ..archive };
    assert!(!is_prepared(&folder, "absent", absent).await);
}

#[tokio::test]
async fn damaged_archive_is_replaced_by_a_new_cluster() {
    let folder = Folder::new("damaged");
    pack(&folder).await;
    let archive = archive(&folder);
    cut_to_half(&archive.path);
    assert!(!is_prepared(&folder, "damaged", archive).await);
}

fn cut_to_half(path: &Path) {
    let length = fs::metadata(path).unwrap().len();
    OpenOptions::new().write(true).open(path).unwrap().set_len(length / 2).unwrap();
}
