//! Fetches an issuer's keys. The operator configured the issuer, so its address is trusted.

use std::time::Duration;

use compat_http::{EgressPolicy, Outgoing, OutgoingError};
use compat_token::KeyError;
use serde::Deserialize;
use url::Url;

/// How long one request may take.
const TIMEOUT: Duration = Duration::from_secs(4);

/// Why keys could not be fetched.
#[derive(Debug, thiserror::Error)]
pub(super) enum FetchError {
    /// The request failed, or its answer was not successful.
    #[error(transparent)]
    Outgoing(#[from] OutgoingError),
    /// The OpenID configuration is invalid, or that of another issuer.
    #[error("its OpenID configuration {0}")]
    Discovery(&'static str),
    /// The answer contains no valid keys.
    #[error(transparent)]
    Keys(#[from] KeyError),
}

#[derive(Deserialize)]
struct Discovery {
    issuer: String,
    jwks_uri: Url,
}

/// The current key set of an issuer, at a known address or at the one in its configuration (OpenID
/// Connect Discovery 1.0).
pub(super) async fn keys(
    outgoing: &Outgoing,
    issuer: &str,
    jwks: Option<&Url>,
) -> Result<String, FetchError> {
    match jwks {
        Some(address) => get(outgoing, address.as_str()).await,
        None => get(outgoing, discover(outgoing, issuer).await?.as_str()).await,
    }
}

async fn discover(outgoing: &Outgoing, issuer: &str) -> Result<Url, FetchError> {
    let address = format!("{issuer}/.well-known/openid-configuration");
    let discovery: Discovery = serde_json::from_str(&get(outgoing, &address).await?)
        .map_err(|_| FetchError::Discovery("cannot be read"))?;
    if discovery.issuer.trim_end_matches('/') != issuer {
        return Err(FetchError::Discovery("names another issuer"));
    }
    Ok(discovery.jwks_uri)
}

async fn get(outgoing: &Outgoing, address: &str) -> Result<String, FetchError> {
    let request = outgoing.get(EgressPolicy::Trusted, address).header("accept", "application/json");
    let answer = request.within(TIMEOUT).send().await?.success()?;
    Ok(String::from_utf8_lossy(&answer.body).into_owned())
}
