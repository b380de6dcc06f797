//! Every way this service refuses, and how it says so.
//!
//! The shape is the hosted platform's (guides/functions/error-codes): the code in the body and in
//! `sb-error-code`. `msg` repeats the message for clients of the older self-hosted worker.

use axum::response::{IntoResponse, Response};
use http::{HeaderName, HeaderValue, StatusCode};
use serde_json::json;

/// Carries the code of a refusal, or marks a function's own 5xx.
pub(crate) const SB_ERROR_CODE: HeaderName = HeaderName::from_static("sb-error-code");
/// `functions-js` turns an answer with this header into its `FunctionsRelayError`.
const X_RELAY_ERROR: HeaderName = HeaderName::from_static("x-relay-error");

/// A call that did not reach its function, or got no answer from it.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum CallRefusal {
    /// No enabled function has this name.
    #[error("Requested function was not found")]
    NotFound,
    /// The function wants a token and there is no `Authorization` header.
    #[error("Missing authorization header")]
    NoAuthHeader,
    /// `Authorization` is not `Bearer <token>`.
    #[error("Auth header is not 'Bearer {{token}}'")]
    NotBearer,
    /// The bearer is not a JWT at all; `sb_` keys are among these.
    #[error("Invalid JWT")]
    NotJwt,
    /// A JWT that names the shared secret's algorithm is not valid.
    #[error("Invalid JWT")]
    LegacyJwt,
    /// A JWT that names a published key's algorithm is not valid.
    #[error("Invalid JWT")]
    AsymmetricJwt,
    /// A JWT is signed with an algorithm that is not supported.
    #[error("Unsupported JWT algorithm {0}")]
    UnsupportedAlgorithm(String),
    /// The body is longer than the service reads.
    #[error("Request body exceeds {limit} bytes")]
    BodyTooLarge {
        /// The limit in bytes.
        limit: usize,
    },
    /// The body broke off before its end.
    #[error("Request body could not be read")]
    BodyUnreadable,
    /// The function panicked, or the service around it is not set up.
    #[error("Function exited due to an error (please check logs)")]
    WorkerError,
    /// The function's process did not start.
    #[error("Function failed to start (please check logs)")]
    BootError,
    /// deno, which runs scripts, is not available.
    #[error("Functions in TypeScript need deno, which is not there (please check logs)")]
    NoRuntime,
    /// The function exceeded a resource limit, or has reached its limit of calls at the same time.
    #[error("Function failed due to not having enough compute resources (please check logs)")]
    WorkerLimit,
    /// The function did not begin its answer in time.
    #[error("Request idle timeout limit ({seconds}s) reached")]
    IdleTimeout {
        /// The limit in seconds.
        seconds: u64,
    },
}

impl CallRefusal {
    /// The HTTP status.
    pub fn status(&self) -> StatusCode {
        match self {
            Self::NotFound => StatusCode::NOT_FOUND,
            Self::NoAuthHeader
            | Self::NotBearer
            | Self::NotJwt
            | Self::LegacyJwt
            | Self::AsymmetricJwt
            | Self::UnsupportedAlgorithm(_) => StatusCode::UNAUTHORIZED,
            Self::BodyTooLarge { .. } => StatusCode::PAYLOAD_TOO_LARGE,
            Self::BodyUnreadable => StatusCode::BAD_REQUEST,
            Self::WorkerError => StatusCode::INTERNAL_SERVER_ERROR,
            Self::BootError | Self::NoRuntime => StatusCode::SERVICE_UNAVAILABLE,
            Self::WorkerLimit => worker_limit(),
            Self::IdleTimeout { .. } => StatusCode::GATEWAY_TIMEOUT,
        }
    }

    /// The code in body and header.
    pub fn code(&self) -> &'static str {
        match self {
            Self::NotFound => "NOT_FOUND",
            Self::NoAuthHeader => "UNAUTHORIZED_NO_AUTH_HEADER",
            Self::NotBearer | Self::NotJwt => "UNAUTHORIZED_INVALID_JWT_FORMAT",
            Self::LegacyJwt => "UNAUTHORIZED_LEGACY_JWT",
            Self::AsymmetricJwt => "UNAUTHORIZED_ASYMMETRIC_JWT",
            Self::UnsupportedAlgorithm(_) => "UNAUTHORIZED_UNSUPPORTED_TOKEN_ALGORITHM",
            Self::BodyTooLarge { .. } => "PAYLOAD_TOO_LARGE",
            Self::BodyUnreadable => "BAD_REQUEST",
            Self::WorkerError => "WORKER_ERROR",
            Self::BootError | Self::NoRuntime => "BOOT_ERROR",
            Self::WorkerLimit => "WORKER_LIMIT",
            Self::IdleTimeout { .. } => "IDLE_TIMEOUT",
        }
    }
}

