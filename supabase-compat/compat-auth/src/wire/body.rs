//! JSON bodies, with the original's refusals.

use axum::extract::{FromRequest, Request};
use serde::de::DeserializeOwned;

use crate::error::AuthError;

/// The most a body may hold, in bytes.
const LIMIT: usize = 1 << 20;

/// A parsed body. Unknown fields are ignored, since clients send fields of other endpoints.
pub struct Body<T>(pub T);

impl<T: DeserializeOwned, S: Send + Sync> FromRequest<S> for Body<T> {
    type Rejection = AuthError;

    async fn from_request(request: Request, _: &S) -> Result<Self, AuthError> {
        parse(&read(request).await?).map(Self)
    }
}

/// A parsed body that may be missing altogether.
pub struct OptionalBody<T>(pub T);

impl<T: DeserializeOwned + Default, S: Send + Sync> FromRequest<S> for OptionalBody<T> {
    type Rejection = AuthError;

    async fn from_request(request: Request, _: &S) -> Result<Self, AuthError> {
        let bytes = read(request).await?;
        if bytes.is_empty() { Ok(Self(T::default())) } else { parse(&bytes).map(Self) }
    }
}

async fn read(request: Request) -> Result<bytes::Bytes, AuthError> {
    axum::body::to_bytes(request.into_body(), LIMIT).await.map_err(|_| AuthError::BodyTooLarge)
}

/// # Errors
/// [`AuthError::BadJson`] with the place.
pub fn parse<T: DeserializeOwned>(bytes: &[u8]) -> Result<T, AuthError> {
    serde_json::from_slice(bytes).map_err(|error| AuthError::BadJson(error.to_string()))
}

/// The two fields of a proof key, which clients send as nulls when they use none.
#[derive(Debug, Default, serde::Deserialize)]
pub struct ChallengeFields {
    pub code_challenge: Option<String>,
    pub code_challenge_method: Option<String>,
}

impl ChallengeFields {
    /// # Errors
    /// As [`crate::model::Challenge::parse`].
    pub fn parse(&self) -> Result<Option<crate::model::Challenge>, crate::error::Invalid> {
        let method = self.code_challenge_method.as_deref();
        crate::model::Challenge::parse(self.code_challenge.as_deref(), method)
    }
}
