//! What an OpenID Connect issuer says of itself.

use compat_http::{EgressPolicy, Outgoing};
use serde::Deserialize;
use serde_json::Value;

/// Everything outside may fail, and nothing of it is told to the person beyond that it did.
pub type Failure = Box<dyn std::error::Error + Send + Sync>;

/// The addresses of an issuer.
#[derive(Debug, Deserialize)]
pub struct Discovery {
    pub issuer: String,
    pub authorization_endpoint: String,
    pub token_endpoint: String,
    pub userinfo_endpoint: Option<String>,
    pub jwks_uri: Option<String>,
}

/// The discovery document of an issuer, read and as it came; it must speak of that issuer.
///
/// # Errors
/// There is none, it is of somebody else, or it lacks an address.
pub async fn discover(
    outgoing: &Outgoing,
    policy: EgressPolicy,
    issuer: &str,
    url: Option<&str>,
) -> Result<(Discovery, Value), Failure> {
    let issuer = issuer.trim_end_matches('/');
    let usual = || format!("{issuer}/.well-known/openid-configuration");
    let request = outgoing.get(policy, &url.map_or_else(usual, str::to_owned));
    let answer = request.header("accept", "application/json").send().await?.success()?;
    let document: Value = answer.json()?;
    let found: Discovery = serde_json::from_value(document.clone())?;
    // Microsoft's common issuer names each tenant by a placeholder.
    let is_template = found.issuer.contains('{');
    if !is_template && found.issuer.trim_end_matches('/') != issuer {
        return Err(format!("the document is of {}", found.issuer).into());
    }
    Ok((found, document))
}
