//! Entity tags of responses, and whether a client already has a response.

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use http::{HeaderMap, HeaderValue, header};
use sha2::{Digest as _, Sha256};

/// The entity tag of a response with this content.
pub fn entity_tag(content: &[u8]) -> HeaderValue {
    let hash = STANDARD.encode(Sha256::digest(content));
    let tag = format!("\"{}\"", hash.get(..22).unwrap_or_default());
    HeaderValue::from_str(&tag).unwrap_or(HeaderValue::from_static("\"\""))
}

/// Whether the client has the content with this tag (RFC 9110 section 13.1.2, for read requests
/// only).
pub fn is_not_modified(headers: &HeaderMap, tag: &HeaderValue) -> bool {
    headers
        .get_all(header::IF_NONE_MATCH)
        .iter()
        .filter_map(|value| value.to_str().ok())
        .flat_map(|value| value.split(','))
        .map(str::trim)
        .any(|value| value == "*" || value.trim_start_matches("W/") == tag)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn headers_with(line: &'static str) -> HeaderMap {
        HeaderMap::from_iter([(header::IF_NONE_MATCH, HeaderValue::from_static(line))])
    }

    #[test]
    fn one_of_several_tags_is_enough_however_weak() {
        let tag = entity_tag(b"a");
        assert_eq!(tag.len(), 24);
        assert_ne!(tag, entity_tag(b"b"));
        let both = format!("\"x\", W/{}", tag.to_str().expect("a text"));
        let value = HeaderMap::from_iter([(
            header::IF_NONE_MATCH,
            HeaderValue::from_str(&both).expect("a header"),
        )]);
        assert!(is_not_modified(&value, &tag) && is_not_modified(&headers_with("*"), &tag));
        assert!(
            !is_not_modified(&headers_with("\"x\""), &tag)
                && !is_not_modified(&HeaderMap::new(), &tag)
        );
    }
}
