//! Extractor for JSON bodies.

use axum::body::Bytes;
use axum::extract::{FromRequest, Request};
use axum::response::{IntoResponse as _, Response};
use http::StatusCode;
use serde_json::Value;

use crate::MetaError;

/// A JSON body; an empty one is null.
pub(crate) struct JsonBody(pub Value);

impl<S: Send + Sync> FromRequest<S> for JsonBody {
    type Rejection = Response;

    async fn from_request(request: Request, state: &S) -> Result<Self, Response> {
        let bytes =
            Bytes::from_request(request, state).await.map_err(|rejection| {
                match rejection.into_response().status() {
                    StatusCode::PAYLOAD_TOO_LARGE => MetaError::BodyTooLarge.into_response(),
                    _ => MetaError::Invalid("the body broke off".to_owned()).into_response(),
                }
            })?;
        if bytes.is_empty() {
            return Ok(Self(Value::Null));
        }
        serde_json::from_slice(&bytes).map(Self).map_err(|error| {
            MetaError::Invalid(format!("the body is no JSON: {error}")).into_response()
        })
    }
}
