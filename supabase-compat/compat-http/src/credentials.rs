//! The headers that tell who asks.

use compat_token::Credentials;
use http::{HeaderMap, HeaderValue, header};

/// Stands for an `Authorization` that is no text: somebody meant to be known, and is refused as
/// one whose token cannot be read.
const UNREADABLE: &str = "Bearer \u{fffd}";

/// Reads `apikey` and `Authorization`. An `apikey` that is no text counts as absent; an
/// `Authorization` that is none never makes its sender anonymous.
pub fn credentials(headers: &HeaderMap) -> Credentials<'_> {
    Credentials {
        apikey: headers.get("apikey").and_then(|value| value.to_str().ok()),
        authorization: headers.get(header::AUTHORIZATION).map(text_of),
    }
}

fn text_of(value: &HeaderValue) -> &str {
    std::str::from_utf8(value.as_bytes()).unwrap_or(UNREADABLE)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_authorization_that_is_no_text_is_still_one() {
        for (bytes, bearer) in [
            (&b"Bearer a.b.c"[..], Some("a.b.c")),
            ("Bearer é".as_bytes(), Some("é")),
            (b"Bearer \xff\xfe", Some("\u{fffd}")),
            (b"\xff", Some("\u{fffd}")),
            (b"Basic abc", None),
        ] {
            let value = HeaderValue::from_bytes(bytes).expect("a header value");
            let headers = HeaderMap::from_iter([(header::AUTHORIZATION, value)]);
            assert_eq!(credentials(&headers).bearer(), bearer);
        }
        assert_eq!(credentials(&HeaderMap::new()).bearer(), None);
    }
}
