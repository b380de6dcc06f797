//! Every refusal of this service, with the texts of the contract, which clients show and match on.

mod join;
mod rest;

use axum::response::{IntoResponse, Response};
use compat_token::TokenRefusal;
use http::StatusCode;
use serde_json::json;

pub use join::JoinRefusal;
pub use rest::RestRefusal;

/// Why a socket is not opened.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum HandshakeRefusal {
    /// Neither the headers nor the query has a key.
    #[error("API key is missing")]
    NoKey,
    /// The key is not valid.
    #[error(transparent)]
    Token(#[from] KeyRefusal),
    /// The service is suspended.
    #[error("Realtime was disabled for this tenant")]
    Suspended,
    /// The limit of open sockets is reached.
    #[error("Too many connected users")]
    TooManySockets,
    /// The request is not a websocket handshake.
    #[error("{0}")]
    NoWebsocket(String),
    /// The version of the protocol is neither 1 nor 2.
    #[error("The version of the protocol is not supported")]
    Version,
    /// The process is stopping.
    #[error("Server is shutting down")]
    Stopping,
}

impl HandshakeRefusal {
    /// The HTTP status.
    pub fn status(&self) -> StatusCode {
        match self {
            Self::NoKey | Self::Token(_) => StatusCode::UNAUTHORIZED,
            Self::Suspended => StatusCode::FORBIDDEN,
            Self::TooManySockets => StatusCode::TOO_MANY_REQUESTS,
            Self::NoWebsocket(_) | Self::Version => StatusCode::BAD_REQUEST,
            Self::Stopping => StatusCode::SERVICE_UNAVAILABLE,
        }
    }
}

impl IntoResponse for HandshakeRefusal {
    fn into_response(self) -> Response {
        compat_http::json(self.status(), &json!({"error": self.to_string()}))
    }
}

/// Why a token is refused, with the texts of the contract.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum KeyRefusal {
    /// The token expired this many seconds ago.
    #[error("Token has expired {0} seconds ago")]
    Expired(i64),
    /// `role` or `exp` is missing, or `exp` is not a number.
    #[error("Fields `role` and `exp` are required in JWT")]
    Fields,
    /// The token is not a JWT.
    #[error("The token provided is not a valid JWT")]
    Malformed,
    /// No known key made the signature.
    #[error("Failed to validate JWT signature")]
    Signature,
    /// No key to verify with is configured.
    #[error("Failed to generate JWT signer, check your JWT secret or JWKS configuration")]
    NoSigner,
    /// The token is genuine, but its claims are not valid now or not for this service; holds the
    /// reason.
    #[error("{0}")]
    Claims(String),
}

impl KeyRefusal {
    /// The refusal for a token error; `expired_for` is the number of seconds since the token
    /// expired.
    pub(crate) fn of(refusal: TokenRefusal, expired_for: i64) -> Self {
        match refusal {
            TokenRefusal::Expired => Self::Expired(expired_for),
            TokenRefusal::NotANumber("exp") => Self::Fields,
            TokenRefusal::NoSecret => Self::NoSigner,
            TokenRefusal::Signature | TokenRefusal::NoKey | TokenRefusal::Unsecured => {
                Self::Signature
            }
            TokenRefusal::Empty
            | TokenRefusal::PartCount(_)
            | TokenRefusal::Malformed
            | TokenRefusal::Payload => Self::Malformed,
            other => Self::Claims(other.to_string()),
        }
    }

    /// The code that precedes the text when a join is refused.
    pub fn code(&self) -> &'static str {
        match self {
            Self::Expired(_) | Self::Fields | Self::Claims(_) => "InvalidJWTToken",
            Self::Malformed => "MalformedJWT",
            Self::Signature => "JwtSignatureError",
            Self::NoSigner => "JwtSignerError",
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_handshake_refusal_has_status_and_text() {
        let expired = HandshakeRefusal::Token(KeyRefusal::Expired(7));
        let fields = HandshakeRefusal::Token(KeyRefusal::Fields);
        for (refusal, status, text) in [
            (HandshakeRefusal::NoKey, 401, "API key is missing"),
            (expired, 401, "Token has expired 7 seconds ago"),
            (fields, 401, "Fields `role` and `exp` are required in JWT"),
            (HandshakeRefusal::Suspended, 403, "Realtime was disabled for this tenant"),
            (HandshakeRefusal::TooManySockets, 429, "Too many connected users"),
            (HandshakeRefusal::NoWebsocket("no".to_owned()), 400, "no"),
            (HandshakeRefusal::Version, 400, "The version of the protocol is not supported"),
            (HandshakeRefusal::Stopping, 503, "Server is shutting down"),
        ] {
            assert_eq!((refusal.status().as_u16(), &*refusal.to_string()), (status, text));
        }
    }

    #[test]
    fn every_refused_token_has_code_and_text() {
        for (refusal, code, text) in [
            (TokenRefusal::Expired, "InvalidJWTToken", "Token has expired 3 seconds ago"),
            (
                TokenRefusal::NotANumber("exp"),
                "InvalidJWTToken",
                "Fields `role` and `exp` are required in JWT",
            ),
            (TokenRefusal::PartCount(2), "MalformedJWT", "The token provided is not a valid JWT"),
            (TokenRefusal::Signature, "JwtSignatureError", "Failed to validate JWT signature"),
            (
                TokenRefusal::NoSecret,
                "JwtSignerError",
                "Failed to generate JWT signer, check your JWT secret or JWKS configuration",
            ),
            (TokenRefusal::NotYetValid, "InvalidJWTToken", "JWT not yet valid"),
        ] {
            let refusal = KeyRefusal::of(refusal, 3);
            assert_eq!((refusal.code(), &*refusal.to_string()), (code, text));
        }
    }
}
