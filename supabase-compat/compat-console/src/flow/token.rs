//! Secret tokens of people and browsers, of which the database stores only the hash.

use base64::Engine as _;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use compat_http::Entropy;
use sha2::{Digest as _, Sha256};

/// A new token: 32 random bytes in URL-safe base 64.
pub(crate) fn new(entropy: &Entropy) -> String {
    URL_SAFE_NO_PAD.encode(entropy.bytes::<32>())
}

/// The stored hash of a token.
pub(crate) fn hash(token: &str) -> Vec<u8> {
    Sha256::digest(token.as_bytes()).to_vec()
}
