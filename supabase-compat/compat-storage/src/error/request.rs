//! Refusals of malformed requests.

use super::{ErrorDetails, StorageError, facts};
use crate::images::transform;

/// What is wrong with a request.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum InvalidRequest {
    /// A field is missing in a part of the request, such as `body`.
    #[error("{0} must have required property '{1}'")]
    Missing(&'static str, &'static str),
    /// A field has the wrong type or value: `body/limit must be integer`.
    #[error("{0}")]
    Field(String),
    #[error("Body is not valid JSON but content-type is set to 'application/json'")]
    Json,
    #[error("Request body is too large")]
    LongBody,
    #[error("Unsupported Media Type")]
    BodyType,
    #[error("No content provided")]
    NoContent,
    /// A multipart body cannot be parsed.
    #[error("{0}")]
    Multipart(String),
    #[error("Invalid file size format, hint: use 20GB / 20MB / 30KB / 3B")]
    Size,
    #[error("Invalid X-Robots-Tag header: {0}")]
    Robots(String),
    #[error("Metadata header is required")]
    Metadata,
    /// No byte of the requested range exists.
    #[error("Range Not Satisfiable")]
    Range,
    #[error("Invalid Parameter {0}")]
    Parameter(&'static str),
    #[error("{0}")]
    Cursor(&'static str),
    /// A focal point lies outside of the picture.
    #[error("Focal point requires x and y coordinates within 0-1 range")]
    FocalPoint,
}

impl From<transform::InvalidTransform> for StorageError {
    fn from(invalid: transform::InvalidTransform) -> Self {
        Self::Invalid(match invalid {
            transform::InvalidTransform::Field(sentence) => InvalidRequest::Field(sentence),
            transform::InvalidTransform::FocalPoint => InvalidRequest::FocalPoint,
        })
    }
}

impl InvalidRequest {
    pub(super) fn facts(&self) -> ErrorDetails {
        match self {
            Self::Missing(..) | Self::Field(_) | Self::Json | Self::BodyType => {
                facts(400, "Error", "InvalidRequest")
            }
            Self::LongBody => facts(413, "Payload too large", "EntityTooLarge"),
            Self::NoContent | Self::Size | Self::Metadata | Self::Multipart(_) => {
                facts(400, "InvalidRequest", "InvalidRequest")
            }
            Self::Robots(_) => facts(400, "invalid_x_robots_tag", "InvalidRequest"),
            Self::Range => facts(416, "invalid_range", "InvalidRange"),
            Self::Parameter(_) | Self::Cursor(_) | Self::FocalPoint => {
                facts(400, "InvalidParameter", "InvalidParameter")
            }
        }
    }
}
