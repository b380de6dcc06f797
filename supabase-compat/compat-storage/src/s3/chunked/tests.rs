use proptest::prelude::*;

use super::*;
use crate::s3::signature::Scope;

const SECRET: &str = "wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY";

/// The seed of AWS's example of a body with signed chunks.
fn seed() -> Seed {
    let scope = Scope { date: "20130524".to_owned(), region: "us-east-1".to_owned() };
    Seed {
        key: scope.key(SECRET),
        timestamp: "20130524T000000Z".to_owned(),
        scope: scope.text(),
        signature: "4f232c4386841ef735655705268965c44a0e4690baa4adea153f7db9fa80a0a9".to_owned(),
    }
}

/// Decodes a body that arrives in pieces of this length.
fn read(
    mut chunked: ChunkedBody,
    body: &[u8],
    piece: usize,
) -> Result<(Vec<u8>, Trailers), S3Refusal> {
    let mut decoded = Vec::new();
    for piece in body.chunks(piece.max(1)) {
        let mut input = Bytes::copy_from_slice(piece);
        while let Some(bytes) = chunked.next(&mut input)? {
            decoded.extend_from_slice(&bytes);
        }
    }
    Ok((decoded, chunked.finish()?))
}

type Trailers = Vec<(Algorithm, Vec<u8>)>;

/// "Example: PUT object" of AWS's chapter on chunked uploads: 65 KiB of `a`.
fn published() -> Vec<u8> {
    let chunk = |size: usize, signature: &str| {
        let data = "a".repeat(size);
        format!("{size:x};chunk-signature={signature}\r\n{data}\r\n")
    };
    [
        chunk(65_536, "ad80c730a21e5b8d04586a2213dd63b9a0e99e0e2307b0ade35a65485a288648"),
        chunk(1024, "0055627c9e194cb4542bae2aa5492e3c1575bbb81b612b7d234b86a503ef5497"),
        chunk(0, "b6c6ea8a5354eaf15b3cb7646744f4275b71ea724fed81ceb9323e279d449df9"),
    ]
    .concat()
    .into_bytes()
}

#[test]
fn published_example_is_read_however_it_is_cut() {
    for piece in [1, 7, 1000, 1 << 20] {
        let chunked = ChunkedBody::new(Some(seed()), false, 66_560);
        let (decoded, trailers) = read(chunked, &published(), piece).unwrap();
        assert!(decoded.len() == 66_560 && decoded.iter().all(|byte| *byte == b'a'));
        assert_eq!(trailers, []);
    }
}

#[test]
fn chunk_that_was_changed_is_refused() {
    let mut body = published();
    body[1000] = b'b';
    let refusal = read(ChunkedBody::new(Some(seed()), false, 66_560), &body, 4096);
    assert_eq!(refusal.err(), Some(S3Refusal::SignatureDoesNotMatch));
    let unsigned = b"3\r\nabc\r\n0\r\n\r\n";
    let refusal = read(ChunkedBody::new(Some(seed()), false, 3), unsigned, 100);
    assert_eq!(refusal.err(), Some(S3Refusal::SignatureDoesNotMatch));
}

#[test]
fn body_that_ends_early_is_refused() {
    let body = published();
    for len in [0, 10, 60_000, body.len() - 3] {
        let chunked = ChunkedBody::new(Some(seed()), false, 66_560);
        let refusal = read(chunked, &body[..len], 4096);
        assert_eq!(refusal.err(), Some(S3Refusal::IncompleteBody), "{len}");
    }
}

#[test]
fn trailers_of_an_unsigned_body_are_given() {
    let body = b"5\r\nhello\r\n3\r\n, y\r\n0\r\nx-amz-checksum-crc32:NhCmhg==\r\n\r\n";
    let (decoded, trailers) = read(ChunkedBody::new(None, true, 8), body, 3).unwrap();
    assert_eq!(decoded, b"hello, y");
    assert_eq!(trailers, [(Algorithm::Crc32, vec![0x36, 0x10, 0xa6, 0x86])]);
    let refusal = read(ChunkedBody::new(None, false, 8), body, 3);
    assert!(matches!(refusal, Err(S3Refusal::InvalidRequest(_))), "unannounced trailers");
}

/// A body in signed chunks with a signed trailer, as a client sends it.
fn with_trailer(parts: &[Vec<u8>], trailer: &str) -> Vec<u8> {
    let Seed { key, timestamp, scope, mut signature } = seed();
    let mut body = Vec::new();
    for part in parts.iter().map(Vec::as_slice).chain([&b""[..]]) {
        let digest = hex::encode(Sha256::digest(part));
        signature = key
            .sign(&format!("{CHUNK}\n{timestamp}\n{scope}\n{signature}\n{EMPTY_SHA256}\n{digest}"));
        body.extend(format!("{:x};chunk-signature={signature}\r\n", part.len()).bytes());
        body.extend(part);
        if !part.is_empty() {
            body.extend(b"\r\n");
        }
    }
    let digest = hex::encode(Sha256::digest(format!("{trailer}\n").as_bytes()));
    signature = key.sign(&format!("{TRAILER}\n{timestamp}\n{scope}\n{signature}\n{digest}"));
    body.extend(format!("{trailer}\r\n{TRAILER_SIGNATURE}:{signature}\r\n\r\n").bytes());
    body
}

#[test]
fn trailer_of_a_signed_body_is_signed_too() {
    let body = with_trailer(&[b"hello".to_vec()], "x-amz-checksum-crc32:NhCmhg==");
    let (_, trailers) = read(ChunkedBody::new(Some(seed()), true, 5), &body, 9).unwrap();
    assert_eq!(trailers.len(), 1);
    let forged = String::from_utf8(body).unwrap().replace("NhCmhg", "AAAAAA").into_bytes();
    let refusal = read(ChunkedBody::new(Some(seed()), true, 5), &forged, 9);
    assert_eq!(refusal.err(), Some(S3Refusal::SignatureDoesNotMatch));
}

#[test]
fn random_signed_bodies_round_trip() {
    let parts = prop::collection::vec(prop::collection::vec(any::<u8>(), 1..40), 0..5);
    compat_testkit::property_test("signed bodies", (parts, 1..50_usize), |(parts, piece)| {
        let len = parts.iter().map(Vec::len).sum::<usize>() as u64;
        let body = with_trailer(&parts, "x-amz-checksum-crc32:NhCmhg==");
        let (decoded, _) = read(ChunkedBody::new(Some(seed()), true, len), &body, piece).unwrap();
        assert_eq!(decoded, parts.concat());
    });
}

#[test]
fn random_frames_never_panic_the_reader() {
    let frames = "([0-9a-f]{0,20}|;chunk-signature=|\\r\\n|\\n|:|x-amz-checksum-crc32|abc){0,12}";
    compat_testkit::property_test(
        "frames",
        (frames, 1..9_usize),
        |(frames, piece): (String, usize)| {
            if let Ok((decoded, _)) =
                read(ChunkedBody::new(None, true, 3), frames.as_bytes(), piece)
            {
                assert_eq!(decoded.len(), 3);
            }
            let signed = read(ChunkedBody::new(Some(seed()), true, 3), frames.as_bytes(), piece);
            assert!(signed.is_err());
        },
    );
}
