//! Every refusal of the S3 protocol, with the code and status that AWS documents ("Error
//! Responses").
//!
//! Clients match on the code. The HTTP status is the true one, unlike in the other protocols.

use http::StatusCode;
use thiserror::Error;

/// Why a request of the S3 protocol is refused.
#[derive(Clone, Debug, Error, PartialEq, Eq)]
pub enum S3Refusal {
    /// The request is not signed, an unsigned part would change its meaning, or the rules forbid
    /// it.
    #[error("{0}")]
    AccessDenied(&'static str),
    #[error("The authorization header is malformed; {0}")]
    AuthorizationHeaderMalformed(&'static str),
    #[error("{0}")]
    AuthorizationQueryParametersError(&'static str),
    #[error("The AWS Access Key Id you provided does not exist in our records.")]
    InvalidAccessKeyId,
    #[error(
        "The request signature we calculated does not match the signature you provided. Check \
         your key and signing method."
    )]
    SignatureDoesNotMatch,
    #[error("The difference between the request time and the current time is too large.")]
    RequestTimeTooSkewed,
    #[error("The provided token is malformed or otherwise invalid.")]
    InvalidToken,
    #[error("The provided token has expired.")]
    ExpiredToken,
    #[error("The provided 'x-amz-content-sha256' header does not match what was computed.")]
    XAmzContentSha256Mismatch,
    #[error("The {0} you specified did not match what we received.")]
    BadDigest(&'static str),
    #[error("The {0} you specified is not valid.")]
    InvalidDigest(&'static str),
    #[error("You did not provide the number of bytes specified by the Content-Length HTTP header.")]
    IncompleteBody,
    #[error("You must provide the Content-Length HTTP header.")]
    MissingContentLength,
    #[error("{0}")]
    InvalidRequest(&'static str),
    #[error("{0}")]
    InvalidArgument(&'static str),
    #[error("The XML you provided was not well-formed or did not validate.")]
    MalformedXml,
    #[error("The body of your POST request is not well-formed multipart/form-data.")]
    MalformedPostRequest,
    #[error("{0}")]
    InvalidPolicyDocument(&'static str),
    #[error("Invalid according to Policy: {0}")]
    PolicyFailed(&'static str),
    #[error("The specified method is not allowed against this resource.")]
    MethodNotAllowed,
    #[error("What you asked for is functionality that is not implemented.")]
    NotImplemented,
    #[error("At least one of the pre-conditions you specified did not hold")]
    PreconditionFailed,
    #[error("One or more of the specified parts could not be found.")]
    InvalidPart,
    #[error("The list of parts was not in ascending order.")]
    InvalidPartOrder,
    #[error(
        "The specified upload does not exist. The upload ID may be invalid, or the upload may \
         have been aborted or completed."
    )]
    NoSuchUpload,
}

impl S3Refusal {
    /// The code, which clients match on.
    pub fn code(&self) -> &'static str {
        self.row().0
    }

    /// The status of the answer.
    pub fn status(&self) -> StatusCode {
        self.row().1
    }

    fn row(&self) -> (&'static str, StatusCode) {
        use StatusCode as S;
        match self {
            Self::AccessDenied(_) | Self::PolicyFailed(_) => ("AccessDenied", S::FORBIDDEN),
            Self::AuthorizationHeaderMalformed(_) => {
                ("AuthorizationHeaderMalformed", S::BAD_REQUEST)
            }
            Self::AuthorizationQueryParametersError(_) => {
                ("AuthorizationQueryParametersError", S::BAD_REQUEST)
            }
            Self::InvalidAccessKeyId => ("InvalidAccessKeyId", S::FORBIDDEN),
            Self::SignatureDoesNotMatch => ("SignatureDoesNotMatch", S::FORBIDDEN),
            Self::RequestTimeTooSkewed => ("RequestTimeTooSkewed", S::FORBIDDEN),
            Self::InvalidToken => ("InvalidToken", S::BAD_REQUEST),
            Self::ExpiredToken => ("ExpiredToken", S::BAD_REQUEST),
            Self::XAmzContentSha256Mismatch => ("XAmzContentSHA256Mismatch", S::BAD_REQUEST),
            Self::BadDigest(_) => ("BadDigest", S::BAD_REQUEST),
            Self::InvalidDigest(_) => ("InvalidDigest", S::BAD_REQUEST),
            Self::IncompleteBody => ("IncompleteBody", S::BAD_REQUEST),
            Self::MissingContentLength => ("MissingContentLength", S::LENGTH_REQUIRED),
            Self::InvalidRequest(_) => ("InvalidRequest", S::BAD_REQUEST),
            Self::InvalidArgument(_) => ("InvalidArgument", S::BAD_REQUEST),
            Self::MalformedXml => ("MalformedXML", S::BAD_REQUEST),
            Self::MalformedPostRequest => ("MalformedPOSTRequest", S::BAD_REQUEST),
            Self::InvalidPolicyDocument(_) => ("InvalidPolicyDocument", S::BAD_REQUEST),
            Self::MethodNotAllowed => ("MethodNotAllowed", S::METHOD_NOT_ALLOWED),
            Self::NotImplemented => ("NotImplemented", S::NOT_IMPLEMENTED),
            Self::PreconditionFailed => ("PreconditionFailed", S::PRECONDITION_FAILED),
            Self::InvalidPart => ("InvalidPart", S::BAD_REQUEST),
            Self::InvalidPartOrder => ("InvalidPartOrder", S::BAD_REQUEST),
            Self::NoSuchUpload => ("NoSuchUpload", S::NOT_FOUND),
        }
    }
}
