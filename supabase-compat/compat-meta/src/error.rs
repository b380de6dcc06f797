//! The service's errors, with the original's texts, which Studio shows.

mod formatted;

use axum::response::{IntoResponse, Response};
use compat_pg::{ErrorReport, PgError, SessionError};
use http::StatusCode;
use serde_json::{Map, Value, json};

/// Why a request failed.
#[derive(Debug, thiserror::Error)]
pub enum MetaError {
    /// The request has no key.
    #[error("No API key found in request")]
    NoKey,
    /// The key is invalid.
    #[error("Invalid authentication credentials")]
    Key,
    /// The key is not the service key.
    #[error("You cannot consume this service")]
    NotServiceKey,
    /// The login for statements has superuser rights.
    #[error(
        "statements are not run as a superuser: name a login without superuser rights in PG_META_DB_URL"
    )]
    Superuser,
    /// No route has this path.
    #[error("Not found")]
    NotFound,
    /// An object does not exist, with a description.
    #[error("{0}")]
    Missing(String),
    /// The request is invalid, with a description.
    #[error("{0}")]
    Invalid(String),
    /// The body exceeds the size limit.
    #[error("Request body is too large")]
    BodyTooLarge,
    /// PostgreSQL's own parser is not available, with the reason.
    #[error("PostgreSQL's parser is not available: {0}")]
    NoParser(String),
    /// The server refused the statement.
    #[error("{}", .report.message())]
    Refused {
        /// The server's error report.
        report: Box<ErrorReport>,
        /// The text to which the position in the report refers, if a person wrote it.
        query: Option<Box<str>>,
    },
    /// The statement exceeded its time limit.
    #[error("Query read timeout")]
    Timeout,
    /// The result exceeds the size limit.
    #[error("Query result size ({size} bytes) exceeded the configured limit ({limit} bytes)")]
    TooLarge {
        /// The number of bytes when the limit was exceeded.
        size: usize,
        /// The limit in bytes.
        limit: usize,
    },
    /// No connection was free in time.
    #[error("sorry, too many clients already")]
    Busy,
    /// There is no connection to the database, or it was lost.
    #[error("Connection terminated unexpectedly")]
    Lost,
}

impl From<SessionError> for MetaError {
    fn from(error: SessionError) -> Self {
        match error {
            SessionError::Refused(report) => Self::Refused { report, query: None },
            SessionError::TooLarge { size, limit } => Self::TooLarge { size, limit },
            SessionError::TooLong(_) => Self::Timeout,
            SessionError::Superuser(_) => Self::Superuser,
            SessionError::Database(PgError::PoolTimeout) => Self::Busy,
            SessionError::Database(PgError::Protocol(error)) => {
                Self::Invalid(format!("the statement cannot be sent: {error}"))
            }
            SessionError::Database(error) => {
                tracing::error!(%error, "cannot get a statement's answer from the database");
                Self::Lost
            }
        }
    }
}

impl MetaError {
    /// The HTTP status.
    pub fn status(&self) -> StatusCode {
        match self {
            Self::NoKey | Self::Key => StatusCode::UNAUTHORIZED,
            Self::NotServiceKey | Self::Superuser => StatusCode::FORBIDDEN,
            Self::NotFound | Self::Missing(_) => StatusCode::NOT_FOUND,
            Self::BodyTooLarge => StatusCode::PAYLOAD_TOO_LARGE,
            Self::NoParser(_) => StatusCode::NOT_IMPLEMENTED,
            Self::Timeout => StatusCode::REQUEST_TIMEOUT,
            Self::Busy => StatusCode::SERVICE_UNAVAILABLE,
            Self::Lost => StatusCode::BAD_GATEWAY,
            Self::Invalid(_) | Self::Refused { .. } | Self::TooLarge { .. } => {
                StatusCode::BAD_REQUEST
            }
        }
    }

