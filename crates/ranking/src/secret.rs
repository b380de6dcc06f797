//! The site's secret, and the keys made from it.
//!
//! Each purpose has a key of its own, so that nothing signed for one is of use for another.

use hmac::{Hmac, KeyInit, Mac};
use secrecy::{ExposeSecret, SecretString};
use sha2::Sha256;

/// A key for one purpose.
#[derive(Clone)]
pub(crate) struct Key(SecretString);

impl Key {
    /// Derives the key of a purpose from the site's secret.
    pub fn derive(site_secret: &SecretString, purpose: &str) -> Self {
        let root = Self(site_secret.clone());
        Self(root.hex(&[b"palmares/", purpose.as_bytes()]).into())
    }

    /// The HMAC-SHA256 of the joined parts, in lower-case hexadecimal digits.
    pub fn hex(&self, parts: &[&[u8]]) -> String {
        self.mac(parts).iter().map(|byte| format!("{byte:02x}")).collect()
    }

    /// The HMAC-SHA256 of the joined parts.
    pub fn mac(&self, parts: &[&[u8]]) -> [u8; 32] {
        let mut mac = Hmac::<Sha256>::new_from_slice(self.0.expose_secret().as_bytes())
            .expect("HMAC takes keys of any length");
        parts.iter().for_each(|part| mac.update(part));
        mac.finalize().into_bytes().into()
    }

    /// The key itself, for a library that signs on its own.
    pub fn expose(&self) -> &str {
        self.0.expose_secret()
    }

    #[cfg(test)]
    pub fn for_tests(purpose: &str) -> Self {
        Self::derive(&"a secret for tests only, and long enough".into(), purpose)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn keys_differ_by_purpose_and_by_secret() {
        let one: SecretString = "one".into();
        let two: SecretString = "two".into();
        let derived = |secret, purpose| Key::derive(secret, purpose).expose().to_owned();
        assert_eq!(derived(&one, "a"), derived(&one, "a"));
        assert_ne!(derived(&one, "a"), derived(&one, "b"));
        assert_ne!(derived(&one, "a"), derived(&two, "a"));
    }

    #[test]
    fn the_hash_is_hmac_sha256() {
        // RFC 4231, test case 2.
        let key = Key("Jefe".into());
        assert_eq!(
            key.hex(&[b"what do ya want ", b"for nothing?"]),
            "5bdcc146bf60754e6a042426089575c75a003f089d2739839dec58b964ec3843"
        );
    }
}
