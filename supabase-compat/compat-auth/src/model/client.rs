//! OAuth clients: applications that sign people in through this service.

use chrono::{DateTime, Utc};
use sha2::{Digest as _, Sha256};
use subtle::ConstantTimeEq as _;
use url::Url;
use uuid::Uuid;

use crate::error::InvalidRequest;

/// A row of `auth.oauth_clients`.
#[derive(Debug, Clone, sqlx_macros::FromRow)]
pub struct Client {
    pub id: Uuid,
    pub client_secret_hash: Option<String>,
    pub registration_type: String,
    pub redirect_uris: String,
    pub grant_types: String,
    pub client_name: Option<String>,
    pub client_uri: Option<String>,
    pub logo_uri: Option<String>,
    pub client_type: String,
    pub token_endpoint_auth_method: String,
    pub created_at: DateTime<Utc>,
    pub updated_at: DateTime<Utc>,
}

impl Client {
    /// The allowed redirect addresses; compared character by character.
    pub fn redirect_uris(&self) -> Vec<&str> {
        self.redirect_uris.split(',').filter(|uri| !uri.is_empty()).collect()
    }

    pub fn grant_types(&self) -> Vec<&str> {
        self.grant_types.split(',').filter(|grant| !grant.is_empty()).collect()
    }

    pub fn is_public(&self) -> bool {
        self.client_type == "public"
    }

    /// Whether `secret` is this client's secret; a public client has none.
    pub fn accepts(&self, secret: &str) -> bool {
        match &self.client_secret_hash {
            Some(hash) if !self.is_public() => {
                bool::from(hash_secret(secret).as_bytes().ct_eq(hash.as_bytes()))
            }
            _ => self.is_public() && secret.is_empty(),
        }
    }
}

/// Hashes a client's secret. One round is enough, because secrets are long random texts.
pub fn hash_secret(secret: &str) -> String {
    Sha256::digest(secret).iter().map(|byte| format!("{byte:02x}")).collect()
}

/// # Errors
/// [`InvalidRequest::RedirectUris`] for an empty list, and for addresses that could leak a code.
pub fn check_redirect_uris(uris: &[String]) -> Result<(), InvalidRequest> {
    let is_safe = |uri: &String| {
        let Ok(url) = Url::parse(uri) else { return false };
        let is_loopback = matches!(url.host_str(), Some("localhost" | "127.0.0.1" | "[::1]"));
        let scheme_is_safe = match url.scheme() {
            "https" => true,
            "http" => is_loopback,
            "javascript" | "data" | "file" | "vbscript" | "blob" => false,
            _ => true,
        };
        scheme_is_safe && url.fragment().is_none() && !uri.contains(',') && uri.len() <= 2048
    };
    let fits = !uris.is_empty() && uris.len() <= 10 && uris.iter().all(is_safe);
    if fits { Ok(()) } else { Err(InvalidRequest::RedirectUris) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn unsafe_redirect_uris_are_refused() {
        let check = |uris: &[&str]| {
            check_redirect_uris(&uris.iter().map(|uri| (*uri).to_owned()).collect::<Vec<_>>())
        };
        assert!(check(&["https://a.example/cb", "http://localhost:1/cb", "my.app:/cb"]).is_ok());
        for bad in [
            &[][..],
            &["http://a.example/cb"],
            &["https://a.example/cb#x"],
            &["javascript:alert(1)"],
            &["https://a.example/,b"],
            &["nonsense"],
        ] {
            assert_eq!(check(bad), Err(InvalidRequest::RedirectUris), "{bad:?}");
        }
    }
}
