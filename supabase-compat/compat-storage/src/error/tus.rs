//! Every refusal of a resumable upload, with the messages of the original's server. Answers are
//! plain text with their true status.

use http::StatusCode;
use thiserror::Error;

/// Why a request of the protocol is refused.
#[derive(Clone, Debug, Error, PartialEq, Eq)]
pub enum TusRefusal {
    #[error("Tus-Resumable Required")]
    Version,
    /// A header does not follow the protocol.
    #[error("Invalid {0}")]
    Header(&'static str),
    #[error("Upload-Length or Upload-Defer-Length header required")]
    NoLength,
    #[error("Upload-Offset header required")]
    NoOffset,
    #[error("Content-Type header required")]
    NoContentType,
    /// The upload's metadata lacks a required value.
    #[error("Upload-Metadata is invalid. It MUST name {0}")]
    NoMetadata(&'static str),
    #[error("Upload-Offset conflict")]
    Offset,
    /// More bytes arrived than were announced.
    #[error("upload's size exceeded")]
    SizeExceeded,
    #[error("Maximum size exceeded")]
    MaximumExceeded,
    #[error("The file for this url was not found")]
    NotFound,
    #[error("The file for this url no longer exists")]
    Gone,
    /// Another request is writing the upload.
    #[error("Upload is currently being written by another request")]
    Locked,
    #[error("Cannot terminate an already completed upload")]
    Completed,
    #[error("Method Not Allowed")]
    Method,
}

impl TusRefusal {
    /// The status of the answer.
    pub fn status(&self) -> StatusCode {
        match self {
            Self::Version => StatusCode::PRECONDITION_FAILED,
            Self::Header(_) | Self::NoLength | Self::NoMetadata(_) | Self::Completed => {
                StatusCode::BAD_REQUEST
            }
            Self::NoOffset | Self::NoContentType => StatusCode::FORBIDDEN,
            Self::Offset => StatusCode::CONFLICT,
            Self::SizeExceeded | Self::MaximumExceeded => StatusCode::PAYLOAD_TOO_LARGE,
            Self::NotFound => StatusCode::NOT_FOUND,
            Self::Gone => StatusCode::GONE,
            Self::Locked => StatusCode::LOCKED,
            Self::Method => StatusCode::METHOD_NOT_ALLOWED,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_refusal_has_its_status_and_its_text() {
        for (refusal, status, text) in [
            (TusRefusal::Version, 412, "Tus-Resumable Required"),
            (TusRefusal::Header("upload-length"), 400, "Invalid upload-length"),
            (TusRefusal::NoLength, 400, "Upload-Length or Upload-Defer-Length header required"),
            (TusRefusal::NoOffset, 403, "Upload-Offset header required"),
            (TusRefusal::NoContentType, 403, "Content-Type header required"),
            (TusRefusal::NoMetadata("x"), 400, "Upload-Metadata is invalid. It MUST name x"),
            (TusRefusal::Offset, 409, "Upload-Offset conflict"),
            (TusRefusal::SizeExceeded, 413, "upload's size exceeded"),
            (TusRefusal::MaximumExceeded, 413, "Maximum size exceeded"),
            (TusRefusal::NotFound, 404, "The file for this url was not found"),
            (TusRefusal::Gone, 410, "The file for this url no longer exists"),
            (TusRefusal::Locked, 423, "Upload is currently being written by another request"),
            (TusRefusal::Completed, 400, "Cannot terminate an already completed upload"),
            (TusRefusal::Method, 405, "Method Not Allowed"),
        ] {
            assert_eq!((refusal.status().as_u16(), refusal.to_string()), (status, text.to_owned()));
        }
    }
}
