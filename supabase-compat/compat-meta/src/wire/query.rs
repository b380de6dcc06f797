//! `/query` and the routes below it.

use std::time::Duration;

use axum::extract::{Query, State as Extract};
use axum::response::Response;
use http::{HeaderMap, HeaderValue, StatusCode, header};
use serde_json::Value;

use super::body::JsonBody;
use crate::flow::query::{QueryRules, run_query};
use crate::{MetaError, State, flow};

/// The header with the application name of a session.
const APPLICATION_NAME: &str = "x-pg-application-name";

type Parameters = Vec<(String, String)>;

/// The first value of a parameter.
pub(crate) fn parameter<'a>(parameters: &'a Parameters, name: &str) -> Option<&'a str> {
    parameters.iter().find(|(own, _)| own == name).map(|(_, value)| value.as_str())
}

/// The default rules of a request.
pub(crate) fn rules(state: &State, headers: &HeaderMap) -> QueryRules {
    let config = state.config();
    let mut rules = QueryRules::new(config.query_timeout, config.max_result());
    if let Some(name) = headers.get(APPLICATION_NAME).and_then(|value| value.to_str().ok()) {
        rules.session.application = name.to_owned();
    }
    rules
}

/// `POST /query`.
pub(crate) async fn run(
    Extract(state): Extract<State>,
    Query(parameters): Query<Parameters>,
    headers: HeaderMap,
    JsonBody(body): JsonBody,
) -> Result<Response, MetaError> {
    let query = text(&body)?;
    let values = values(body.get("parameters"))?;
    let mut rules = rules(&state, &headers);
    if let Some(seconds) = parameter(&parameters, "queryTimeoutSecs") {
        rules.session.time = timeout(seconds, state.config().longest_query)?;
    }
    rules.statement_timeout = parameter(&parameters, "statementTimeoutSecs").map(str::to_owned);
    run_query(state.sessions(), query, &values, &rules).await.map(json)
}

/// `POST /query/format`.
pub(crate) async fn format(JsonBody(body): JsonBody) -> Result<String, MetaError> {
    flow::format::format(text(&body)?.to_owned()).await
}

/// `POST /query/parse`.
pub(crate) async fn parse(
    Extract(state): Extract<State>,
    JsonBody(body): JsonBody,
) -> Result<Response, MetaError> {
    flow::syntax::parse(&state, text(&body)?.to_owned()).await.map(json)
}

/// `POST /query/deparse`.
pub(crate) async fn deparse(
    Extract(state): Extract<State>,
    JsonBody(mut body): JsonBody,
) -> Result<String, MetaError> {
    let tree = body.get_mut("ast").map(Value::take).unwrap_or_default();
    flow::syntax::deparse(&state, tree).await
}

/// A response with a body that is JSON already.
pub(crate) fn json(body: Vec<u8>) -> Response {
    let mut response = Response::new(body.into());
    let kind = HeaderValue::from_static("application/json; charset=utf-8");
    response.headers_mut().insert(header::CONTENT_TYPE, kind);
    *response.status_mut() = StatusCode::OK;
    response
}

fn text(body: &Value) -> Result<&str, MetaError> {
    let query = body.get("query").and_then(Value::as_str).filter(|text| !text.is_empty());
    query.ok_or_else(|| MetaError::Invalid("query not found".to_owned()))
}

/// Parses a timeout; 0 means no limit in the original, and the longest time here.
fn timeout(seconds: &str, longest: Duration) -> Result<Duration, MetaError> {
    let number: Option<u64> = seconds.parse().ok();
    let number = number.ok_or_else(|| {
        MetaError::Invalid("queryTimeoutSecs must be a number of seconds".to_owned())
    })?;
    Ok(match number {
        0 => longest,
        number => Duration::from_secs(number).min(longest),
    })
}

/// The parameters of a statement, encoded as by node-postgres.
fn values(parameters: Option<&Value>) -> Result<Vec<Option<String>>, MetaError> {
    match parameters {
        None | Some(Value::Null) => Ok(Vec::new()),
        Some(Value::Array(values)) => Ok(values.iter().map(value).collect()),
        Some(_) => Err(MetaError::Invalid("Query values must be an array".to_owned())),
    }
}

fn value(value: &Value) -> Option<String> {
    match value {
        Value::Null => None,
        Value::String(text) => Some(text.clone()),
        Value::Array(values) => Some(array(values)),
        other => Some(other.to_string()),
    }
}

/// An array in PostgreSQL's text form, with each element quoted.
fn array(values: &[Value]) -> String {
    let element = |one: &Value| match one {
        Value::Array(values) => array(values),
        one => match value(one) {
            Some(text) => format!("\"{}\"", text.replace('\\', "\\\\").replace('"', "\\\"")),
            None => "NULL".to_owned(),
        },
    };
    let elements: Vec<String> = values.iter().map(element).collect();
    format!("{{{}}}", elements.join(","))
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn parameters_are_written_as_node_postgres_writes_them() {
        let list = json!([null, "a", 1.5, true, {"a": 1}, [1, null, ["x\"y"]]]);
        let expected = [
            None,
            Some("a"),
            Some("1.5"),
            Some("true"),
            Some(r#"{"a":1}"#),
            Some(r#"{"1",NULL,{"x\"y"}}"#),
        ];
        let texts = values(Some(&list)).expect("values");
        assert_eq!(texts.iter().map(Option::as_deref).collect::<Vec<_>>(), expected);
        assert!(values(Some(&json!({}))).is_err());
    }

    #[test]
    fn timeouts_have_an_upper_bound() {
        let longest = Duration::from_secs(600);
        assert_eq!(timeout("5", longest).ok(), Some(Duration::from_secs(5)));
        assert_eq!(timeout("0", longest).ok(), Some(longest));
        assert_eq!(timeout("99999", longest).ok(), Some(longest));
        assert!(timeout("x", longest).is_err());
    }
}
