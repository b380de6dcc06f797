//! What is wrong with keys.

/// Why a key could not be made, read or used.
#[derive(Debug, thiserror::Error)]
pub enum KeyError {
    /// Not JSON, or not a JWK or JWK set.
    #[error("not a JSON web key: {0}")]
    Json(#[from] serde_json::Error),
    /// A member is missing or of the wrong form.
    #[error("key {kid:?}: {reason}")]
    Key {
        /// The key's `kid`, when it has one.
        kid: Option<String>,
        /// What is wrong with it.
        reason: String,
    },
    /// GoTrue asks for exactly one signing key.
    #[error("expected one key with key_ops \"sign\", found {0}")]
    SigningKeys(usize),
    /// A set of keys without one that could verify a signature.
    #[error("the set holds no key that verifies signatures")]
    NoUsableKey,
    /// Too short to be safe.
    #[error("the JWT secret must be at least 32 characters long")]
    ShortSecret,
    /// A secret that was said to be base64 and is not.
    #[error("the JWT secret is not base64")]
    NotBase64,
    /// The cryptographic library refused.
    #[error("cryptographic operation failed")]
    Crypto,
    /// A ring that only verifies was asked to sign.
    #[error("no signing key")]
    VerifyOnly,
}

impl From<jsonwebtoken::errors::Error> for KeyError {
    fn from(_: jsonwebtoken::errors::Error) -> Self {
        Self::Crypto
    }
}

impl From<aws_lc_rs::error::Unspecified> for KeyError {
    fn from(_: aws_lc_rs::error::Unspecified) -> Self {
        Self::Crypto
    }
}
