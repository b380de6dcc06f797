//! Behaviour of the store in a local folder.

use std::fs;
use std::os::unix::fs::MetadataExt as _;
use std::sync::Arc;

use compat_storage::bytes::{
    BytesError, ObjectBytes as _, ObjectLocation, StoreFinding, stream_of,
};

use super::contract::objects;
use super::stores::{Scratch, chunks, entries, files, noise, place, read};

#[tokio::test]
async fn existing_supabase_volume_is_readable() {
    let scratch = Scratch::new();
    let place = place("9f2c6a51-3a51-4b62-8b1c-0e5d2f2b7f10/logo.png");
    let folder = scratch.path().join("photos").join(&place.key);
    fs::create_dir_all(&folder).unwrap();
    fs::write(folder.join(place.version.to_string()), "hello").unwrap();
    let store = files(scratch.path());
    assert_eq!(read(&store, &place).await.unwrap(), b"hello");
    assert_eq!(entries(&store).await, [StoreFinding::Object(place.clone())]);
    store.remove(&[place]).await.unwrap();
    assert_eq!(entries(&store).await, []);
}

#[tokio::test]
async fn files_lie_where_the_original_looks() {
    let scratch = Scratch::new();
    let place = place("a/b.txt");
    files(scratch.path()).write(&place, stream_of("hello"), 10).await.unwrap();
    let file = scratch.path().join("photos/a/b.txt").join(place.version.to_string());
    assert_eq!(fs::read(&file).unwrap(), b"hello");
    assert_eq!(fs::metadata(file).unwrap().mode() & 0o777, 0o600);
}

#[tokio::test]
async fn a_key_may_name_a_version_of_another() {
    let scratch = Scratch::new();
    let store = files(scratch.path());
    let first = place("a");
    let second = place(&format!("a/{}", first.version));
    let third = place(&format!("a/{}/b", first.version));
    let all = [first, second, third];
    for place in &all {
        store.write(place, stream_of(place.key.clone()), 1000).await.unwrap();
    }
    let copy = place(&format!("{}/c", all[1].key));
    store.copy(&all[1], &copy).await.unwrap();
    assert_eq!(read(&store, &copy).await.unwrap(), all[1].key.as_bytes());
    store.remove(&[copy]).await.unwrap();
    for place in &all {
        assert_eq!(read(&store, place).await.unwrap(), place.key.as_bytes());
    }
    assert_eq!(objects(entries(&store).await), all.iter().cloned().collect());
    store.remove(&all).await.unwrap();
    assert_eq!(entries(&store).await, []);
}

#[tokio::test]
async fn nothing_is_ever_made_outside_of_the_folder() {
    let scratch = Scratch::new();
    let folder = scratch.path().join("within/storage");
    let store = files(&folder);
    for key in ["../x", "../../x", "/etc/x", "a/../../../x", "..", ".", "\0", "~backup"] {
        for bucket in ["..", ".", "", "../..", "/", "a/../.."] {
            let place = ObjectLocation { bucket: bucket.to_owned(), ..place(key) };
            store.write(&place, stream_of("x"), 10).await.unwrap();
            store.copy(&place, &self::place(key)).await.unwrap();
            assert_eq!(read(&store, &place).await.unwrap(), b"x", "{bucket} {key}");
            store.remove(&[place]).await.unwrap();
        }
    }
    let beside: Vec<_> =
        fs::read_dir(scratch.path()).unwrap().map(|at| at.unwrap().path()).collect();
    assert_eq!(beside, [scratch.path().join("within")]);
    let beside: Vec<_> = fs::read_dir(scratch.path().join("within")).unwrap().collect();
    assert_eq!(beside.len(), 1);
}

#[tokio::test]
async fn empty_folders_are_removed_after_deletion() {
    let scratch = Scratch::new();
    let store = files(scratch.path());
    let (deep, beside) = (place("a/b/c/d"), place("a/b/e"));
    for place in [&deep, &beside] {
        store.write(place, stream_of("x"), 10).await.unwrap();
    }
    store.remove(&[deep]).await.unwrap();
    assert!(!scratch.path().join("photos/a/b/c").exists());
    assert!(scratch.path().join("photos/a/b/e").exists());
    store.remove(&[beside]).await.unwrap();
    assert!(!scratch.path().join("photos").exists());
    assert!(scratch.path().exists());
}

#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn concurrent_writes_and_removals_do_not_fail() {
    let scratch = Scratch::new();
    let store = Arc::new(files(scratch.path()));
    let workers = (0..8).map(|worker| {
        let store = Arc::clone(&store);
        tokio::spawn(async move {
            for round in 0..60 {
                let place = place(&format!("a/b/{}", (worker + round) % 3));
                store.write(&place, stream_of("hello"), 10).await.unwrap();
                assert_eq!(read(&*store, &place).await.unwrap(), b"hello");
                store.remove(&[place]).await.unwrap();
            }
        })
    });
    for worker in workers.collect::<Vec<_>>() {
        worker.await.unwrap();
    }
    assert!(!scratch.path().join("photos").exists());
}

#[tokio::test]
async fn abandoned_write_leaves_no_draft() {
    let scratch = Scratch::new();
    let store = files(scratch.path());
    let place = place("a");
    let endless = futures_util::StreamExt::chain(
        chunks(&noise(1, 1 << 20), 1000),
        futures_util::stream::pending(),
    );
    let parts = scratch.path().join("~parts");
    {
        let write = store.write(&place, Box::pin(endless), u64::MAX);
        tokio::select! {
            _ = write => unreachable!("its content does not end"),
            () = until(|| fs::read_dir(&parts).is_ok_and(|mut found| found.next().is_some())) => {}
        }
    }
    until(|| fs::read_dir(&parts).unwrap().next().is_none()).await;
}

async fn until(mut is_so: impl FnMut() -> bool) {
    while !is_so() {
        tokio::time::sleep(std::time::Duration::from_millis(5)).await;
    }
}

#[tokio::test]
async fn nothing_is_removed_while_a_backup_is_taken() {
    let scratch = Scratch::new();
    let (store, other) = (files(scratch.path()), files(scratch.path()));
    let place = place("a");
    store.write(&place, stream_of("hello"), 10).await.unwrap();
    store.write_part(&place, 1, stream_of("x"), 10).await.unwrap();
    let hold = other.hold().unwrap();
    store.remove(std::slice::from_ref(&place)).await.unwrap();
    store.abandon_parts(place.version).await.unwrap();
    assert_eq!(entries(&store).await.len(), 2);
    drop(hold);
    store.remove(std::slice::from_ref(&place)).await.unwrap();
    store.abandon_parts(place.version).await.unwrap();
    assert_eq!(entries(&store).await, []);
}

#[tokio::test]
async fn missing_folder_holds_no_objects() {
    let scratch = Scratch::new();
    let store = files(&scratch.path().join("later"));
    assert_eq!(entries(&store).await, []);
    assert!(matches!(read(&store, &place("a")).await, Err(BytesError::Missing)));
    store.remove(&[place("a")]).await.unwrap();
}
