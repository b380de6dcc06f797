//! Every refusal of this service: status, code and text, as in PostgREST 16.
//!
//! Texts of PostgreSQL pass through, because clients of the dialect expect them. Codes that
//! PostgREST has retired (104, 109, 110, 113, 119) are not used again.

mod body;
mod database;

use axum::body::Body;
use axum::response::Response;
use compat_pg::PgError;
use compat_rest_core::plan::PlanError;
use compat_rest_core::render::guard::{self, GuardViolation};
use compat_rest_core::request::RequestError;
use compat_token::{Caller, TokenRefusal};
use http::{HeaderMap, HeaderName, HeaderValue, StatusCode, header};
use hyper::ext::ReasonPhrase;
use serde_json::{Value, json};

use database::DatabaseRefusal;

/// A refusal.
#[derive(Debug)]
pub enum Error {
    /// The request could not be read (PGRST1xx).
    Request(RequestError),
    /// The request could not be planned (PGRST2xx and some PGRST1xx).
    Plan(PlanError),
    /// The token was refused (PGRST300, PGRST301, PGRST303).
    Token(TokenRefusal),
    /// PGRST302
    AnonymousDisabled,
    /// PGRST002
    SchemaNotLoaded,
    /// PGRST103, found out after counting.
    OutOfRange { offset: i64, total: i64 },
    /// PGRST111
    BadResponseHeaders,
    /// PGRST112
    BadResponseStatus,
    /// PGRST115
    PutKeyDiffers,
    /// PGRST116
    NotSingular { rows: i64 },
    /// PGRST124
    TooManyAffected { rows: i64 },
    /// A visitor's regular expression refers back to a group.
    BackReference,
    /// The body is larger than this server reads.
    BodyTooLarge,
    /// PostgreSQL, or the way to it.
    Database(Box<DatabaseRefusal>),
}

/// The four parts of an error body.
pub(crate) struct ErrorBody {
    pub status: StatusCode,
    pub code: String,
    pub message: String,
    pub details: Value,
    pub hint: Value,
}

impl Error {
    /// An error of the database, or a violated guard of our own statement.
    pub(crate) fn database(error: PgError, caller: &Caller) -> Self {
        let guard = match error.code() {
            Some("22P02") => error.message().and_then(guard::broken),
            _ => None,
        };
        match guard {
            Some(GuardViolation::NotSingular { rows }) => Self::NotSingular { rows },
            Some(GuardViolation::TooManyAffected { rows }) => Self::TooManyAffected { rows },
            Some(GuardViolation::PutKey) => Self::PutKeyDiffers,
            None => Self::Database(Box::new(DatabaseRefusal::new(error, caller.is_anonymous()))),
        }
    }

    /// True if no connection became free in time.
    pub(crate) fn is_pool_timeout(&self) -> bool {
        matches!(self, Self::Database(refusal) if refusal.is_pool_timeout())
    }

    /// Status, code and texts.
    pub(crate) fn error_body(&self) -> ErrorBody {
        match self {
            Self::Request(error) => body::request(error),
            Self::Plan(error) => body::plan(error),
            Self::Token(refusal) => token(refusal),
            Self::Database(response) => response.error_body(),
            own => body::own(own),
        }
    }

    /// The body alone; `terse` keeps back details and hint.
    pub(crate) fn body(&self, terse: bool) -> String {
        let words = self.error_body();
        if terse {
            return json!({"code": words.code, "message": words.message}).to_string();
        }
        json!({
            "code": words.code,
            "details": words.details,
            "hint": words.hint,
            "message": words.message,
        })
        .to_string()
    }

    /// The answer.
    pub(crate) fn into_response(self, terse: bool) -> Response {
        let words = self.error_body();
        if words.status.is_server_error() {
            self.log(&words);
        }
        let mut response = Response::new(Body::from(self.body(terse)));
        *response.status_mut() = words.status;
        let headers = response.headers_mut();
        let json = HeaderValue::from_static("application/json; charset=utf-8");
        headers.insert(header::CONTENT_TYPE, json);
        insert(headers, "proxy-status", &format!("PostgREST; error={}", words.code));
        self.extra_headers(words.status, headers);
        self.reason(&mut response);
        response
    }

    /// A reason phrase chosen in SQL; one that HTTP cannot carry is left out.
    fn reason(&self, response: &mut Response) {
        if let Self::Database(refusal) = self
            && let Some(Ok(reason)) = refusal.reason().map(|r| ReasonPhrase::try_from(r.as_bytes()))
        {
            response.extensions_mut().insert(reason);
        }
    }

    fn extra_headers(&self, status: StatusCode, headers: &mut HeaderMap) {
        match self {
            Self::Token(refusal) if status == StatusCode::UNAUTHORIZED => {
                let challenge =
                    format!("Bearer error=\"invalid_token\", error_description=\"{refusal}\"");
                insert(headers, "www-authenticate", &challenge);
            }
            Self::Database(response) => {
                for (name, value) in response.headers() {
                    insert(headers, name, value);
                }
                if status == StatusCode::UNAUTHORIZED && !response.is_dictated() {
                    insert(headers, "www-authenticate", "Bearer");
                }
            }
            Self::AnonymousDisabled => insert(headers, "www-authenticate", "Bearer"),
            _ => {}
        }
    }

    /// Server errors are logged once, here, with their cause, but without the caller's values.
    fn log(&self, words: &ErrorBody) {
        match self {
            Self::Database(refusal) => {
                tracing::warn!(code = %words.code, error = %refusal.cause(), "request failed");
            }
            _ => tracing::warn!(code = %words.code, "request failed"),
        }
    }
}

fn insert(headers: &mut HeaderMap, name: &str, value: &str) {
    if let (Ok(name), Ok(value)) = (HeaderName::try_from(name), HeaderValue::from_str(value)) {
        headers.insert(name, value);
    }
}

fn token(refusal: &TokenRefusal) -> ErrorBody {
    let (status, code) = match refusal {
        TokenRefusal::NoSecret => (StatusCode::INTERNAL_SERVER_ERROR, "PGRST300"),
        claims if claims.is_claims() => (StatusCode::UNAUTHORIZED, "PGRST303"),
        _ => (StatusCode::UNAUTHORIZED, "PGRST301"),
    };
    ErrorBody {
        status,
        code: code.to_owned(),
        message: refusal.to_string(),
        details: refusal.details().into(),
        hint: Value::Null,
    }
}
