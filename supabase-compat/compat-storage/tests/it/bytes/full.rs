//! A store on a disk that fills up.

use std::path::Path;
use std::process::Command;

use compat_http::Entropy;
use compat_storage::bytes::{
    BytesError, Files, FilesConfig, ObjectBytes as _, StoreFinding, stream_of,
};

use super::stores::{Scratch, chunks, entries, files, noise, place, read};

/// A tmpfs of 4 MiB; none if this account may not mount one.
struct Disk(Scratch);

impl Disk {
    fn new() -> Option<Self> {
        let scratch = Scratch::new();
        let mut mount = Command::new("mount");
        mount.args(["-t", "tmpfs", "-o", "size=4m", "tmpfs"]).arg(scratch.path());
        let is_mounted = mount.output().is_ok_and(|output| output.status.success());
        is_mounted.then(|| Self(scratch))
    }

    fn path(&self) -> &Path {
        self.0.path()
    }
}

impl Drop for Disk {
    fn drop(&mut self) {
        let _ = Command::new("umount").arg("--lazy").arg(self.path()).output();
    }
}

#[tokio::test]
async fn full_disk_refuses_writes_and_keeps_objects() {
    let Some(disk) = Disk::new() else { return eprintln!("no disk may be mounted here") };
    let store = files(disk.path());
    let first = place("kept");
    let content = noise(1, 1 << 20);
    store.write(&first, stream_of(content.clone()), u64::MAX).await.unwrap();
    for length in [5 << 20, 50 << 20] {
        let refusal = store.write(&place("long"), chunks(&noise(2, length), 65536), u64::MAX).await;
        assert!(matches!(refusal, Err(BytesError::Full(_))), "{refusal:?}");
        let refusal = store.write_part(&first, 1, chunks(&noise(2, length), 65536), u64::MAX).await;
        assert!(matches!(refusal, Err(BytesError::Full(_))), "{refusal:?}");
    }
    assert_eq!(entries(&store).await, [StoreFinding::Object(first.clone())]);
    assert!(read(&store, &first).await.unwrap() == content);
    // The failed write has freed its space.
    store.write(&place("fits"), chunks(&noise(3, 2 << 20), 65536), u64::MAX).await.unwrap();
}

#[tokio::test]
async fn reserved_disk_space_stays_free() {
    let scratch = Scratch::new();
    let config = FilesConfig { folder: scratch.path().to_owned(), keep_free: u64::MAX / 2 };
    let store = Files::new(config, Entropy::system());
    let refusal = store.write(&place("a"), stream_of("hello"), 10).await;
    assert!(matches!(refusal, Err(BytesError::Full(_))), "{refusal:?}");
    assert_eq!(entries(&store).await, []);
}