    /// The JSON body. Errors of the gateway have only `message`; an error of a person's statement
    /// has every field of the server's report.
    pub fn body(&self) -> Value {
        match self {
            Self::NoKey | Self::Key | Self::NotServiceKey => json!({"message": self.to_string()}),
            Self::Refused { report, query: Some(query) } => described(report, query),
            Self::TooLarge { size, limit } => json!({
                "error": self.to_string(),
                "message": self.to_string(),
                "code": "RESULT_SIZE_EXCEEDED",
                "resultSize": size,
                "maxResultSize": limit,
            }),
            Self::Timeout => json!({"error": self.to_string(), "message": self.to_string()}),
            _ => json!({"error": self.to_string()}),
        }
    }
}

impl IntoResponse for MetaError {
    fn into_response(self) -> Response {
        compat_http::json(self.status(), &self.body())
    }
}

/// The fields of a report, with the names that node-postgres gives them.
const FIELDS: [(u8, &str); 16] = [
    (b'S', "severity"),
    (b'C', "code"),
    (b'D', "detail"),
    (b'H', "hint"),
    (b'P', "position"),
    (b'p', "internalPosition"),
    (b'q', "internalQuery"),
    (b'W', "where"),
    (b's', "schema"),
    (b't', "table"),
    (b'c', "column"),
    (b'd', "dataType"),
    (b'n', "constraint"),
    (b'F', "file"),
    (b'L', "line"),
    (b'R', "routine"),
];

fn described(report: &ErrorReport, query: &str) -> Value {
    let formatted = formatted::format(report, query);
    let mut body = Map::new();
    body.insert("error".into(), formatted.clone().into());
    body.insert("length".into(), report.length.into());
    body.insert("name".into(), "error".into());
    for (kind, name) in FIELDS {
        if let Some(value) = report.field(kind) {
            body.insert(name.into(), value.into());
        }
    }
    body.insert("message".into(), report.message().into());
    body.insert("formattedError".into(), formatted.into());
    Value::Object(body)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_refusal_has_status_and_text() {
        let refused = || Box::new(ErrorReport { fields: vec![(b'M', "no".into())], length: 9 });
        for (error, status, body) in [
            (MetaError::NoKey, 401, json!({"message": "No API key found in request"})),
            (MetaError::Key, 401, json!({"message": "Invalid authentication credentials"})),
            (MetaError::NotServiceKey, 403, json!({"message": "You cannot consume this service"})),
            (
                MetaError::Superuser,
                403,
                json!({"error": "statements are not run as a superuser: name a login without superuser rights in PG_META_DB_URL"}),
            ),
            (MetaError::NotFound, 404, json!({"error": "Not found"})),
            (MetaError::Missing("none".into()), 404, json!({"error": "none"})),
            (MetaError::Invalid("bad".into()), 400, json!({"error": "bad"})),
            (MetaError::BodyTooLarge, 413, json!({"error": "Request body is too large"})),
            (
                MetaError::NoParser("no deno".into()),
                501,
                json!({"error": "PostgreSQL's parser is not available: no deno"}),
            ),
            (MetaError::Refused { report: refused(), query: None }, 400, json!({"error": "no"})),
            (
                MetaError::Refused { report: refused(), query: Some("x".into()) },
                400,
                json!({
                    "error": "no\n",
                    "length": 9,
                    "name": "error",
                    "message": "no",
                    "formattedError": "no\n",
                }),
            ),
            (
                MetaError::Timeout,
                408,
                json!({"error": "Query read timeout", "message": "Query read timeout"}),
            ),
            (
                MetaError::TooLarge { size: 2, limit: 1 },
                400,
                json!({
                    "error": "Query result size (2 bytes) exceeded the configured limit (1 bytes)",
                    "message": "Query result size (2 bytes) exceeded the configured limit (1 bytes)",
                    "code": "RESULT_SIZE_EXCEEDED",
                    "resultSize": 2,
                    "maxResultSize": 1,
                }),
            ),
            (MetaError::Busy, 503, json!({"error": "sorry, too many clients already"})),
            (MetaError::Lost, 502, json!({"error": "Connection terminated unexpectedly"})),
        ] {
            assert_eq!((error.status().as_u16(), error.body()), (status, body));
        }
    }
}
