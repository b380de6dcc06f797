//! How a request to the vote API identifies a server: by its secret token, or by its public id.

use std::fmt;

use uuid::Uuid;

/// A server's id or token, well formed but not yet looked up.
#[derive(Clone, PartialEq, Eq)]
pub enum ServerKey {
    /// The public id, which is in the page's URL.
    Id(Uuid),
    /// The secret token, which only the owner has.
    Token(String),
    /// The token together with the id of its server.
    TokenOf { id: Uuid, token: String },
}

impl ServerKey {
    /// Parses a path segment; `None` when it is neither an id nor a token.
    pub fn parse(text: &str) -> Option<Self> {
        if let Ok(id) = Uuid::try_parse(text) {
            return Some(Self::Id(id));
        }
        let fits = (16..=128).contains(&text.len())
            && text.bytes().all(|b| b.is_ascii_alphanumeric() || b == b'_' || b == b'-');
        fits.then(|| Self::Token(text.to_owned()))
    }

    /// Parses the key from the URL together with a bearer token (`Authorization: Bearer`). The
    /// token then decides, and an id in the URL must be that of its server. `None` when either is
    /// malformed.
    pub fn parse_with(text: Option<&str>, bearer: Option<&str>) -> Option<Self> {
        let text = text.filter(|text| !text.is_empty());
        let Some(bearer) = bearer else { return Self::parse(text?) };
        match (Self::parse(bearer)?, text.map(Self::parse)) {
            (Self::Token(token), None) => Some(Self::Token(token)),
            (Self::Token(token), Some(Some(Self::Id(id)))) => Some(Self::TokenOf { id, token }),
            (Self::Token(token), Some(Some(same))) => (same == Self::Token(token)).then_some(same),
            _ => None,
        }
    }

    /// Whether the server that the database found is the one that the key names.
    pub fn means(&self, server: Uuid) -> bool {
        match self {
            Self::Id(id) | Self::TokenOf { id, .. } => *id == server,
            Self::Token(_) => true,
        }
    }

    /// The key as the text that the database compares.
    pub fn as_text(&self) -> String {
        match self {
            Self::Id(id) => id.to_string(),
            Self::Token(token) | Self::TokenOf { token, .. } => token.clone(),
        }
    }
}

impl fmt::Debug for ServerKey {
    /// A token is a secret and stays out of logs.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Id(id) => write!(f, "Id({id})"),
            Self::Token(_) => f.write_str("Token"),
            Self::TokenOf { id, .. } => write!(f, "TokenOf({id})"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use compat_testkit::property_test;
    use proptest::prelude::*;

    #[test]
    fn server_key_parses_ids_and_tokens() {
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
    fn token_with_server_id_is_bound_to_it() {
        let id = Uuid::from_u128(7);
        let (text, token) = (id.to_string(), "a".repeat(48));
        let read = ServerKey::parse_with;
        assert_eq!(read(None, Some(&token)), Some(ServerKey::Token(token.clone())));
        let of = ServerKey::TokenOf { id, token: token.clone() };
        assert_eq!(read(Some(&text), Some(&token)), Some(of.clone()));
        assert!(of.means(id) && !of.means(Uuid::from_u128(8)));
        assert_eq!(format!("{of:?}"), format!("TokenOf({id})"));
        assert_eq!(read(Some(&token), Some(&token)), Some(ServerKey::Token(token.clone())));
        assert_eq!(read(Some(&"b".repeat(48)), Some(&token)), None, "which of the two?");
        assert_eq!(read(Some(&text), Some(&text)), None, "an id is no secret");
        assert_eq!(read(Some(""), None), None);
    }

    #[test]
    fn random_texts_parse_as_key_or_none() {
        property_test("server key", any::<(String, Option<String>)>(), |(text, bearer)| {
            if let Some(key) = ServerKey::parse_with(Some(&text), bearer.as_deref()) {
                assert!(key.as_text().is_ascii());
            }
        });
    }
}
