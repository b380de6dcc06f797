//! Secrets that a person or a browser holds, of which the database has the hash.

use base64::Engine as _;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use compat_http::Entropy;
use sha2::{Digest as _, Sha256};

/// A new one: 32 random bytes, in base 64 of addresses.
pub(crate) fn new(entropy: &Entropy) -> String {
    URL_SAFE_NO_PAD.encode(entropy.bytes::<32>())
}

/// What is stored of it.
pub(crate) fn hash(token: &str) -> Vec<u8> {
    Sha256::digest(token.as_bytes()).to_vec()
}
