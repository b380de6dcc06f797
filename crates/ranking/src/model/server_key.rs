//! How the public vote API is told which server: by its secret token, or by its public id.

use std::fmt;

use uuid::Uuid;

/// A server's id or token, well formed but not yet looked up.
#[derive(Clone, PartialEq, Eq)]
pub enum ServerKey {
    /// The id anyone can read in the page's address.
    Id(Uuid),
    /// The token only the owner has.
    Token(String),
}

impl ServerKey {
    /// Reads a path segment; `None` when it can be neither.
    pub fn parse(text: &str) -> Option<Self> {
        if let Ok(id) = Uuid::try_parse(text) {
            return Some(Self::Id(id));
        }
        let fits = (16..=128).contains(&text.len())
            && text.bytes().all(|b| b.is_ascii_alphanumeric() || b == b'_' || b == b'-');
        fits.then(|| Self::Token(text.to_owned()))
    }

    /// The text as the database compares it.
    pub fn as_text(&self) -> String {
        match self {
            Self::Id(id) => id.to_string(),
            Self::Token(token) => token.clone(),
        }
    }
}

impl fmt::Debug for ServerKey {
    /// A token is a secret and stays out of logs.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Id(id) => write!(f, "Id({id})"),
            Self::Token(_) => f.write_str("Token"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use compat_testkit::storm;
    use proptest::prelude::*;

    #[test]
    fn ids_and_tokens_are_told_apart() {
        let id = Uuid::from_u128(7);
        assert_eq!(ServerKey::parse(&id.to_string()), Some(ServerKey::Id(id)));
        let token = "a".repeat(48);
        assert_eq!(ServerKey::parse(&token), Some(ServerKey::Token(token)));
        for bad in
            ["", "short", "with space in the token", "é".repeat(20).as_str(), "a'--bbbbbbbbbbbbbb"]
        {
            assert_eq!(ServerKey::parse(bad), None, "{bad:?}");
        }
    }

    #[test]
    fn a_storm_of_texts_is_read_as_a_key_or_as_none() {
        storm("server key", any::<String>(), |text| {
            if let Some(key) = ServerKey::parse(&text) {
                assert!(key.as_text().is_ascii());
            }
        });
    }
}
