//! The facts of a request that policies and procedures may ask for (PostgREST's documentation,
//! references/transactions, "Transaction-scoped settings").

use http::request::Parts;
use http::{HeaderMap, header};
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

fn headers_json(headers: &HeaderMap) -> String {
    let mut values: Map<String, Value> = Map::with_capacity(headers.len());
    for name in headers.keys().filter(|name| *name != header::COOKIE) {
        let all: Vec<_> = headers
            .get_all(name)
            .iter()
            .map(|value| String::from_utf8_lossy(value.as_bytes()))
            .collect();
        values.insert(name.as_str().to_owned(), all.join(", ").into());
    }
    without_nul(Value::Object(values))
}

fn cookies_json(headers: &HeaderMap) -> String {
    let values: Map<String, Value> = headers
        .get_all(header::COOKIE)
        .iter()
        .filter_map(|value| value.to_str().ok())
        .flat_map(|line| line.split(';'))
        .filter_map(|pair| pair.trim().split_once('='))
        .map(|(name, value)| (name.to_owned(), value.trim_matches('"').into()))
        .collect();
    without_nul(Value::Object(values))
}

/// PostgreSQL text holds no NUL; header values cannot carry one, but belts cost nothing here.
fn without_nul(value: Value) -> String {
    value.to_string().replace('\0', "")
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
}
