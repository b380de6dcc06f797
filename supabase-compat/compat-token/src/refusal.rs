//! Every way a bearer token is refused, in the words PostgREST uses (`rest.md` section 16), so
//! that services can pass them on in their own wire shapes.

/// Why a token was not accepted.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum TokenRefusal {
    /// The header carries the scheme and nothing behind it.
    #[error("Empty JWT is sent in Authorization header")]
    Empty,
    /// A compact JWS has three parts.
    #[error("Expected 3 parts in JWT; got {0}")]
    PartCount(usize),
    /// The header names `none`, an unknown algorithm, or is not JSON.
    #[error("Wrong or unsupported encoding algorithm")]
    Algorithm(String),
    /// No key has the token's `kid`, or none is of the kind its algorithm needs.
    #[error("No suitable key or wrong key type")]
    NoKey,
    /// The signature is not that of any key tried.
    #[error("JWT cryptographic operation failed")]
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
        !matches!(
            self,
            Self::Empty | Self::PartCount(_) | Self::Algorithm(_) | Self::NoKey | Self::Signature
        )
    }

    /// What is known beyond the message, where PostgREST tells it in `details`.
    pub fn details(&self) -> Option<String> {
        match self {
            Self::NoKey => Some("None of the keys was able to decode the JWT".to_owned()),
            Self::Algorithm(name) => Some(name.clone()),
            _ => None,
        }
    }
}
