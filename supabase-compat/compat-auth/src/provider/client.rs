//! Calls to a provider.

use std::sync::Arc;

use compat_http::{Outgoing, OutgoingError, OutgoingRequest};
use compat_token::{Claims, KeyRing};
use secrecy::ExposeSecret as _;
use serde::Deserialize;
use serde_json::Value;

use super::discovery::{Failure, discover};
use super::table::{EmailVerification, EndpointSource, Provider};
use super::{Person, ProviderConfig};

/// The client of one provider.
pub struct Client<'a> {
    outgoing: &'a Outgoing,
    config: &'a ProviderConfig,
}

/// The tokens that a provider returns for a code.
#[derive(Debug, Deserialize)]
pub struct Tokens {
    pub access_token: String,
    pub refresh_token: Option<String>,
}

/// The addresses of one provider.
#[derive(Debug, Clone)]
pub struct Endpoints {
    pub issuer: String,
    pub authorize: String,
    pub token: String,
    pub user: String,
    emails: Option<String>,
    jwks: Option<String>,
}

impl<'a> Client<'a> {
    /// A client for the provider that `config` describes.
    pub fn new(outgoing: &'a Outgoing, config: &'a ProviderConfig) -> Self {
        Self { outgoing, config }
    }

    /// The provider's addresses: fixed in the table, or from its discovery document.
    ///
    /// # Errors
    /// The discovery document cannot be fetched.
    pub async fn endpoints(&self) -> Result<Endpoints, Failure> {
        let config = self.config;
        let own = config.custom.as_ref();
        if let Some(endpoints) = own.and_then(|custom| custom.endpoints.as_ref()) {
            return Ok(Endpoints {
                issuer: config.url.clone().unwrap_or_else(|| config.name.clone()),
                authorize: endpoints.authorize.clone(),
                token: endpoints.token.clone(),
                user: endpoints.user.clone(),
                emails: None,
                jwks: endpoints.jwks.clone(),
            });
        }
        let provider = Provider::from_name(&config.name);
        match provider.place {
            EndpointSource::Fixed { base, authorize, token, api, own_api, user } => {
                let own = config.url.as_deref().map(|url| url.trim_end_matches('/'));
                let base = own.unwrap_or(base);
                // An operator's own instance has its API below its own URL, as with GitHub.
                let api = own.map_or_else(|| api.to_owned(), |own| format!("{own}{own_api}"));
                let emails = match provider.map.verified {
                    EmailVerification::Listed(path) => Some(format!("{api}{path}")),
                    _ => None,
                };
                Ok(Endpoints {
                    issuer: base.to_owned(),
                    authorize: format!("{base}{authorize}"),
                    token: format!("{base}{token}"),
                    user: format!("{api}{user}"),
                    emails,
                    jwks: None,
                })
            }
            EndpointSource::Issuer(known) => {
                let issuer = config.url.as_deref().unwrap_or(known).trim_end_matches('/');
                let url = own.and_then(|custom| custom.discovery_url.clone());
                let policy = config.policy;
                let (discovery, _) =
                    discover(self.outgoing, policy, issuer, url.as_deref()).await?;
                Ok(Endpoints {
                    issuer: discovery.issuer,
                    authorize: discovery.authorization_endpoint,
                    token: discovery.token_endpoint,
                    user: discovery.userinfo_endpoint.unwrap_or_default(),
                    emails: None,
                    jwks: discovery.jwks_uri,
                })
            }
        }
    }

    /// Exchanges the code from the provider's redirect.
    ///
    /// # Errors
    /// The provider refuses it or cannot be reached.
    pub async fn exchange(
        &self,
        endpoints: &Endpoints,
        redirect_uri: &str,
        code: &str,
        verifier: Option<&str>,
    ) -> Result<Tokens, Failure> {
        let config = self.config;
        let mut form = vec![
            ("grant_type", "authorization_code"),
            ("code", code),
            ("redirect_uri", redirect_uri),
            ("client_id", config.client_id()),
            ("client_secret", config.secret.expose_secret()),
        ];
        form.extend(verifier.map(|verifier| ("code_verifier", verifier)));
        let request = self.outgoing.post(config.policy, &endpoints.token);
        let request = request.header("accept", "application/json").form(&form);
        Ok(serde_json::from_value(answer(request).await?)?)
    }

