//! `x-amz-copy-source` and its range: the source of a copied object or part.

use percent_encoding::percent_decode_str;

use super::S3Refusal;

/// The source object of a copy.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct CopySource {
    pub(crate) bucket: String,
    pub(crate) key: String,
}

impl CopySource {
    /// Parses `[/]bucket/key[?versionId=…]`, percent-encoded.
    ///
    /// # Errors
    /// [`S3Refusal::InvalidArgument`]; [`S3Refusal::NotImplemented`] for a version, which this
    /// service does not support.
    pub(crate) fn read(header: &str) -> Result<Self, S3Refusal> {
        let refusal = S3Refusal::InvalidArgument(
            "Copy Source must mention the source bucket and key: sourcebucket/sourcekey",
        );
        let (path, version) = header.split_once("?versionId=").unwrap_or((header, "null"));
        if version != "null" {
            return Err(S3Refusal::NotImplemented);
        }
        let path = percent_decode_str(path).decode_utf8().map_err(|_| refusal.clone())?;
        let split = path.strip_prefix('/').unwrap_or(&path).split_once('/');
        let (bucket, key) = split.ok_or(refusal.clone())?;
        if bucket.is_empty() || key.is_empty() {
            return Err(refusal);
        }
        Ok(Self { bucket: bucket.to_owned(), key: key.to_owned() })
    }
}

/// Parses `bytes=first-last` of a copied part; both numbers are required and must lie within
/// `size`.
///
/// # Errors
/// [`S3Refusal::InvalidArgument`].
pub(crate) fn read_range(header: &str, size: u64) -> Result<std::ops::Range<u64>, S3Refusal> {
    let bounds = header.strip_prefix("bytes=").and_then(|bounds| bounds.split_once('-'));
    let number = |text: &str| {
        let digits = !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
        digits.then(|| text.parse::<u64>().ok()).flatten()
    };
    let read = bounds.and_then(|(first, last)| Some((number(first)?, number(last)?)));
    let within = read.filter(|(first, last)| first <= last && *last < size);
    let (first, last) = within.ok_or(S3Refusal::InvalidArgument(
        "The x-amz-copy-source-range value must be of the form bytes=first-last and within the \
         source",
    ))?;
    Ok(first..last + 1)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn copy_source_accepts_encoded_and_plain_paths() {
        let expected = CopySource { bucket: "b".to_owned(), key: "a b/c".to_owned() };
        for header in ["b/a%20b/c", "/b/a b/c", "b%2Fa%20b%2Fc", "/b/a%20b/c?versionId=null"] {
            assert_eq!(CopySource::read(header), Ok(expected.clone()), "{header}");
        }
        assert_eq!(CopySource::read("b/a?versionId=3"), Err(S3Refusal::NotImplemented));
        for header in ["", "/", "b", "b/", "//a", "b/%ff"] {
            assert!(
                matches!(CopySource::read(header), Err(S3Refusal::InvalidArgument(_))),
                "{header}"
            );
        }
    }

    #[test]
    fn range_lies_within_the_source() {
        assert_eq!(read_range("bytes=0-4", 5), Ok(0..5));
        for header in ["bytes=0-5", "bytes=3-2", "bytes=-3", "bytes=3-", "0-4", "bytes=+1-2", ""] {
            assert!(
                matches!(read_range(header, 5), Err(S3Refusal::InvalidArgument(_))),
                "{header}"
            );
        }
    }

    #[test]
    fn random_copy_sources_never_panic_the_parser() {
        compat_testkit::property_test(
            "sources",
            "[/%?=a-z0-9]{0,20}|\\PC{0,20}",
            |header: String| {
                if let Ok(source) = CopySource::read(&header) {
                    assert!(!source.bucket.is_empty() && !source.bucket.contains('/'));
                }
            },
        );
        compat_testkit::property_test(
            "ranges",
            "(bytes=)?[0-9]{0,21}-?[0-9]{0,21}",
            |header: String| {
                if let Ok(range) = read_range(&header, 1000) {
                    assert!(range.start < range.end && range.end <= 1000);
                }
            },
        );
    }
}
