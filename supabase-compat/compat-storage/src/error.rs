//! Every way this service refuses, and how it says so.
//!
//! As in the original, the body carries a status of its own, which differs from that of HTTP: a
//! refusal is sent as 400, whatever the body's status is. Clients read both.

mod database;
mod request;
pub mod s3;
pub mod tus;

use http::StatusCode;

use compat_pg::PgError;
use compat_token::TokenRefusal;

use crate::bytes::BytesError;
use crate::images::{ImageRefusal, RenderError};
pub use request::InvalidRequest;

/// Why a request is refused.
#[derive(Debug, thiserror::Error)]
pub enum StorageError {
    #[error("Bucket not found")]
    NoSuchBucket,
    /// Missing, or hidden by row security.
    #[error("Object not found")]
    NoSuchKey,
    /// The row exists and its bytes do not.
    #[error("The resource was not found")]
    NoContent,
    #[error("{0}")]
    AccessDenied(String),
    #[error("{}", token_words(.0))]
    Token(TokenRefusal),
    #[error("The resource already exists")]
    KeyExists,
    #[error("The resource already exists")]
    BucketExists,
    #[error("The resource already exists")]
    ResourceExists,
    #[error("The bucket you tried to delete is not empty")]
    BucketNotEmpty,
    #[error("{0}")]
    TooManyToEmpty(String),
    #[error("Invalid key: {0}")]
    InvalidKey(String),
    #[error("Bucket name invalid")]
    InvalidBucketName,
    #[error("The object exceeded the maximum allowed size")]
    TooLarge,
    #[error("mime type {0} is not supported")]
    MediaType(String),
    /// The token of a signed address is not valid.
    #[error("{}", token_words(.0))]
    SignedToken(TokenRefusal),
    /// The token of a signed address is for something else.
    #[error("Invalid signature")]
    Signature,
    #[error(transparent)]
    Invalid(#[from] InvalidRequest),
    #[error("The feature {0} is not enabled for this resource")]
    Disabled(&'static str),
    /// A refusal of the S3 protocol.
    #[error(transparent)]
    S3(#[from] s3::S3Refusal),
    /// A refusal of the protocol of resumable uploads.
    #[error(transparent)]
    Tus(#[from] tus::TusRefusal),
    #[error("The related resource does not exist")]
    NoRelated,
    /// The message of a user's own trigger or policy, or of a constraint that no other variant
    /// covers.
    #[error("{message}")]
    Database { status: u16, message: String },
    #[error("The connection to the database timed out")]
    DatabaseTimeout,
    #[error("Too many connections issued to the database")]
    Crowded,
    /// A picture cannot be rendered.
    #[error(transparent)]
    Picture(ImageRefusal),
    #[error("The content broke off")]
    BrokenOff,
    #[error("There is no room left to store the object")]
    Full(#[source] crate::bytes::Cause),
    #[error("Internal Server Error")]
    Internal(#[source] Box<dyn std::error::Error + Send + Sync>),
}

/// The fields of an error's answer, except its message.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ErrorDetails {
    /// `statusCode` of the body, and the true status where the protocol has no other (S3, TUS).
    pub status: u16,
    /// `error` of the body.
    pub error: &'static str,
    /// `code` of the body.
    pub code: &'static str,
}

const fn facts(status: u16, error: &'static str, code: &'static str) -> ErrorDetails {
    ErrorDetails { status, error, code }
}

impl StorageError {
    /// An internal failure without a variant of its own.
    pub(crate) fn internal(cause: impl Into<Box<dyn std::error::Error + Send + Sync>>) -> Self {
        Self::Internal(cause.into())
    }

    /// Row security refused a write.
    pub(crate) fn row_security() -> Self {
        Self::AccessDenied("new row violates row-level security policy".to_owned())
    }

    /// Status, error and code of the body.
    pub fn facts(&self) -> ErrorDetails {
        match self {
            Self::NoSuchBucket => facts(404, "Bucket not found", "NoSuchBucket"),
            Self::NoSuchKey => facts(404, "not_found", "NoSuchKey"),
            Self::NoContent => facts(404, "Not found", "NoSuchKey"),
            Self::AccessDenied(_) | Self::Token(_) => facts(403, "Unauthorized", "AccessDenied"),
            Self::KeyExists => facts(409, "Duplicate", "KeyAlreadyExists"),
            Self::BucketExists => facts(409, "Duplicate", "BucketAlreadyExists"),
            Self::ResourceExists => facts(409, "Duplicate", "ResourceAlreadyExists"),
            Self::BucketNotEmpty => facts(409, "ResourceNotEmpty", "ResourceNotEmpty"),
            Self::TooManyToEmpty(_) => facts(409, "InvalidRequest", "InvalidRequest"),
            Self::InvalidKey(_) => facts(400, "InvalidKey", "InvalidKey"),
            Self::InvalidBucketName => facts(400, "Invalid Input", "InvalidBucketName"),
            Self::TooLarge => facts(413, "Payload too large", "EntityTooLarge"),
            Self::MediaType(_) => facts(415, "invalid_mime_type", "InvalidMimeType"),
            Self::SignedToken(_) => facts(400, "InvalidJWT", "InvalidJWT"),
            Self::Signature => facts(400, "InvalidSignature", "InvalidSignature"),
            Self::Invalid(invalid) => invalid.facts(),
            Self::S3(refusal) => facts(refusal.status().as_u16(), refusal.code(), refusal.code()),
            Self::Tus(refusal) => facts(refusal.status().as_u16(), "TusError", "TusError"),
            Self::Disabled(_) => facts(403, "FeatureNotEnabled", "FeatureNotEnabled"),
            Self::NoRelated => facts(404, "InvalidRequest", "InvalidRequest"),
            Self::Database { status, .. } => facts(*status, "DatabaseError", "DatabaseError"),
            Self::DatabaseTimeout => facts(544, "DatabaseTimeout", "DatabaseTimeout"),
            Self::Crowded => facts(429, "too_many_connections", "SlowDown"),
            Self::Picture(ImageRefusal::TooMany) => facts(429, "InvalidRequest", "InvalidRequest"),
            Self::Picture(ImageRefusal::TimedOut) => facts(503, "InternalError", "InternalError"),
            Self::Picture(_) => facts(400, "InvalidRequest", "InvalidRequest"),
            Self::BrokenOff => facts(400, "InvalidRequest", "InvalidRequest"),
            Self::Full(_) => facts(507, "InsufficientStorage", "InternalError"),
            Self::Internal(_) => facts(500, "Internal", "InternalError"),
        }
    }

    /// The HTTP status, which is 400 for every mistake of the caller.
    pub fn status(&self) -> StatusCode {
        let own = self.facts().status;
        let shown_status = match self {
            Self::Invalid(InvalidRequest::Range) => 416,
            // The original answers this when its renderer fails, for any reason.
            Self::Picture(ImageRefusal::TimedOut) => 400,
            _ if own >= 500 || own == 429 => own,
            _ => 400,
        };
        StatusCode::from_u16(shown_status).unwrap_or(StatusCode::INTERNAL_SERVER_ERROR)
    }

    /// Whether the failure is internal, so that it is logged and its cause is not sent.
    pub fn is_ours(&self) -> bool {
        matches!(self, Self::Internal(_) | Self::Full(_) | Self::NoContent)
            || matches!(self, Self::Database { status: 500.., .. })
    }
}

/// The messages of the library with which the original checks tokens.
fn token_words(refusal: &TokenRefusal) -> &'static str {
    match refusal {
        TokenRefusal::Expired => "\"exp\" claim timestamp check failed",
        TokenRefusal::NotYetValid => "\"nbf\" claim timestamp check failed",
        TokenRefusal::IssuedInFuture => "\"iat\" claim timestamp check failed",
        TokenRefusal::Signature | TokenRefusal::NoKey => "signature verification failed",
        _ => "Invalid Compact JWS",
    }
}

impl From<PgError> for StorageError {
    fn from(error: PgError) -> Self {
        database::refusal(error)
    }
}

impl From<BytesError> for StorageError {
    fn from(error: BytesError) -> Self {
        match error {
            BytesError::TooLong(_) => Self::TooLarge,
            BytesError::KeyTooLong => Self::InvalidKey("it is too long".to_owned()),
            BytesError::Missing => Self::NoContent,
            BytesError::OutOfRange(_) => InvalidRequest::Range.into(),
            // A refusal that a stream ended with is returned unchanged.
            BytesError::BrokenOff(cause) => match cause.downcast::<Self>() {
                Ok(refusal) => *refusal,
                Err(_) => Self::BrokenOff,
            },
            BytesError::Full(cause) => Self::Full(cause),
            BytesError::Failed(cause) => Self::Internal(cause),
        }
    }
}

impl From<RenderError> for StorageError {
    fn from(error: RenderError) -> Self {
        match error {
            RenderError::Refused(refusal) => Self::Picture(refusal),
            RenderError::Missing => Self::NoContent,
            RenderError::Unread => Self::internal(error),
        }
    }
}

#[cfg(test)]
mod tests;
