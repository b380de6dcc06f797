//! Errors of keys.

/// Why a key could not be made, read or used.
#[derive(Debug, thiserror::Error)]
pub enum KeyError {
    /// The text is not JSON, or neither a JWK nor a JWK set.
    #[error("not a JSON web key: {0}")]
    Json(#[from] serde_json::Error),
    /// A member of a key is missing or invalid.
    #[error("key {kid:?}: {reason}")]
    Key {
        /// The key's `kid`, when it has one.
        kid: Option<String>,
        /// What is wrong with the key.
        reason: String,
    },
    /// The set does not have exactly one signing key, as GoTrue requires.
    #[error("expected one key with key_ops \"sign\", found {0}")]
    SigningKeys(usize),
    /// No key of the set can verify a signature.
    #[error("the set holds no key that verifies signatures")]
    NoUsableKey,
    /// The shared secret is shorter than 32 bytes.
    #[error("the JWT secret must be at least 32 characters long")]
    ShortSecret,
    /// The settings declare the secret as base64, but it does not decode.
    #[error("the JWT secret is not base64")]
    NotBase64,
    /// The cryptographic library returned an error.
    #[error("cryptographic operation failed")]
    Crypto,
    /// The key ring has no key to sign with.
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
