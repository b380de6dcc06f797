//! The `Upload-Metadata` header: the target object of an upload and its metadata.

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use serde_json::{Map, Value};

use super::TusRefusal;

/// The parsed header: pairs of a name and an optional base64 value.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Metadata {
    pub(crate) bucket: String,
    pub(crate) key: String,
    pub(crate) content_type: Option<String>,
    /// The seconds as the client sent them, unchecked.
    pub(crate) cache_control: Option<String>,
    /// The object's user metadata.
    pub(crate) user_metadata: Option<Map<String, Value>>,
}

impl Metadata {
    /// Parses the header. Unknown names are ignored.
    ///
    /// # Errors
    /// [`TusRefusal::Header`] if the header is malformed; [`TusRefusal::NoMetadata`] if it does not
    /// name the bucket and the object.
    pub(crate) fn read(header: &str) -> Result<Self, TusRefusal> {
        let pairs = pairs(header)?;
        let text = |searched: &str| {
            let pair = pairs.iter().find(|(name, _)| *name == searched);
            pair.map(|(_, value)| value.clone()).filter(|value| !value.is_empty())
        };
        let user_metadata = text("metadata").map(|text| serde_json::from_str(&text)).transpose();
        Ok(Self {
            bucket: text("bucketName").ok_or(TusRefusal::NoMetadata("bucketName"))?,
            key: text("objectName").ok_or(TusRefusal::NoMetadata("objectName"))?,
            content_type: text("contentType"),
            cache_control: text("cacheControl"),
            user_metadata: user_metadata.map_err(|_| malformed())?,
        })
    }

    /// The object's `Cache-Control`: `max-age` with the seconds; none if they are not a number.
    pub(crate) fn max_age(&self) -> Option<String> {
        let seconds = self.cache_control.as_deref()?;
        let digits = seconds.bytes().all(|byte| byte.is_ascii_digit());
        digits.then(|| format!("max-age={seconds}"))
    }
}

fn pairs(header: &str) -> Result<Vec<(&str, String)>, TusRefusal> {
    let mut pairs: Vec<(&str, String)> = Vec::new();
    for pair in header.split(',').map(str::trim) {
        let (name, value) = pair.split_once(' ').unwrap_or((pair, ""));
        if name.is_empty() || pairs.iter().any(|(known, _)| *known == name) {
            return Err(malformed());
        }
        let value = STANDARD.decode(value.trim()).map_err(|_| malformed())?;
        pairs.push((name, String::from_utf8(value).map_err(|_| malformed())?));
    }
    Ok(pairs)
}

fn malformed() -> TusRefusal {
    TusRefusal::Header("upload-metadata")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn header(pairs: &[(&str, &str)]) -> String {
        let pair = |(name, value): &(&str, &str)| format!("{name} {}", STANDARD.encode(value));
        pairs.iter().map(pair).collect::<Vec<_>>().join(",")
    }

    #[test]
    fn names_and_values_are_read() {
        let header = header(&[
            ("bucketName", "b"),
            ("objectName", "a/ü.png"),
            ("contentType", "image/png"),
            ("cacheControl", "3600"),
            ("metadata", r#"{"a":1}"#),
            ("filename", "other"),
        ]);
        let read = Metadata::read(&format!("{header}, is_confidential")).unwrap();
        assert_eq!((read.bucket.as_str(), read.key.as_str()), ("b", "a/ü.png"));
        assert_eq!(read.content_type.as_deref(), Some("image/png"));
        assert_eq!(read.max_age().as_deref(), Some("max-age=3600"));
        assert_eq!(read.user_metadata, serde_json::from_str(r#"{"a":1}"#).ok());
    }

    #[test]
    fn malformed_metadata_is_refused() {
        let good = header(&[("bucketName", "b"), ("objectName", "a")]);
        for (text, refusal) in [
            (String::new(), malformed()),
            (format!("{good},"), malformed()),
            (format!("{good},metadata *"), malformed()),
            (format!("{good},metadata e30x"), malformed()),
            (format!("{good},bucketName Yg=="), malformed()),
            (header(&[("objectName", "a")]), TusRefusal::NoMetadata("bucketName")),
            (
                header(&[("bucketName", "b"), ("objectName", "")]),
                TusRefusal::NoMetadata("objectName"),
            ),
        ] {
            assert_eq!(Metadata::read(&text), Err(refusal), "{text}");
        }
        let metadata =
            Metadata { cache_control: Some("no-store\r\n".to_owned()), ..Metadata::default() };
        assert_eq!(metadata.max_age(), None);
    }

    #[test]
    fn random_headers_never_panic_the_parser() {
        let word = "((bucketName|objectName|metadata|cacheControl|[a-z]) ?(Yg==|e30=|MQ==|[A-Za-z0-9+/=]{0,6}),? ?){0,6}";
        compat_testkit::property_test("metadata", word, |header: String| {
            if let Ok(read) = Metadata::read(&header) {
                assert!(!read.bucket.is_empty() && !read.key.is_empty());
            }
        });
    }
}
