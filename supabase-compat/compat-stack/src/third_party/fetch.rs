//! Asking an issuer for its keys over HTTP: little time, few redirects, small answers.

use std::time::Duration;

use compat_token::KeyError;
use serde::Deserialize;
use url::Url;

/// Longest answer that is read.
const LARGEST: usize = 1 << 20;

/// Why keys were not had.
#[derive(Debug, thiserror::Error)]
pub enum FetchError {
    /// Nobody answered, or not with success.
    #[error("{0}")]
    Http(#[from] reqwest::Error),
    /// More than any set of keys needs.
    #[error("the answer is too long")]
    TooLong,
    /// The OpenID configuration is none, or that of another issuer.
    #[error("its OpenID configuration {0}")]
    Discovery(&'static str),
    /// The answer holds no keys.
    #[error(transparent)]
    Keys(#[from] KeyError),
}

pub(super) struct Fetcher(reqwest::Client);

#[derive(Deserialize)]
struct Discovery {
    issuer: String,
    jwks_uri: Url,
}

impl Fetcher {
    pub fn new() -> Result<Self, FetchError> {
        let client = reqwest::Client::builder()
            .timeout(Duration::from_secs(4))
            // Keys are asked for too seldom for a connection to be worth keeping.
            .pool_max_idle_per_host(0)
            .connect_timeout(Duration::from_secs(2))
            .redirect(reqwest::redirect::Policy::limited(3))
            .user_agent("supabase-compat")
            .build()?;
        Ok(Self(client))
    }

    /// The key set an issuer publishes now, at a known address or where it says itself (OpenID
    /// Connect Discovery 1.0).
    pub async fn keys(&self, issuer: &str, jwks: Option<&Url>) -> Result<String, FetchError> {
        match jwks {
            Some(address) => self.get(address.clone()).await,
            None => self.get(self.discover(issuer).await?).await,
        }
    }

    async fn discover(&self, issuer: &str) -> Result<Url, FetchError> {
        let address = format!("{issuer}/.well-known/openid-configuration");
        let address = address.parse().map_err(|_| FetchError::Discovery("has no address"))?;
        let found: Discovery = serde_json::from_str(&self.get(address).await?)
            .map_err(|_| FetchError::Discovery("cannot be read"))?;
        if found.issuer.trim_end_matches('/') != issuer {
            return Err(FetchError::Discovery("names another issuer"));
        }
        Ok(found.jwks_uri)
    }

    async fn get(&self, address: Url) -> Result<String, FetchError> {
        let request = self.0.get(address).header("accept", "application/json");
        let mut response = request.send().await?.error_for_status()?;
        let mut body = Vec::new();
        while let Some(chunk) = response.chunk().await? {
            if body.len() + chunk.len() > LARGEST {
                return Err(FetchError::TooLong);
            }
            body.extend_from_slice(&chunk);
        }
        Ok(String::from_utf8_lossy(&body).into_owned())
    }
}
