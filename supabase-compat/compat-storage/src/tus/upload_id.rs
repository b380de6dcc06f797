//! The id of an upload in its URL: bucket, key and version, encoded as in the original.

use base64::Engine as _;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use uuid::Uuid;

use super::TusRefusal;

/// The id of an upload, which is also the location of its content.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct UploadId {
    pub(crate) bucket: String,
    pub(crate) key: String,
    pub(crate) version: Uuid,
}

impl UploadId {
    /// Parses the last segment of an upload's URL.
    ///
    /// # Errors
    /// [`TusRefusal::NotFound`] if the text is not an id.
    pub(crate) fn read(text: &str) -> Result<Self, TusRefusal> {
        Self::parse(text).ok_or(TusRefusal::NotFound)
    }

    fn parse(text: &str) -> Option<Self> {
        let text = URL_SAFE_NO_PAD.decode(text).ok()?;
        let (bucket, rest) = std::str::from_utf8(&text).ok()?.split_once('/')?;
        let (key, version) = rest.rsplit_once('/')?;
        let (bucket, key, version) = (bucket.to_owned(), key.to_owned(), version.parse().ok()?);
        Some(Self { bucket, key, version })
    }
}

impl std::fmt::Display for UploadId {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let Self { bucket, key, version } = self;
        f.write_str(&URL_SAFE_NO_PAD.encode(format!("{bucket}/{key}/{version}")))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn random_names_round_trip() {
        let parts = ("[a-z]{1,5}", "[a-z/ ]{1,9}", proptest::prelude::any::<u128>());
        compat_testkit::property_test("names of uploads", parts, |(bucket, key, version)| {
            let id = UploadId { bucket, key, version: Uuid::from_u128(version) };
            assert_eq!(UploadId::read(&id.to_string()), Ok(id));
        });
    }

    #[test]
    fn random_addresses_name_an_upload_or_none() {
        compat_testkit::property_test(
            "addresses",
            "[A-Za-z0-9_-]{0,60}|\\PC{0,9}",
            |text: String| {
                let _ = UploadId::read(&text);
            },
        );
        assert_eq!(UploadId::read(""), Err(TusRefusal::NotFound));
    }
}
