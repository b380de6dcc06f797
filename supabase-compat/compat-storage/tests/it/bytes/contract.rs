//! The behaviour that every content store must have.

use std::collections::BTreeSet;
use std::io;

use compat_storage::bytes::{BytesError, ObjectLocation, StoreFinding, stream_of};
use futures_util::{StreamExt as _, stream};

use super::stores::{chunks, entries, noise, place, read, read_range, stores};

/// The MD5 of no bytes and of `hello`, computed by `md5sum`.
const EMPTY: &str = "\"d41d8cd98f00b204e9800998ecf8427e\"";
const HELLO: &str = "\"5d41402abc4b2a76b9719d911017c592\"";

#[tokio::test]
async fn written_content_reads_back_with_length_and_md5() {
    let stores = stores().await;
    for (name, store) in &stores.all {
        for (content, etag) in [(&b""[..], Some(EMPTY)), (b"hello", Some(HELLO))] {
            let place = place("a/b.txt");
            let stored = store.write(&place, chunks(content, 2), 100).await.unwrap();
            assert_eq!(stored.size, content.len() as u64, "{name}");
            assert_eq!(Some(stored.etag.as_str()), etag, "{name}");
            assert_eq!(read(&**store, &place).await.unwrap(), content, "{name}");
        }
    }
}

#[tokio::test]
async fn a_long_content_of_unknown_length_passes_whole() {
    let stores = stores().await;
    // Longer than one part of the remote store's uploads.
    let content = noise(1, 20 * 1024 * 1024 + 17);
    for (name, store) in &stores.all {
        let place = place("film.mkv");
        let stored = store.write(&place, chunks(&content, 100_003), u64::MAX).await.unwrap();
        assert_eq!(stored.size, content.len() as u64, "{name}");
        assert!(read(&**store, &place).await.unwrap() == content, "{name}");
    }
}

#[tokio::test]
async fn range_read_returns_bytes_and_full_size() {
    let stores = stores().await;
    let content = noise(2, 1_000_000);
    for (name, store) in &stores.all {
        let place = place("a");
        store.write(&place, stream_of(content.clone()), u64::MAX).await.unwrap();
        for range in [0..1, 0..1_000_000, 999_999..1_000_000, 300_000..900_000, 5..5] {
            let (from, to) = (range.start as usize, range.end as usize);
            let read = read_range(&**store, &place, Some(range.clone())).await.unwrap();
            assert!(read == content[from..to], "{name} {range:?}");
            let reading = store.read(&place, Some(range)).await.unwrap();
            assert_eq!(reading.size, 1_000_000, "{name}");
        }
        #[expect(clippy::reversed_empty_ranges, reason = "a request may contain one")]
        for range in [1_000_000..1_000_001, 0..1_000_001, 2_000_000..3_000_000, 7..3] {
            match store.read(&place, Some(range.clone())).await {
                Err(BytesError::OutOfRange(size)) => assert_eq!(size, 1_000_000, "{name}"),
                other => panic!("{name} {range:?}: {:?}", other.err()),
            }
        }
    }
}

#[tokio::test]
async fn oversized_content_is_refused_and_leaves_nothing() {
    let stores = stores().await;
    for (name, store) in &stores.all {
        for (length, limit) in [(11, 10), (1_000_000, 999_999), (20 << 20, 19 << 20)] {
            let place = place("a");
            let refusal = store.write(&place, chunks(&noise(3, length), 4096), limit).await;
            assert!(
                matches!(refusal, Err(BytesError::TooLong(stated)) if stated == limit),
                "{name}"
            );
            assert!(matches!(read(&**store, &place).await, Err(BytesError::Missing)), "{name}");
            let exact = store.write(&place, chunks(&noise(3, length), 4096), length as u64).await;
            assert_eq!(exact.unwrap().size, length as u64, "{name}");
        }
        assert_eq!(entries(&**store).await.len(), 3, "{name}");
    }
}

#[tokio::test]
async fn a_content_that_breaks_off_leaves_nothing() {
    let stores = stores().await;
    for (name, store) in &stores.all {
        for length in [10, 1_000_000, 18 << 20] {
            let content = chunks(&noise(4, length), 65536);
            let broken = content.chain(stream::iter([Err(io::Error::other("gone").into())]));
            let refusal = store.write(&place("a"), broken.boxed(), u64::MAX).await;
            assert!(matches!(refusal, Err(BytesError::BrokenOff(_))), "{name} {refusal:?}");
        }
        assert_eq!(entries(&**store).await, [], "{name}");
    }
}

