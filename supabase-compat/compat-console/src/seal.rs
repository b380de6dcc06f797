//! Encrypts secrets in the database: AES-256-GCM under a key derived from the project's secret,
//! bound to the secret's owner.

use aes_gcm::aead::{Aead as _, Payload};
use aes_gcm::{Aes256Gcm, KeyInit as _};
use compat_http::Entropy;
use hkdf::Hkdf;
use secrecy::{ExposeSecret as _, SecretString};
use sha2::Sha256;
use uuid::Uuid;

/// Separates this key from others derived from the same secret.
const PURPOSE: &[u8] = b"supabase-compat console v1";
/// Bytes of the nonce before the ciphertext.
const NONCE: usize = 12;

/// Encrypts and decrypts texts.
#[derive(Clone)]
pub(crate) struct Seal(Aes256Gcm);

impl Seal {
    pub fn new(secret: &SecretString) -> Self {
        let mut key = [0_u8; 32];
        Hkdf::<Sha256>::new(None, secret.expose_secret().as_bytes())
            .expand(PURPOSE, &mut key)
            .expect("HKDF gives this many octets");
        Self(Aes256Gcm::new(&key.into()))
    }

    /// Encrypts a text for its owner.
    pub fn close(&self, entropy: &Entropy, owner: Uuid, text: &str) -> Vec<u8> {
        let nonce: [u8; NONCE] = entropy.bytes();
        let payload = Payload { msg: text.as_bytes(), aad: owner.as_bytes() };
        let sealed = self.0.encrypt(&nonce.into(), payload).expect("a text is short enough");
        [&nonce[..], &sealed].concat()
    }

    /// Decrypts a text; none if it was encrypted for another owner or with another key.
    pub fn open(&self, owner: Uuid, sealed: &[u8]) -> Option<String> {
        let (nonce, sealed) = sealed.split_at_checked(NONCE)?;
        let nonce: [u8; NONCE] = nonce.try_into().ok()?;
        let payload = Payload { msg: sealed, aad: owner.as_bytes() };
        let text = self.0.decrypt(&nonce.into(), payload).ok()?;
        String::from_utf8(text).ok()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sealed_text_opens_for_its_owner_alone() {
        let (entropy, secret) = (Entropy::seeded(1), SecretString::from("x".repeat(64)));
        let (seal, owner) = (Seal::new(&secret), entropy.uuid());
        let sealed = seal.close(&entropy, owner, "hash");
        assert_eq!(seal.open(owner, &sealed).as_deref(), Some("hash"));
        assert_eq!(seal.open(entropy.uuid(), &sealed), None);
        assert_eq!(seal.open(owner, &sealed[..5]), None);
        assert_eq!(Seal::new(&"y".repeat(64).into()).open(owner, &sealed), None);
    }
}
