//! Every reason to refuse a bearer token, in PostgREST's wording, which services pass on in their
//! own wire formats.

/// Why a token was not accepted.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum TokenRefusal {
    /// There is no key to verify with (PGRST300). This is the operator's fault, not the caller's.
    #[error("Server lacks JWT secret")]
    NoSecret,
    /// The header has a scheme but no token.
    #[error("Empty JWT is sent in Authorization header")]
    Empty,
    /// The token does not have the three parts of a compact JWS.
    #[error("Expected 3 parts in JWT; got {0}")]
    PartCount(usize),
    /// A part is not base64url, or the header is not a supported JOSE header: invalid JSON, an
    /// unknown algorithm, or a critical extension.
    #[error("JWT cryptographic operation failed")]
    Malformed,
    /// The header's algorithm is `none`.
    #[error("Wrong or unsupported encoding algorithm")]
    Unsecured,
    /// No key has the token's `kid`, or no key is of the kind that its algorithm needs.
    #[error("No suitable key or wrong key type")]
    NoKey,
    /// The signature fits none of the keys.
    #[error("No suitable key or wrong key type")]
    Signature,
    /// The payload is not a JSON object.
    #[error("Parsing claims failed")]
    Payload,
    /// A time claim is not a number.
    #[error("The JWT '{0}' claim must be a number")]
    NotANumber(&'static str),
    /// `exp` is past by more than the tolerance.
    #[error("JWT expired")]
    Expired,
    /// `nbf` is in the future by more than the tolerance.
    #[error("JWT not yet valid")]
    NotYetValid,
    /// `iat` is in the future by more than the tolerance.
    #[error("JWT issued at future")]
    IssuedInFuture,
    /// The token is for other audiences than the required one.
    #[error("JWT not in audience")]
    Audience,
    /// `aud` is neither a string nor an array of strings.
    #[error("The JWT 'aud' claim must be a string or an array of strings")]
    AudienceShape,
}

impl TokenRefusal {
    /// Whether the token was authentic but its claims were refused (PostgREST's PGRST303), rather
    /// than not decoded or not verified (PGRST301).
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

    /// Further information for the `details` of PostgREST's errors.
    pub fn details(&self) -> Option<&'static str> {
        match self {
            Self::NoKey => Some("No suitable key was found to decode the JWT"),
            Self::Signature => Some("None of the keys was able to decode the JWT"),
            Self::Unsecured => Some("JWT is unsecured but expected 'alg' was not 'none'"),
            _ => None,
        }
    }
}
