//! The site's secret, and the keys made from it.
//!
//! Each purpose has its own key, so that a signature for one purpose is not valid for another.

use hmac::{Hmac, KeyInit, Mac};
use p256::SecretKey;
use secrecy::{ExposeSecret, SecretString};
use sha2::Sha256;

/// The P-256 key for a purpose. One in 2^32 values is not a valid key; then the next value is used.
pub(crate) fn signing_key(site_secret: &SecretString, purpose: &str) -> SecretKey {
    let key = Key::derive(site_secret, purpose);
    (0_u32..)
        .find_map(|number| SecretKey::from_slice(&key.mac(&[&number.to_be_bytes()])).ok())
        .expect("an endless supply")
}

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

    /// Whether `proof` is [`Self::hex`] of the parts; compares in constant time.
    pub fn proves(&self, parts: &[&[u8]], proof: &str) -> bool {
        let mac = self.mac_of(parts);
        let digit =
            |byte: u8| char::from(byte).to_digit(16).and_then(|digit| u8::try_from(digit).ok());
        let octets: Option<Vec<u8>> = proof
            .as_bytes()
            .chunks(2)
            .map(|pair| match pair {
                [high, low] => Some(digit(*high)? << 4 | digit(*low)?),
                _ => None,
            })
            .collect();
        octets.is_some_and(|octets| mac.verify_slice(&octets).is_ok())
    }

    /// The HMAC-SHA256 of the joined parts.
    pub fn mac(&self, parts: &[&[u8]]) -> [u8; 32] {
        self.mac_of(parts).finalize().into_bytes().into()
    }

    fn mac_of(&self, parts: &[&[u8]]) -> Hmac<Sha256> {
        let mut mac = Hmac::<Sha256>::new_from_slice(self.0.expose_secret().as_bytes())
            .expect("HMAC takes keys of any length");
        parts.iter().for_each(|part| mac.update(part));
        mac
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
    fn only_the_hash_itself_proves_anything() {
        let key = Key::for_tests("a");
        let hash = key.hex(&[b"part"]);
        assert!(key.proves(&[b"part"], &hash));
        for proof in ["", "0", "zz", &hash[1..], &hash[2..], &format!("{hash}00")] {
            assert!(!key.proves(&[b"part"], proof), "{proof}");
        }
        assert!(!key.proves(&[b"other"], &hash));
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
