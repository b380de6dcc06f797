//! The settings of a provider.

use std::collections::BTreeMap;

use compat_http::EgressPolicy;
use secrecy::SecretString;

use super::table::{ClaimMap, Provider};

/// A provider that is switched on.
#[derive(Debug, Clone)]
pub struct ProviderConfig {
    /// The name in `?provider=`: one of the table (`GOTRUE_EXTERNAL_<NAME>_ENABLED`), or any other
    /// for an OpenID Connect issuer of one's own, by custom `custom:…`.
    pub name: String,
    /// `GOTRUE_EXTERNAL_<NAME>_CLIENT_ID`: the first is our client id; all are accepted as an ID
    /// token's audience.
    pub client_ids: Vec<String>,
    /// `GOTRUE_EXTERNAL_<NAME>_SECRET`.
    pub secret: SecretString,
    /// `GOTRUE_EXTERNAL_<NAME>_REDIRECT_URI`; `None` derives it from the public address.
    pub redirect_uri: Option<String>,
    /// `GOTRUE_EXTERNAL_<NAME>_URL`: another address of a provider that can be self-hosted, or the
    /// issuer.
    pub url: Option<String>,
    /// `GOTRUE_EXTERNAL_<NAME>_EMAIL_OPTIONAL`: whether people without an e-mail address may sign
    /// in.
    pub email_optional: bool,
    /// `GOTRUE_EXTERNAL_<NAME>_SKIP_NONCE_CHECK`.
    pub skip_nonce_check: bool,
    /// Which addresses calls may reach: an address in the settings may be private, one added at run
    /// time may not.
    pub policy: EgressPolicy,
    /// The definition of a provider that an administrator added at run time, instead of a row of
    /// the table.
    pub custom: Option<CustomProvider>,
}

/// A provider that an administrator defined.
#[derive(Debug, Clone, Default)]
pub struct CustomProvider {
    /// Scopes besides those of OpenID Connect and those that the application requests.
    pub scopes: Vec<String>,
    /// Whether it supports PKCE.
    pub pkce: bool,
    /// Further parameters of its sign-in page.
    pub authorization_params: BTreeMap<String, String>,
    /// Our names of claims, mapped to the provider's, where they differ.
    pub attribute_mapping: BTreeMap<String, String>,
    /// Claims that are kept as they are, under `custom_claims`.
    pub claims_allowlist: Vec<String>,
    /// The address of its discovery document, if not below its issuer.
    pub discovery_url: Option<String>,
    /// The endpoints of a provider that supports OAuth 2 only.
    pub endpoints: Option<CustomEndpoints>,
}

/// The endpoints of a provider without a discovery document.
#[derive(Debug, Clone)]
pub struct CustomEndpoints {
    pub authorize: String,
    pub token: String,
    pub user: String,
    pub jwks: Option<String>,
}

impl ProviderConfig {
    /// A provider with its credentials and default settings.
    pub fn new(name: &str, client_id: &str, secret: SecretString) -> Self {
        Self {
            name: name.to_owned(),
            client_ids: vec![client_id.to_owned()],
            secret,
            redirect_uri: None,
            url: None,
            email_optional: false,
            skip_nonce_check: false,
            policy: EgressPolicy::Trusted,
            custom: None,
        }
    }

    /// The scopes that are requested besides the application's.
    pub(crate) fn scopes(&self) -> String {
        match &self.custom {
            Some(custom) if custom.endpoints.is_some() => custom.scopes.join(" "),
            Some(custom) => {
                let mut scopes = vec!["openid", "email", "profile"];
                let own = custom.scopes.iter().map(String::as_str);
                scopes.extend(own.filter(|own| !["openid", "email", "profile"].contains(own)));
                scopes.join(" ")
            }
            None => Provider::from_name(&self.name).scopes.to_owned(),
        }
    }

    /// Whether the provider supports PKCE.
    pub(crate) fn uses_pkce(&self) -> bool {
        match &self.custom {
            Some(custom) => custom.pkce,
            None => Provider::from_name(&self.name).pkce,
        }
    }

    /// The pointers to the claims in the provider's user document.
    pub(crate) fn map(&self) -> ClaimMap {
        Provider::from_name(&self.name).map
    }

    /// The client id with which we call the provider.
    pub fn client_id(&self) -> &str {
        self.client_ids.first().map(String::as_str).unwrap_or_default()
    }
}
