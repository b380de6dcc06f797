//! The facts of a request that policies and procedures may read (PostgREST's documentation,
//! references/transactions, "Transaction-scoped settings").

use http::header::GetAll;
use http::request::Parts;
use http::{HeaderMap, HeaderValue, header};
use serde_json::{Map, Value};

use crate::RequestId;

/// Method, path, headers and cookies in the form the `request.*` settings carry.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RequestFacts {
    /// `GET`, `POST`, …
    pub method: String,
    /// The path as the service sees it, without the query.
    pub path: String,
    /// JSON object of the headers, names in lower case, without `Cookie`.
    pub headers_json: String,
    /// JSON object of the cookies.
    pub cookies_json: String,
    /// `application_name` of the request's transactions, which names the request by its id; empty
    /// where it has none.
    pub application_name: String,
}

impl From<&Parts> for RequestFacts {
    fn from(parts: &Parts) -> Self {
        Self {
            method: parts.method.as_str().to_owned(),
            path: parts.uri.path().to_owned(),
            headers_json: headers_json(&parts.headers),
            cookies_json: cookies_json(&parts.headers),
            application_name: parts
                .extensions
                .get::<RequestId>()
                .map(RequestId::application_name)
                .unwrap_or_default(),
        }
    }
}

/// Writes the JSON text directly, for speed: every request that uses the database needs it.
fn headers_json(headers: &HeaderMap) -> String {
    let mut json = Vec::with_capacity(512);
    json.push(b'{');
    for name in headers.keys().filter(|name| *name != header::COOKIE) {
        if json.len() > 1 {
            json.push(b',');
        }
        // Names of headers hold nothing that JSON would escape (RFC 9110 section 5.6.2).
        json.push(b'"');
        json.extend_from_slice(name.as_str().as_bytes());
        json.extend_from_slice(b"\":");
        write_value(&mut json, headers.get_all(name));
    }
    json.push(b'}');
    String::from_utf8(json).unwrap_or_else(|_| "{}".to_owned())
}

/// All values of a header as one JSON text, with commas between them.
fn write_value(json: &mut Vec<u8>, values: GetAll<'_, HeaderValue>) {
    let mut values = values.iter().map(|value| String::from_utf8_lossy(value.as_bytes()));
    let mut text = values.next().unwrap_or_default();
    for more in values {
        let text = text.to_mut();
        text.push_str(", ");
        text.push_str(&more);
    }
    // Writing to a vector cannot fail.
    let _ = serde_json::to_writer(json, &text);
}

fn cookies_json(headers: &HeaderMap) -> String {
    if !headers.contains_key(header::COOKIE) {
        return "{}".to_owned();
    }
    let values: Map<String, Value> = headers
        .get_all(header::COOKIE)
        .iter()
        .filter_map(|value| value.to_str().ok())
        .flat_map(|line| line.split(';'))
        .filter_map(|pair| pair.trim().split_once('='))
        .map(|(name, value)| (name.to_owned(), value.trim_matches('"').into()))
        .collect();
    Value::Object(values).to_string()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn headers_are_lower_case_joined_and_without_cookies() {
        let (parts, ()) = http::Request::get("/things?select=id")
            .header("X-One", "a")
            .header("x-one", "b")
            .header("Cookie", "session=\"s1\"; theme=dark")
            .body(())
            .expect("a request")
            .into_parts();
        let facts = RequestFacts::from(&parts);
        assert_eq!(facts.path, "/things");
        assert_eq!(facts.headers_json, r#"{"x-one":"a, b"}"#);
        assert_eq!(facts.cookies_json, r#"{"session":"s1","theme":"dark"}"#);
    }

    #[test]
    fn any_bytes_of_a_header_make_valid_json() {
        let value = HeaderValue::from_bytes(b"\"a\\\t\xff\xc3\xa9").expect("a value");
        let headers = HeaderMap::from_iter([
            (header::HOST, value),
            (header::COOKIE, HeaderValue::from_static("a=1")),
            (header::ACCEPT, HeaderValue::from_static("")),
        ]);
        let read: Value = serde_json::from_str(&headers_json(&headers)).expect("JSON");
        assert_eq!(read, serde_json::json!({"host": "\"a\\\t\u{fffd}é", "accept": ""}));
        assert_eq!(headers_json(&HeaderMap::new()), "{}");
        assert_eq!(cookies_json(&HeaderMap::new()), "{}");
    }
}
