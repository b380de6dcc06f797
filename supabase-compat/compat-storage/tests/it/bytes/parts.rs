//! Contents that are written in parts.

use compat_storage::bytes::{
    BytesError, ObjectBytes, ObjectLocation, Part, StoreFinding, stream_of,
};

use super::stores::{chunks, entries, noise, place, read, stores};

const MIB: usize = 1024 * 1024;

/// Writes parts of these lengths in an odd order; returns the parts in their own order, and the
/// content.
async fn write_parts(
    store: &dyn ObjectBytes,
    place: &ObjectLocation,
    lengths: &[usize],
) -> (Vec<Part>, Vec<u8>) {
    let content = noise(7, lengths.iter().sum());
    let mut parts = Vec::new();
    let mut at = 0;
    for (number, length) in (1_u32..).zip(lengths) {
        parts.push((number, at..at + length));
        at += length;
    }
    parts.reverse();
    let mut done = Vec::new();
    for (number, range) in parts {
        let part = chunks(&content[range], 70_001);
        let stored = store.write_part(place, number, part, u64::MAX).await.unwrap();
        done.push(Part { number, stored });
    }
    done.reverse();
    (done, content)
}

#[tokio::test]
async fn parts_of_every_length_become_one_content() {
    let stores = stores().await;
    let mixes: [&[usize]; 6] = [
        &[5],
        &[6 * MIB],
        &[6 * MIB, 6 * MIB, 3],
        &[1, 6 * MIB, 2 * MIB, 17 * MIB, 1, 1],
        &[MIB, MIB, MIB],
        &[5 * MIB, 0, 5 * MIB - 1, 5 * MIB + 1],
    ];
    for (name, store) in &stores.all {
        for lengths in mixes {
            let place = place("a/film");
            let (parts, content) = write_parts(&**store, &place, lengths).await;
            let stored = store.finish_parts(&place, &parts).await.unwrap();
            assert_eq!(stored.size, content.len() as u64, "{name} {lengths:?}");
            assert!(stored.etag.ends_with(&format!("-{}\"", lengths.len())), "{name}");
            assert!(read(&**store, &place).await.unwrap() == content, "{name} {lengths:?}");
            // A client that lost the response repeats the request.
            assert_eq!(store.finish_parts(&place, &parts).await.unwrap(), stored, "{name}");
            store.abandon_parts(place.version).await.unwrap();
            assert!(read(&**store, &place).await.unwrap() == content, "{name} {lengths:?}");
            assert_eq!(entries(&**store).await, [StoreFinding::Object(place.clone())], "{name}");
            store.remove(&[place]).await.unwrap();
        }
    }
}

#[tokio::test]
async fn rewritten_part_replaces_the_first() {
    let stores = stores().await;
    for (name, store) in &stores.all {
        let place = place("a");
        store.write_part(&place, 1, stream_of("first"), 10).await.unwrap();
        let stored = store.write_part(&place, 1, stream_of("second"), 10).await.unwrap();
        store.finish_parts(&place, &[Part { number: 1, stored }]).await.unwrap();
        assert_eq!(read(&**store, &place).await.unwrap(), b"second", "{name}");
    }
}

#[tokio::test]
async fn missing_or_mismatched_parts_are_refused() {
    let stores = stores().await;
    for (name, store) in &stores.all {
        let place = place("a");
        let stored = store.write_part(&place, 1, stream_of("hello"), 10).await.unwrap();
        let mut longer = stored.clone();
        longer.size += 1;
        let second = Part { number: 2, stored: stored.clone() };
        for parts in [
            vec![Part { number: 1, stored: longer }],
            vec![Part { number: 1, stored: stored.clone() }, second.clone()],
            vec![second],
        ] {
            let refusal = store.finish_parts(&place, &parts).await;
            assert!(matches!(refusal, Err(BytesError::Missing)), "{name} {refusal:?}");
            assert!(matches!(read(&**store, &place).await, Err(BytesError::Missing)), "{name}");
        }
        assert_eq!(entries(&**store).await, [StoreFinding::Part(place.version)], "{name}");
        store.abandon_parts(place.version).await.unwrap();
        assert_eq!(entries(&**store).await, [], "{name}");
    }
}

#[tokio::test]
async fn a_part_longer_than_its_limit_is_refused() {
    let stores = stores().await;
    for (name, store) in &stores.all {
        let refusal = store.write_part(&place("a"), 1, chunks(&noise(8, 11), 3), 10).await;
        assert!(matches!(refusal, Err(BytesError::TooLong(10))), "{name} {refusal:?}");
        assert_eq!(entries(&**store).await, [], "{name}");
    }
}
