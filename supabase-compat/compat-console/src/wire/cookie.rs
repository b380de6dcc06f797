//! The session cookie.

use http::{HeaderMap, HeaderValue, header};

use crate::access::is_local;
use crate::flow::session::LIFETIME;

const NAME: &str = "console_session";
/// The longest token that is looked up, in bytes.
const LONGEST: usize = 128;

/// The session token of a request.
pub(crate) fn token(headers: &HeaderMap) -> Option<&str> {
    headers
        .get_all(header::COOKIE)
        .iter()
        .filter_map(|line| line.to_str().ok())
        .flat_map(|line| line.split(';'))
        .filter_map(|pair| pair.trim().split_once('='))
        .find(|(name, _)| *name == NAME)
        .map(|(_, value)| value)
        .filter(|value| !value.is_empty() && value.len() <= LONGEST)
}

/// A cookie with a token, valid until the session ends.
pub(crate) fn of(token: &str, is_secure: bool) -> HeaderValue {
    write(token, LIFETIME.num_seconds(), is_secure)
}

/// An expired cookie, with which the browser deletes the session cookie.
pub(crate) fn expired(is_secure: bool) -> HeaderValue {
    write("", 0, is_secure)
}

fn write(value: &str, seconds: i64, is_secure: bool) -> HeaderValue {
    let secure = if is_secure { "; Secure" } else { "" };
    let text = format!(
        "{NAME}={value}; Path=/console; HttpOnly; SameSite=Strict; Max-Age={seconds}{secure}"
    );
    HeaderValue::from_str(&text).unwrap_or(HeaderValue::from_static(""))
}

/// Whether browsers use HTTPS: by the project's public address, unless the request calls this
/// machine by a local name.
pub(crate) fn is_secure(public_url: &str, headers: &HeaderMap) -> bool {
    let host = headers.get(header::HOST).and_then(|host| host.to_str().ok());
    public_url.starts_with("https://") && !host.is_some_and(is_local)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn session_cookie_is_strict_and_http_only() {
        assert_eq!(
            of("t", true),
            "console_session=t; Path=/console; HttpOnly; SameSite=Strict; Max-Age=43200; Secure"
        );
        assert_eq!(
            expired(false),
            "console_session=; Path=/console; HttpOnly; SameSite=Strict; Max-Age=0"
        );
    }

    #[test]
    fn token_is_found_among_other_cookies() {
        let headers = |line: &'static str| {
            HeaderMap::from_iter([(header::COOKIE, HeaderValue::from_static(line))])
        };
        assert_eq!(token(&headers("a=b; console_session=t; c=d")), Some("t"));
        assert_eq!(token(&headers("xconsole_session=t")), None);
        assert_eq!(token(&headers("console_session=")), None);
    }
}