    /// The person to whom an access token belongs.
    ///
    /// # Errors
    /// The provider fails or does not identify the person.
    pub async fn person(
        &self,
        endpoints: &Endpoints,
        access_token: &str,
    ) -> Result<Person, Failure> {
        let token = Some((access_token, self.config.client_id()));
        let document = self.get(&endpoints.user, token).await?;
        let listed = match &endpoints.emails {
            Some(url) => Some(self.get(url, token).await?),
            None => None,
        };
        let person = read(self.config, &endpoints.issuer, document, listed.as_ref());
        person.ok_or_else(|| "the user document names nobody".into())
    }

    /// The claims of an ID token, with signature, times, issuer and audience checked.
    pub async fn id_token(&self, token: &str, now: i64) -> Result<(Arc<Claims>, Person), Failure> {
        let config = self.config;
        let endpoints = self.endpoints().await?;
        let jwks = endpoints.jwks.as_deref().ok_or("the provider publishes no keys")?;
        let keys = KeyRing::verify_only(&self.get(jwks, None).await?.to_string())?;
        let claims = keys.verify(token, now)?;
        if claims.get("iss").and_then(Value::as_str) != Some(endpoints.issuer.as_str()) {
            return Err("the token is of another issuer".into());
        }
        let fits = |id: &String| claims.get("aud").is_some() && claims.check_audience(id).is_ok();
        if !config.client_ids.iter().any(fits) {
            return Err("the token is for another client".into());
        }
        let document = Value::Object(claims.values().clone());
        let person = read(config, &endpoints.issuer, document, None);
        Ok((claims, person.ok_or("the token names nobody")?))
    }

    async fn get(&self, url: &str, token: Option<(&str, &str)>) -> Result<Value, OutgoingError> {
        let mut request =
            self.outgoing.get(self.config.policy, url).header("accept", "application/json");
        if let Some((token, client_id)) = token {
            // Twitch requires the client's id beside the token; other providers ignore it.
            request = request.bearer(token).header("client-id", client_id);
        }
        answer(request).await
    }
}

/// The person in a document, with the provider's claim names translated.
fn read(
    config: &ProviderConfig,
    issuer: &str,
    mut document: Value,
    listed: Option<&Value>,
) -> Option<Person> {
    let custom = config.custom.as_ref();
    for (ours, theirs) in custom.into_iter().flat_map(|custom| &custom.attribute_mapping) {
        if let Some(value) = document.get(theirs).cloned() {
            document[ours.as_str()] = value;
        }
    }
    let mut person = Person::read(&config.map(), issuer, &document, listed)?;
    let claims = custom.into_iter().flat_map(|custom| &custom.claims_allowlist);
    let claims: serde_json::Map<String, Value> =
        claims.filter_map(|name| Some((name.clone(), document.get(name)?.clone()))).collect();
    if !claims.is_empty() {
        person.data.insert("custom_claims".to_owned(), Value::Object(claims));
    }
    Some(person)
}

/// The JSON of a successful response.
async fn answer(request: OutgoingRequest) -> Result<Value, OutgoingError> {
    request.send().await?.success()?.json()
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;
    use crate::provider::CustomProvider;

    #[test]
    fn custom_provider_attributes_and_claims_are_mapped() {
        let custom = CustomProvider {
            attribute_mapping: [("sub", "uid"), ("email", "mail"), ("name", "cn")]
                .map(|(ours, theirs)| (ours.to_owned(), theirs.to_owned()))
                .into(),
            claims_allowlist: vec!["groups".to_owned(), "absent".to_owned()],
            ..CustomProvider::default()
        };
        let config = ProviderConfig {
            custom: Some(custom),
            ..ProviderConfig::new("custom:corp", "id", "secret".into())
        };
        let document = json!({
            "uid": 42, "mail": "Ada@Corp.test", "email_verified": true, "cn": "Ada", "groups": ["x"],
        });
        let person = read(&config, "https://corp.test", document, None).unwrap();
        assert_eq!(person.sub, "42");
        assert_eq!(person.email, Some(("ada@corp.test".to_owned(), true)));
        assert_eq!(person.data["name"], "Ada");
        assert_eq!(person.data["custom_claims"], json!({"groups": ["x"]}));
    }

    #[test]
    fn custom_provider_adds_configured_scopes() {
        let mut config = ProviderConfig::new("custom:corp", "id", "secret".into());
        let scopes = vec!["email".to_owned(), "groups".to_owned()];
        config.custom = Some(CustomProvider { scopes, ..CustomProvider::default() });
        assert_eq!(config.scopes(), "openid email profile groups");
        assert!(!config.uses_pkce());
    }
}