#[tokio::test]
async fn keys_of_every_kind_lie_beside_each_other() {
    let stores = stores().await;
    let long = "x".repeat(400);
    let keys = [
        "a",
        "a/b",
        "a/b/c",
        "a//b",
        "a/",
        "/a",
        ".",
        "..",
        "../a",
        "a/../b",
        "../../etc/passwd",
        "a b&c=d?e+f;g@h:i,j(k)'l*m!n$o",
        "A",
        "é~%#[]",
        &long,
        "~parts/1",
        "-",
    ];
    for (name, store) in &stores.all {
        // The S3 server of the tests stores objects as files named by their keys, which limits the
        // length.
        let fits = |key: &&&str| *name == "files" || key.len() < 200;
        let places: Vec<ObjectLocation> = keys.iter().filter(fits).map(|key| place(key)).collect();
        for place in &places {
            store.write(place, stream_of(place.key.clone()), 1000).await.unwrap();
        }
        for place in &places {
            let read = read(&**store, place).await;
            assert_eq!(read.unwrap(), place.key.as_bytes(), "{name} {}", place.key);
        }
        let listed: BTreeSet<ObjectLocation> = objects(entries(&**store).await);
        assert_eq!(listed, places.iter().cloned().collect(), "{name}");
        store.remove(&places).await.unwrap();
        assert_eq!(entries(&**store).await, [], "{name}");
    }
}

pub fn objects(found: Vec<StoreFinding>) -> BTreeSet<ObjectLocation> {
    let object = |found| match found {
        StoreFinding::Object(place) => place,
        StoreFinding::Part(version) => panic!("a part of {version}"),
    };
    found.into_iter().map(object).collect()
}

#[tokio::test]
async fn too_long_key_is_refused() {
    let stores = stores().await;
    for (name, store) in &stores.all {
        let place = place(&"long/".repeat(2000));
        let refusal = store.write(&place, stream_of("x"), 10).await;
        assert!(matches!(refusal, Err(BytesError::KeyTooLong)), "{name} {refusal:?}");
        assert!(matches!(read(&**store, &place).await, Err(BytesError::KeyTooLong)), "{name}");
        store.remove(&[place]).await.unwrap();
    }
}

#[tokio::test]
async fn copy_survives_deletion_of_its_source() {
    let stores = stores().await;
    for (name, store) in &stores.all {
        let (from, to) = (place("a"), place("b/c"));
        store.write(&from, stream_of("hello"), 10).await.unwrap();
        store.copy(&from, &to).await.unwrap();
        store.remove(std::slice::from_ref(&from)).await.unwrap();
        assert_eq!(read(&**store, &to).await.unwrap(), b"hello", "{name}");
        assert!(matches!(read(&**store, &from).await, Err(BytesError::Missing)), "{name}");
        let nothing = store.copy(&from, &place("d")).await;
        assert!(matches!(nothing, Err(BytesError::Missing)), "{name} {nothing:?}");
        assert_eq!(entries(&**store).await, [StoreFinding::Object(to)], "{name}");
    }
}

#[tokio::test]
async fn removing_missing_content_is_no_error() {
    let stores = stores().await;
    for (name, store) in &stores.all {
        store.remove(&[place("a"), place("a/b")]).await.unwrap();
        store.remove(&[]).await.unwrap();
        store.abandon_parts(place("a").version).await.unwrap();
        assert_eq!(entries(&**store).await, [], "{name}");
    }
}

#[tokio::test]
async fn removed_content_stays_readable_for_open_reads() {
    let stores = stores().await;
    let content = noise(5, 4 << 20);
    for (name, store) in &stores.all {
        let place = place("a");
        store.write(&place, stream_of(content.clone()), u64::MAX).await.unwrap();
        let reading = store.read(&place, None).await.unwrap();
        store.remove(&[place]).await.unwrap();
        let pieces: Vec<_> = reading.content.collect().await;
        let read: Vec<u8> = pieces.into_iter().flat_map(Result::unwrap).collect();
        assert!(read == content, "{name}");
    }
}
