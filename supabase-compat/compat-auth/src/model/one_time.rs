//! One-time codes and their stored hashes.

use sha2::{Digest as _, Sha224};
use subtle::ConstantTimeEq as _;

/// The prefix of a mailed token whose link returns a code instead of a session.
const PKCE_PREFIX: &str = "pkce_";

/// The purpose of a pending one-time token; each has a column of its own and is unique per user.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum OneTime {
    Confirmation,
    Recovery,
    EmailChangeNew,
    EmailChangeCurrent,
    Reauthentication,
    PhoneChange,
}

impl OneTime {
    /// The name in the database's enum.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Confirmation => "confirmation_token",
            Self::Recovery => "recovery_token",
            Self::EmailChangeNew => "email_change_token_new",
            Self::EmailChangeCurrent => "email_change_token_current",
            Self::Reauthentication => "reauthentication_token",
            Self::PhoneChange => "phone_change_token",
        }
    }
}

/// The stored form of a code: hex SHA-224 of the address and the digits, as in the original.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TokenHash(String);

impl TokenHash {
    /// The hash of a code that is sent to `address`.
    pub fn of(address: &str, code: &str) -> Self {
        let digest =
            Sha224::new().chain_update(address.to_lowercase()).chain_update(code).finalize();
        Self(digest.iter().map(|byte| format!("{byte:02x}")).collect())
    }

    /// The empty hash, for mails without a code.
    pub fn none() -> Self {
        Self(String::new())
    }

    /// A hash from a link, with or without the PKCE prefix.
    pub fn from_link(text: &str) -> Self {
        Self(text.to_owned())
    }

    /// The same hash, with the PKCE prefix if `pkce`.
    pub fn with_pkce(self, pkce: bool) -> Self {
        if pkce { Self(format!("{PKCE_PREFIX}{}", self.0)) } else { self }
    }

    /// The hash as it is stored and mailed.
    pub fn as_str(&self) -> &str {
        &self.0
    }

    /// Whether the hash has the PKCE prefix, so that its link returns a code.
    pub fn is_pkce(&self) -> bool {
        self.0.starts_with(PKCE_PREFIX)
    }

    /// Whether `stored` equals this hash, including the PKCE prefix; for links.
    pub fn is_exactly(&self, stored: &str) -> bool {
        !self.0.is_empty() && bool::from(self.0.as_bytes().ct_eq(stored.as_bytes()))
    }

    /// Whether `stored` is this hash, ignoring the PKCE prefix; for typed codes, which have none.
    pub fn is(&self, stored: &str) -> bool {
        let bare = |text: &str| text.strip_prefix(PKCE_PREFIX).unwrap_or(text).to_owned();
        let (own, theirs) = (bare(&self.0), bare(stored));
        !own.is_empty() && bool::from(own.as_bytes().ct_eq(theirs.as_bytes()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn token_hash_covers_lowercased_address_and_code() {
        let hash = TokenHash::of("Ada@Example.com", "123456");
        assert_eq!(hash.as_str().len(), 56);
        assert_eq!(hash, TokenHash::of("ada@example.com", "123456"));
        assert_ne!(hash, TokenHash::of("ada@example.com", "123457"));
    }

    #[test]
    fn token_hash_matches_with_or_without_pkce_prefix() {
        let hash = TokenHash::of("a@b.c", "000000");
        let marked = hash.clone().with_pkce(true);
        assert!(marked.is_pkce());
        assert!(hash.is(marked.as_str()));
        assert!(marked.is_exactly(marked.as_str()));
        assert!(!hash.is_exactly(marked.as_str()) && !marked.is_exactly(hash.as_str()));
        assert!(!hash.is(""));
        assert!(!TokenHash::from_link("").is(""));
    }

    proptest::proptest! {
        #[test]
        fn token_hash_matches_only_its_own_code(code in "[0-9]{6,10}", other in "[0-9]{6,10}", address in "\\PC{1,20}") {
            let hash = TokenHash::of(&address, &code);
            proptest::prop_assert!(hash.is(hash.as_str()));
            proptest::prop_assert!(hash.is(hash.clone().with_pkce(true).as_str()));
            proptest::prop_assert_eq!(hash.is(TokenHash::of(&address, &other).as_str()), code == other);
            proptest::prop_assert!(!hash.is(""));
        }
    }
}
