//! The request headers of the tus protocol.

use http::{HeaderMap, Method, header};

use super::{CONTENT_TYPE, TusRefusal, VERSION};

/// The announced length of an upload.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Length {
    Known(u64),
    /// The client announces the length later.
    Deferred,
}

/// The effective method: a client that cannot send PATCH or DELETE names the method in a header.
pub(crate) fn method(method: &Method, headers: &HeaderMap) -> Method {
    let override_method = headers.get("x-http-method-override").filter(|_| method == Method::POST);
    let named = override_method.and_then(|name| Method::from_bytes(name.as_bytes()).ok());
    named.unwrap_or_else(|| method.clone())
}

/// Checks that the request uses the supported version.
///
/// # Errors
/// [`TusRefusal::Version`].
pub(crate) fn check_version(headers: &HeaderMap) -> Result<(), TusRefusal> {
    let fits = headers.get("tus-resumable").is_some_and(|version| version == VERSION);
    if fits { Ok(()) } else { Err(TusRefusal::Version) }
}

/// `Upload-Length` or `Upload-Defer-Length`, exactly one of them.
///
/// # Errors
/// [`TusRefusal::NoLength`], [`TusRefusal::Header`].
pub(crate) fn length(headers: &HeaderMap) -> Result<Length, TusRefusal> {
    match (known_length(headers)?, headers.get("upload-defer-length")) {
        (Some(length), None) => Ok(Length::Known(length)),
        (None, Some(flag)) if flag == "1" => Ok(Length::Deferred),
        (None, Some(_)) => Err(TusRefusal::Header("upload-defer-length")),
        _ => Err(TusRefusal::NoLength),
    }
}

/// `Upload-Length`, if it is present.
///
/// # Errors
/// [`TusRefusal::Header`].
pub(crate) fn known_length(headers: &HeaderMap) -> Result<Option<u64>, TusRefusal> {
    number(headers, "upload-length")
}

/// `Upload-Offset`.
///
/// # Errors
/// [`TusRefusal::NoOffset`], [`TusRefusal::Header`].
pub(crate) fn offset(headers: &HeaderMap) -> Result<u64, TusRefusal> {
    number(headers, "upload-offset")?.ok_or(TusRefusal::NoOffset)
}

/// Whether the body continues the upload.
pub(crate) fn has_content(headers: &HeaderMap) -> bool {
    headers.get(header::CONTENT_TYPE).is_some_and(|kind| kind == CONTENT_TYPE)
}

/// Parses a header of digits that fits a `bigint`.
fn number(headers: &HeaderMap, name: &'static str) -> Result<Option<u64>, TusRefusal> {
    let Some(value) = headers.get(name) else { return Ok(None) };
    let text = value.to_str().unwrap_or_default();
    let digits = !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
    let number = digits.then(|| text.parse::<u64>().ok()).flatten();
    let number = number.filter(|number| i64::try_from(*number).is_ok());
    number.map(Some).ok_or(TusRefusal::Header(name))
}

#[cfg(test)]
mod tests {
    use http::{HeaderName, HeaderValue};

    use super::*;

    fn headers(pairs: &[(&'static str, &str)]) -> HeaderMap {
        let pair = |(name, value): &(&'static str, &str)| {
            (HeaderName::from_static(name), HeaderValue::from_str(value).unwrap())
        };
        pairs.iter().map(pair).collect()
    }

    #[test]
    fn length_is_announced_or_deferred() {
        for (pairs, expected) in [
            (&[("upload-length", "7")][..], Ok(Length::Known(7))),
            (&[("upload-length", "0")], Ok(Length::Known(0))),
            (&[("upload-defer-length", "1")], Ok(Length::Deferred)),
            (&[], Err(TusRefusal::NoLength)),
            (&[("upload-length", "7"), ("upload-defer-length", "1")], Err(TusRefusal::NoLength)),
            (&[("upload-defer-length", "2")], Err(TusRefusal::Header("upload-defer-length"))),
            (&[("upload-length", "-1")], Err(TusRefusal::Header("upload-length"))),
            (&[("upload-length", "+1")], Err(TusRefusal::Header("upload-length"))),
            (&[("upload-length", "")], Err(TusRefusal::Header("upload-length"))),
            (&[("upload-length", "9223372036854775808")], Err(TusRefusal::Header("upload-length"))),
        ] {
            assert_eq!(length(&headers(pairs)), expected, "{pairs:?}");
        }
    }

    #[test]
    fn method_override_header_applies_to_post_only() {
        let over = headers(&[("x-http-method-override", "PATCH")]);
        assert_eq!(method(&Method::POST, &over), Method::PATCH);
        assert_eq!(method(&Method::GET, &over), Method::GET);
        let invalid = headers(&[("x-http-method-override", "a b")]);
        assert_eq!(method(&Method::POST, &invalid), Method::POST);
    }

    #[test]
    fn version_is_the_one_there_is() {
        assert_eq!(check_version(&headers(&[("tus-resumable", "1.0.0")])), Ok(()));
        for pairs in [&[][..], &[("tus-resumable", "0.2.2")]] {
            assert_eq!(check_version(&headers(pairs)), Err(TusRefusal::Version));
        }
    }

    #[test]
    fn random_numbers_never_panic_the_parser() {
        compat_testkit::property_test("numbers", "[0-9+. -]{0,22}", |text: String| {
            let headers = headers(&[("upload-offset", &text)]);
            if let Ok(read) = offset(&headers) {
                assert!(i64::try_from(read).is_ok());
            }
        });
    }
}
