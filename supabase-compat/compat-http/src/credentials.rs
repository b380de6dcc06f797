//! The headers that identify the caller, and the query parameter that may replace one of them.

use axum::extract::Request;
use compat_token::Credentials;
use http::request::Parts;
use http::uri::PathAndQuery;
use http::{HeaderMap, HeaderValue, Uri, header};
use url::form_urlencoded;

/// The header and the parameter an application names itself by.
const APIKEY: &str = "apikey";

/// Replaces an `Authorization` that is not text: the client tried to authenticate, and is refused
/// like one whose token cannot be parsed.
const UNREADABLE: &str = "Bearer \u{fffd}";

/// Reads `apikey` and `Authorization`. An `apikey` that is no text counts as absent; an
/// `Authorization` that is none never makes its sender anonymous.
pub fn credentials(headers: &HeaderMap) -> Credentials<'_> {
    Credentials {
        apikey: headers.get(APIKEY).and_then(|value| value.to_str().ok()),
        authorization: headers.get(header::AUTHORIZATION).map(text_of),
    }
}

/// Copies the `apikey` of the query into the header, as the original's gateway does: a browser that
/// opens a websocket or follows a link cannot set headers. A header takes precedence over the
/// query.
pub(crate) fn take_from_query(parts: &mut Parts) {
    if parts.headers.contains_key(APIKEY) {
        return;
    }
    let pairs = form_urlencoded::parse(parts.uri.query().unwrap_or_default().as_bytes());
    let key = pairs.into_iter().find(|(name, _)| name == APIKEY).map(|(_, value)| value);
    let Some(Ok(mut key)) = key.map(|key| HeaderValue::from_str(&key)) else { return };
    key.set_sensitive(true);
    parts.headers.insert(APIKEY, key);
}

/// Takes `apikey` out of a request's query, for a service where any parameter means something of
/// its own (Kong's `hide_credentials`). Everything else stays byte for byte.
pub fn hide_key(mut request: Request) -> Request {
    if let Some(uri) = without_key(request.uri()) {
        *request.uri_mut() = uri;
    }
    request
}

/// The address without the parameter; `None` when it has none.
fn without_key(uri: &Uri) -> Option<Uri> {
    let query = uri.query()?;
    let is_key = |pair: &&str| {
        form_urlencoded::parse(pair.as_bytes()).next().is_some_and(|(name, _)| name == APIKEY)
    };
    let rest: Vec<&str> = query.split('&').filter(|pair| !is_key(pair)).collect();
    let rest = rest.join("&");
    if rest.len() == query.len() {
        return None;
    }
    let (path, mark) = (uri.path(), if rest.is_empty() { "" } else { "?" });
    let mut parts = uri.clone().into_parts();
    parts.path_and_query = Some(format!("{path}{mark}{rest}").parse::<PathAndQuery>().ok()?);
    Uri::from_parts(parts).ok()
}

fn text_of(value: &HeaderValue) -> &str {
    std::str::from_utf8(value.as_bytes()).unwrap_or(UNREADABLE)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn non_utf8_authorization_header_is_still_read() {
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

    fn parts(uri: &str, header: Option<&str>) -> Parts {
        let mut request = http::Request::get(uri);
        if let Some(key) = header {
            request = request.header(APIKEY, key);
        }
        request.body(()).expect("a request").into_parts().0
    }

    #[test]
    fn apikey_in_query_is_used_without_header() {
        for (uri, header, expected) in [
            ("/a?apikey=sb_x", None, Some("sb_x")),
            ("/a?b=1&apikey=e30.e30.x_-&c", None, Some("e30.e30.x_-")),
            ("/a?api%6Bey=%73b_x", None, Some("sb_x")),
            ("/a?apikey=first&apikey=second", None, Some("first")),
            ("/a?apikey=sb_x", Some("sb_y"), Some("sb_y")),
            ("/a?apikey", None, Some("")),
            ("/a?apikeys=x&Apikey=x", None, None),
            ("/a?apikey=%0A", None, None),
            ("/a", None, None),
        ] {
            let mut parts = parts(uri, header);
            take_from_query(&mut parts);
            assert_eq!(credentials(&parts.headers).apikey, expected, "{uri}");
            assert!(!format!("{:?}", parts.headers).contains("sb_x"), "it does not print");
        }
    }

    #[test]
    fn hiding_the_apikey_keeps_other_parameters() {
        for (uri, expected) in [
            ("/a?apikey=x", "/a"),
            ("/a?select=b-%3Ec&apikey=x&d=eq.%22", "/a?select=b-%3Ec&d=eq.%22"),
            ("/a?api%6Bey=x&apikey=y&b", "/a?b"),
            ("/a?&&b=+&apikeys=1", "/a?&&b=+&apikeys=1"),
            ("http://h/a?apikey=x&b=1", "http://h/a?b=1"),
            ("/a?", "/a?"),
        ] {
            let request = http::Request::get(uri).body(axum::body::Body::empty());
            assert_eq!(hide_key(request.expect("a request")).uri(), expected, "{uri}");
        }
    }

    #[test]
    fn random_queries_lose_their_keys_only() {
        let pair = "(apikey|api%6Bey|apikeys|a|%zz|)=?[!-~&&[^#&\"<>`{}]]{0,8}";
        let queries = proptest::collection::vec(pair, 0..6);
        compat_testkit::property_test("queries", queries, |pairs: Vec<String>| {
            let Ok(uri) = format!("/a?{}", pairs.join("&")).parse::<Uri>() else { return };
            let read = |uri: &Uri| -> Vec<(String, String)> {
                let query = uri.query().unwrap_or_default();
                form_urlencoded::parse(query.as_bytes()).into_owned().collect()
            };
            let mut expected = read(&uri);
            expected.retain(|(name, _)| name != APIKEY);
            assert_eq!(read(&without_key(&uri).unwrap_or(uri)), expected);
        });
    }

    #[test]
    fn random_headers_with_a_bearer_are_never_anonymous() {
        use proptest::prelude::*;
        let token = prop::collection::vec(any::<u8>(), 0..24);
        let schemes = prop_oneof!["Bearer ", "bearer  ", "BEARER ", "Basic ", ""];
        compat_testkit::property_test(
            "credentials",
            (schemes, token),
            |(scheme, token): (String, Vec<u8>)| {
                let value = [scheme.as_bytes(), &token].concat();
                let Ok(value) = HeaderValue::from_bytes(&value) else { return };
                let headers = HeaderMap::from_iter([(header::AUTHORIZATION, value)]);
                let bearer = credentials(&headers).bearer();
                if scheme.eq_ignore_ascii_case("bearer ") {
                    assert!(bearer.is_some(), "{headers:?}");
                }
                if std::str::from_utf8(&token).is_err() {
                    assert_eq!(bearer, Some("\u{fffd}"));
                }
            },
        );
    }
}
