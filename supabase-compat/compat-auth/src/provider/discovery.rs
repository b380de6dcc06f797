//! OpenID Connect discovery.

use compat_http::{EgressPolicy, Outgoing};
use serde::Deserialize;
use serde_json::Value;

/// A failure of a provider; its cause is not shown to clients.
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

/// The discovery document of an issuer, parsed and as received; it must name this issuer.
///
/// # Errors
/// There is no document, it names another issuer, or it lacks an address.
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
    let discovery: Discovery = serde_json::from_value(document.clone())?;
    // Microsoft's common issuer has a placeholder for the tenant.
    let is_template = discovery.issuer.contains('{');
    if !is_template && discovery.issuer.trim_end_matches('/') != issuer {
        return Err(format!("the document is of {}", discovery.issuer).into());
    }
    Ok((discovery, document))
}
