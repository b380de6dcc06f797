//! Extractors for bodies, paths and queries that refuse with the console's own errors.

use axum::Json;
use axum::extract::rejection::JsonRejection;
use axum::extract::{FromRequest, FromRequestParts, Path, Query, Request};
use http::StatusCode;
use http::request::Parts;
use serde::de::DeserializeOwned;

use crate::error::ConsoleError;

/// A JSON object.
pub(crate) struct JsonBody<T>(pub T);

impl<T: DeserializeOwned, S: Send + Sync> FromRequest<S> for JsonBody<T> {
    type Rejection = ConsoleError;

    async fn from_request(request: Request, state: &S) -> Result<Self, ConsoleError> {
        match Json::<T>::from_request(request, state).await {
            Ok(Json(body)) => Ok(Self(body)),
            Err(rejection) if rejection.status() == StatusCode::PAYLOAD_TOO_LARGE => {
                Err(ConsoleError::TooLarge)
            }
            Err(rejection) => Err(ConsoleError::InvalidRequest(reason(&rejection))),
        }
    }
}

/// What is wrong with a body, without its text, which may contain a password.
fn reason(rejection: &JsonRejection) -> String {
    match rejection {
        JsonRejection::MissingJsonContentType(_) => "the content type is not application/json",
        JsonRejection::JsonSyntaxError(_) => "the body is no JSON",
        JsonRejection::JsonDataError(_) => "a field is missing or has another type",
        _ => "the body did not arrive",
    }
    .to_owned()
}

/// The query parameters.
pub(crate) struct QueryOf<T>(pub T);

impl<T: DeserializeOwned, S: Send + Sync> FromRequestParts<S> for QueryOf<T> {
    type Rejection = ConsoleError;

    async fn from_request_parts(parts: &mut Parts, state: &S) -> Result<Self, ConsoleError> {
        let query = Query::<T>::from_request_parts(parts, state).await;
        let wrong = |_| ConsoleError::InvalidRequest("a parameter is missing or wrong".to_owned());
        query.map(|Query(query)| Self(query)).map_err(wrong)
    }
}

/// A segment of the path.
pub(crate) struct Segment<T>(pub T);

impl<T: DeserializeOwned + Send, S: Send + Sync> FromRequestParts<S> for Segment<T> {
    type Rejection = ConsoleError;

    async fn from_request_parts(parts: &mut Parts, state: &S) -> Result<Self, ConsoleError> {
        let path = Path::<T>::from_request_parts(parts, state).await;
        path.map(|Path(segment)| Self(segment)).map_err(|_| ConsoleError::NotFound)
    }
}
