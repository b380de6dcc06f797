//! One call: what is sent, and what comes back.

use std::time::Duration;

use bytes::{Bytes, BytesMut};
use http::{HeaderMap, StatusCode};
use serde::Serialize;
use serde::de::DeserializeOwned;

use super::error::OutgoingError;

/// A request under construction. Errors in it are returned by [`Self::send`].
#[must_use = "nothing leaves before it is sent"]
pub struct OutgoingRequest {
    request: Result<reqwest::RequestBuilder, OutgoingError>,
    timeout: Duration,
    max_answer: usize,
}

impl std::fmt::Debug for OutgoingRequest {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("OutgoingRequest")
    }
}

impl OutgoingRequest {
    pub(super) fn new(
        request: Result<reqwest::RequestBuilder, OutgoingError>,
        timeout: Duration,
        max_answer: usize,
    ) -> Self {
        Self { request, timeout, max_answer }
    }

    fn with(self, build: impl FnOnce(reqwest::RequestBuilder) -> reqwest::RequestBuilder) -> Self {
        Self { request: self.request.map(build), ..self }
    }

    /// Adds a header.
    pub fn header(self, name: &str, value: &str) -> Self {
        self.with(|request| request.header(name, value))
    }

    /// Adds `Authorization: Bearer …`.
    pub fn bearer(self, token: &str) -> Self {
        self.with(|request| request.bearer_auth(token))
    }

    /// Adds `Authorization: Basic …`.
    pub fn basic(self, user: &str, password: &str) -> Self {
        self.with(|request| request.basic_auth(user, Some(password)))
    }

    /// Sends a form.
    pub fn form(self, form: &(impl Serialize + ?Sized)) -> Self {
        self.with(|request| request.form(form))
    }

    /// Sends JSON.
    pub fn json(self, value: &(impl Serialize + ?Sized)) -> Self {
        self.with(|request| request.json(value))
    }

    /// Sends bytes; their type is the caller's to name by [`Self::header`].
    pub fn body(self, body: impl Into<Bytes>) -> Self {
        let body = body.into();
        self.with(|request| request.body(body))
    }

    /// Shortens the client's timeout.
    pub fn within(self, timeout: Duration) -> Self {
        Self { timeout: self.timeout.min(timeout), ..self }
    }

    /// Replaces the client's limit for the length of the response.
    pub fn at_most(self, max_answer: usize) -> Self {
        Self { max_answer, ..self }
    }

    /// Sends the request and reads the whole answer, whatever its status.
    ///
    /// # Errors
    /// The address may not be reached or does not answer as it should.
    pub async fn send(self) -> Result<OutgoingResponse, OutgoingError> {
        let response = self.request?.timeout(self.timeout).send().await?;
        OutgoingResponse::read(response, self.max_answer).await
    }
}

/// The response to a call.
#[derive(Debug, Clone)]
pub struct OutgoingResponse {
    /// The status, redirects included: they are not followed.
    pub status: StatusCode,
    /// The headers.
    pub headers: HeaderMap,
    /// The whole body.
    pub body: Bytes,
}

impl OutgoingResponse {
    async fn read(mut response: reqwest::Response, limit: usize) -> Result<Self, OutgoingError> {
        let too_long = OutgoingError::TooLong { limit };
        if response.content_length().is_some_and(|length| length > limit as u64) {
            return Err(too_long);
        }
        let mut body = BytesMut::new();
        while let Some(chunk) = response.chunk().await? {
            if chunk.len() > limit - body.len() {
                return Err(too_long);
            }
            body.extend_from_slice(&chunk);
        }
        let headers = std::mem::take(response.headers_mut());
        Ok(Self { status: response.status(), headers, body: body.freeze() })
    }

    /// The answer, if its status is a success.
    ///
    /// # Errors
    /// [`OutgoingError::Status`] otherwise.
    pub fn success(self) -> Result<Self, OutgoingError> {
        if self.status.is_success() { Ok(self) } else { Err(OutgoingError::Status(self.status)) }
    }

    /// The body as JSON.
    ///
    /// # Errors
    /// [`OutgoingError::Unreadable`].
    pub fn json<T: DeserializeOwned>(&self) -> Result<T, OutgoingError> {
        Ok(serde_json::from_slice(&self.body)?)
    }
}
