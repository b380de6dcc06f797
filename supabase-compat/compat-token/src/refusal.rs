//! Every way a bearer token is refused, in the words PostgREST uses, so that services can pass
//! them on in their own wire shapes.

/// Why a token was not accepted.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum TokenRefusal {
    /// There is no key at all to verify with (PGRST300). The operator's fault, not the caller's.
    #[error("Server lacks JWT secret")]
    NoSecret,
    /// The header carries the scheme and nothing behind it.
    #[error("Empty JWT is sent in Authorization header")]
    Empty,
    /// A compact JWS has three parts.
    #[error("Expected 3 parts in JWT; got {0}")]
    PartCount(usize),
    /// A part is no base64url, or the header is no JOSE header this server understands: no JSON,
    /// an unknown algorithm, or a critical extension.
    #[error("JWT cryptographic operation failed")]
    Malformed,
    /// The header says `none`.
    #[error("Wrong or unsupported encoding algorithm")]
    Unsecured,
    /// No key has the token's `kid`, or none is of the kind its algorithm needs.
    #[error("No suitable key or wrong key type")]
    NoKey,
    /// The signature is not that of any key tried.
    #[error("No suitable key or wrong key type")]
    Signature,
    /// The payload is not a JSON object.
    #[error("Parsing claims failed")]
    Payload,
    /// A time claim is there but is no number.
    #[error("The JWT '{0}' claim must be a number")]
    NotANumber(&'static str),
    /// `exp` lies more than the allowed skew in the past.
    #[error("JWT expired")]
    Expired,
    /// `nbf` lies more than the allowed skew in the future.
    #[error("JWT not yet valid")]
    NotYetValid,
    /// `iat` lies more than the allowed skew in the future.
    #[error("JWT issued at future")]
    IssuedInFuture,
    /// An audience is demanded and the token names others.
    #[error("JWT not in audience")]
    Audience,
    /// `aud` is neither a string nor an array of strings.
    #[error("The JWT 'aud' claim must be a string or an array of strings")]
    AudienceShape,
}

impl TokenRefusal {
    /// Whether the token was genuine and its claims were refused (PostgREST's PGRST303), as
    /// against a token that could not be decoded or verified (PGRST301).
    pub fn is_claims(&self) -> bool {
        match self {
            Self::NoSecret
            | Self::Empty
            | Self::PartCount(_)
            | Self::Malformed
            | Self::Unsecured
            | Self::NoKey
            | Self::Signature => false,
            Self::Payload
            | Self::NotANumber(_)
            | Self::Expired
            | Self::NotYetValid
            | Self::IssuedInFuture
            | Self::Audience
            | Self::AudienceShape => true,
        }
    }

    /// What is known beyond the message, where PostgREST tells it in `details`.
    pub fn details(&self) -> Option<&'static str> {
        match self {
            Self::NoKey => Some("No suitable key was found to decode the JWT"),
            Self::Signature => Some("None of the keys was able to decode the JWT"),
            Self::Unsecured => Some("JWT is unsecured but expected 'alg' was not 'none'"),
            _ => None,
        }
    }
}
