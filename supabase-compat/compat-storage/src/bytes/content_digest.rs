//! Length and MD5 of a content, computed while it is streamed.

use md5::{Digest as _, Md5};

use super::{BytesError, Part, StoredContent};

/// Length and MD5 of the bytes so far.
#[derive(Clone, Default)]
pub(super) struct ContentDigest {
    digest: Md5,
    size: u64,
}

impl ContentDigest {
    pub fn add(&mut self, piece: &[u8]) {
        self.digest.update(piece);
        self.size += piece.len() as u64;
    }

    pub fn size(&self) -> u64 {
        self.size
    }

    pub fn stored(self) -> StoredContent {
        StoredContent {
            size: self.size,
            etag: format!("\"{}\"", hex::encode(self.digest.finalize())),
        }
    }
}

/// Size and tag of a content of these parts, as S3 computes them: the MD5 of the parts' MD5s, and
/// the number of parts.
///
/// # Errors
/// [`BytesError::Missing`] for a part whose tag is not an MD5.
pub(super) fn of_parts(parts: &[Part]) -> Result<StoredContent, BytesError> {
    let (mut digest, mut size) = (Md5::new(), 0);
    for part in parts {
        let mut sum = [0; 16];
        hex::decode_to_slice(part.stored.etag.trim_matches('"'), &mut sum)
            .map_err(|_| BytesError::Missing)?;
        digest.update(sum);
        size += part.stored.size;
    }
    Ok(StoredContent {
        size,
        etag: format!("\"{}-{}\"", hex::encode(digest.finalize()), parts.len()),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn part(number: u32, content: &[u8]) -> Part {
        let mut digest = ContentDigest::default();
        digest.add(content);
        Part { number, stored: digest.stored() }
    }

    #[test]
    fn a_content_has_the_tag_that_md5sum_gives() {
        let stored = part(1, b"hello").stored;
        assert_eq!(stored.etag, "\"5d41402abc4b2a76b9719d911017c592\"");
        assert_eq!(stored.size, 5);
    }

    #[test]
    fn multipart_etag_matches_s3() {
        // printf hello | md5sum | xxd -r -p, the same for world, both | md5sum
        let stored = of_parts(&[part(1, b"hello"), part(2, b"world")]).unwrap();
        assert_eq!(stored.etag, "\"065947336a2f2a95ba8899f3675c3be6-2\"");
        assert_eq!(stored.size, 10);
    }

    #[test]
    fn part_with_an_invalid_etag_is_refused() {
        for etag in ["", "\"\"", "\"xyz\"", "\"5d41402abc4b2a76b9719d911017c59g\"", "\"é\""] {
            let stored = StoredContent { size: 1, etag: etag.to_owned() };
            assert!(of_parts(&[Part { number: 1, stored }]).is_err(), "{etag}");
        }
    }
}