/// The status 546, which is the hosted platform's own.
fn worker_limit() -> StatusCode {
    StatusCode::from_u16(546).unwrap_or(StatusCode::SERVICE_UNAVAILABLE)
}

impl IntoResponse for CallRefusal {
    fn into_response(self) -> Response {
        let (status, code, message) = (self.status(), self.code(), self.to_string());
        let unauthorized = status == StatusCode::UNAUTHORIZED;
        let body = if unauthorized {
            json!({ "code": code, "message": message, "msg": message })
        } else {
            json!({ "code": code, "message": message })
        };
        let mut response = compat_http::json(status, &body);
        let headers = response.headers_mut();
        headers.insert(SB_ERROR_CODE, HeaderValue::from_static(code));
        if unauthorized {
            // Upstream's client suite demands it of a bad signature, though no upstream server
            // is known to send it.
            headers.insert(X_RELAY_ERROR, HeaderValue::from_static("true"));
        }
        response
    }
}

/// A set of functions that cannot be served.
#[derive(Debug, thiserror::Error, PartialEq, Eq)]
pub enum RegistryError {
    /// Two functions claim one name.
    #[error("two functions are named {0:?}")]
    Duplicate(String),
    /// The name is not a valid path segment.
    #[error("{0:?} cannot name a function: letters, digits, `_` and `-` only")]
    BadName(String),
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_refusal_has_its_status_code_and_text() {
        let table = [
            (CallRefusal::NotFound, 404, "NOT_FOUND", "Requested function was not found"),
            (
                CallRefusal::NoAuthHeader,
                401,
                "UNAUTHORIZED_NO_AUTH_HEADER",
                "Missing authorization header",
            ),
            (
                CallRefusal::NotBearer,
                401,
                "UNAUTHORIZED_INVALID_JWT_FORMAT",
                "Auth header is not 'Bearer {token}'",
            ),
            (CallRefusal::NotJwt, 401, "UNAUTHORIZED_INVALID_JWT_FORMAT", "Invalid JWT"),
            (CallRefusal::LegacyJwt, 401, "UNAUTHORIZED_LEGACY_JWT", "Invalid JWT"),
            (CallRefusal::AsymmetricJwt, 401, "UNAUTHORIZED_ASYMMETRIC_JWT", "Invalid JWT"),
            (
                CallRefusal::UnsupportedAlgorithm("PS256".into()),
                401,
                "UNAUTHORIZED_UNSUPPORTED_TOKEN_ALGORITHM",
                "Unsupported JWT algorithm PS256",
            ),
            (
                CallRefusal::BodyTooLarge { limit: 8 },
                413,
                "PAYLOAD_TOO_LARGE",
                "Request body exceeds 8 bytes",
            ),
            (CallRefusal::BodyUnreadable, 400, "BAD_REQUEST", "Request body could not be read"),
            (
                CallRefusal::WorkerError,
                500,
                "WORKER_ERROR",
                "Function exited due to an error (please check logs)",
            ),
            (
                CallRefusal::BootError,
                503,
                "BOOT_ERROR",
                "Function failed to start (please check logs)",
            ),
            (
                CallRefusal::NoRuntime,
                503,
                "BOOT_ERROR",
                "Functions in TypeScript need deno, which is not there (please check logs)",
            ),
            (
                CallRefusal::WorkerLimit,
                546,
                "WORKER_LIMIT",
                "Function failed due to not having enough compute resources (please check logs)",
            ),
            (
                CallRefusal::IdleTimeout { seconds: 150 },
                504,
                "IDLE_TIMEOUT",
                "Request idle timeout limit (150s) reached",
            ),
        ];
        for (refusal, status, code, text) in table {
            assert_eq!(
                (refusal.status().as_u16(), refusal.code(), refusal.to_string().as_str()),
                (status, code, text)
            );
        }
    }
}
