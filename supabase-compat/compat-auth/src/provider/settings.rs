//! What an operator says of a provider.

use secrecy::SecretString;

/// A provider that is switched on.
#[derive(Debug, Clone)]
pub struct ProviderConfig {
    /// The name in `?provider=`: one of the table (`GOTRUE_EXTERNAL_<NAME>_ENABLED`), or any other for an OpenID
    /// Connect issuer of one's own, by custom `custom:…`.
    pub name: String,
    /// `GOTRUE_EXTERNAL_<NAME>_CLIENT_ID`: the first asks, all are accepted as an ID token's audience.
    pub client_ids: Vec<String>,
    /// `GOTRUE_EXTERNAL_<NAME>_SECRET`.
    pub secret: SecretString,
    /// `GOTRUE_EXTERNAL_<NAME>_REDIRECT_URI`; `None` derives it from the public address.
    pub redirect_uri: Option<String>,
    /// `GOTRUE_EXTERNAL_<NAME>_URL`: another address of a provider that can be self-hosted, or the issuer.
    pub url: Option<String>,
    /// `GOTRUE_EXTERNAL_<NAME>_EMAIL_OPTIONAL`: people without an e-mail address may come in.
    pub email_optional: bool,
    /// `GOTRUE_EXTERNAL_<NAME>_SKIP_NONCE_CHECK`.
    pub skip_nonce_check: bool,
}

impl ProviderConfig {
    /// A provider with its credentials and nothing out of the ordinary.
    pub fn new(name: &str, client_id: &str, secret: SecretString) -> Self {
        Self {
            name: name.to_owned(),
            client_ids: vec![client_id.to_owned()],
            secret,
            redirect_uri: None,
            url: None,
            email_optional: false,
            skip_nonce_check: false,
        }
    }

    /// The client that asks.
    pub fn client_id(&self) -> &str {
        self.client_ids.first().map(String::as_str).unwrap_or_default()
    }
}
