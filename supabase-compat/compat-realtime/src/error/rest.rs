//! Refused broadcasts over REST.

use std::collections::BTreeMap;

use axum::response::{IntoResponse, Response};
use http::{HeaderValue, StatusCode};
use serde_json::{Value, json};

/// Why a broadcast is refused.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum RestRefusal {
    /// Neither the bearer token nor the key is valid.
    Unauthorized,
    /// No policy lets the caller write to the private channel.
    Forbidden,
    /// The body is not JSON, or is too long.
    BadBody,
    /// Fields that are missing or invalid, each with its errors.
    Fields(BTreeMap<String, Value>),
    /// A payload is too long.
    TooLarge,
    /// The media type of the body is not supported.
    MediaType,
    /// The address has reached its rate limit; holds the whole seconds until it may send again.
    TooMany(u64),
    /// There are more messages in one request than may be sent in a second.
    BatchTooLarge,
    /// The database could not be asked for the caller's rights.
    Database,
}

impl RestRefusal {
    /// The HTTP status.
    pub fn status(&self) -> StatusCode {
        match self {
            Self::Unauthorized => StatusCode::UNAUTHORIZED,
            Self::Forbidden => StatusCode::FORBIDDEN,
            Self::BadBody => StatusCode::BAD_REQUEST,
            Self::Fields(_) | Self::TooLarge => StatusCode::UNPROCESSABLE_ENTITY,
            Self::MediaType => StatusCode::UNSUPPORTED_MEDIA_TYPE,
            Self::TooMany(_) | Self::BatchTooLarge => StatusCode::TOO_MANY_REQUESTS,
            Self::Database => StatusCode::SERVICE_UNAVAILABLE,
        }
    }

    /// The JSON body of the response.
    pub fn body(&self) -> Value {
        match self {
            Self::Unauthorized | Self::Forbidden => json!({"message": "Unauthorized"}),
            Self::BadBody => json!({"message": "Bad Request"}),
            Self::Fields(errors) => json!({"errors": errors}),
            Self::TooLarge => json!({
                "errors": {"messages": [{"payload": ["Payload size exceeds tenant limit"]}]}
            }),
            Self::MediaType => json!({
                "error": "Unsupported Media Type. \
                          Use application/json or application/octet-stream"
            }),
            Self::TooMany(_) => json!({"message": "You have exceeded your rate limit"}),
            Self::BatchTooLarge => json!({
                "message": "Too many messages to broadcast, please reduce the batch size"
            }),
            Self::Database => json!({
                "message": "Realtime was unable to connect to the project database"
            }),
        }
    }
}

impl IntoResponse for RestRefusal {
    fn into_response(self) -> Response {
        let mut response = compat_http::json(self.status(), &self.body());
        if let Self::TooMany(seconds) = self {
            response.headers_mut().insert(http::header::RETRY_AFTER, HeaderValue::from(seconds));
        }
        response
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_rest_refusal_has_status_and_body() {
        for (refusal, status, body) in [
            (RestRefusal::Unauthorized, 401, json!({"message": "Unauthorized"})),
            (RestRefusal::Forbidden, 403, json!({"message": "Unauthorized"})),
            (RestRefusal::BadBody, 400, json!({"message": "Bad Request"})),
            (RestRefusal::Fields(BTreeMap::new()), 422, json!({"errors": {}})),
            (
                RestRefusal::TooLarge,
                422,
                json!({"errors": {"messages": [{"payload": ["Payload size exceeds tenant limit"]}]}}),
            ),
            (
                RestRefusal::MediaType,
                415,
                json!({"error": "Unsupported Media Type. Use application/json or application/octet-stream"}),
            ),
            (RestRefusal::TooMany(1), 429, json!({"message": "You have exceeded your rate limit"})),
            (
                RestRefusal::BatchTooLarge,
                429,
                json!({"message": "Too many messages to broadcast, please reduce the batch size"}),
            ),
            (
                RestRefusal::Database,
                503,
                json!({"message": "Realtime was unable to connect to the project database"}),
            ),
        ] {
            assert_eq!((refusal.status().as_u16(), refusal.body()), (status, body));
        }
    }
}
