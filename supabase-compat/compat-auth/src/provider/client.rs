//! Talking to a provider.

use std::time::Duration;

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use compat_token::{Claims, KeyRing};
use hmac::{Hmac, KeyInit as _, Mac as _};
use secrecy::{ExposeSecret as _, SecretSlice};
use serde::Deserialize;
use serde_json::Value;
use sha2::Sha256;
use uuid::Uuid;

use super::table::{Place, Provider, Verified};
use super::{Person, ProviderConfig};

/// Everything outside may fail, and nothing of it is told to the person beyond that it did.
pub type Failure = Box<dyn std::error::Error + Send + Sync>;

/// The most of a provider's answer that is read.
const MAX_ANSWER: usize = 1 << 20;

/// The most of a hook's answer that is read.
const MAX_HOOK_ANSWER: usize = 200 << 10;

/// Outgoing requests to providers; clones share connections.
#[derive(Clone)]
pub struct Client(reqwest::Client);

/// What a code is worth.
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

/// What an issuer says of itself.
#[derive(Debug, Deserialize)]
pub struct Discovery {
    pub issuer: String,
    authorization_endpoint: String,
    token_endpoint: String,
    userinfo_endpoint: Option<String>,
    jwks_uri: Option<String>,
}

impl Client {
    /// Follows no redirects, so that a provider cannot lead anywhere else.
    pub fn new() -> Result<Self, Failure> {
        let client = reqwest::Client::builder()
            .timeout(Duration::from_secs(8))
            .redirect(reqwest::redirect::Policy::none())
            .user_agent("supabase-compat")
            .build()?;
        Ok(Self(client))
    }

    /// The provider's addresses, discovered where they are not known by heart.
    ///
    /// # Errors
    /// The discovery document cannot be had.
    pub async fn endpoints(&self, config: &ProviderConfig) -> Result<Endpoints, Failure> {
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
        let provider = Provider::named(&config.name);
        match provider.place {
            Place::Fixed { base, authorize, token, api, own_api, user } => {
                let own = config.url.as_deref().map(|url| url.trim_end_matches('/'));
                let base = own.unwrap_or(base);
                let api = own.map_or_else(|| api.to_owned(), |own| format!("{own}{own_api}"));
                let emails = match provider.map.verified {
                    Verified::Listed(path) => Some(format!("{api}{path}")),
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
            Place::Issuer(known) => {
                let issuer = config.url.as_deref().unwrap_or(known).trim_end_matches('/');
                let url = own.and_then(|custom| custom.discovery_url.clone());
                let (found, _) = self.discover(issuer, url.as_deref()).await?;
                Ok(Endpoints {
                    issuer: found.issuer,
                    authorize: found.authorization_endpoint,
                    token: found.token_endpoint,
                    user: found.userinfo_endpoint.unwrap_or_default(),
                    emails: None,
                    jwks: found.jwks_uri,
                })
            }
        }
    }

    /// The discovery document of an issuer, read and as it came; it must speak of that issuer.
    ///
    /// # Errors
    /// There is none, it is of somebody else, or it lacks an address.
    pub async fn discover(
        &self,
        issuer: &str,
        url: Option<&str>,
    ) -> Result<(Discovery, Value), Failure> {
        let issuer = issuer.trim_end_matches('/');
        let usual = || format!("{issuer}/.well-known/openid-configuration");
        let document = self.get(&url.map_or_else(usual, str::to_owned), None).await?;
        let found: Discovery = serde_json::from_value(document.clone())?;
        // Microsoft's common issuer names each tenant by a placeholder.
        let is_template = found.issuer.contains('{');
        if !is_template && found.issuer.trim_end_matches('/') != issuer {
            return Err(format!("the document is of {}", found.issuer).into());
        }
        Ok((found, document))
    }

    /// Exchanges the code a provider sent a browser back with.
    ///
    /// # Errors
    /// The provider refuses it or cannot be reached.
    pub async fn exchange(
        &self,
        config: &ProviderConfig,
        endpoints: &Endpoints,
        redirect_uri: &str,
        code: &str,
        verifier: Option<&str>,
    ) -> Result<Tokens, Failure> {
        let mut form = vec![
            ("grant_type", "authorization_code"),
            ("code", code),
            ("redirect_uri", redirect_uri),
            ("client_id", config.client_id()),
            ("client_secret", config.secret.expose_secret()),
        ];
        form.extend(verifier.map(|verifier| ("code_verifier", verifier)));
        let request =
            self.0.post(&endpoints.token).header("accept", "application/json").form(&form);
        Ok(serde_json::from_value(answer(request).await?)?)
    }

    /// Whom an access token belongs to.
    ///
    /// # Errors
    /// The provider does not say.
    pub async fn person(
        &self,
        config: &ProviderConfig,
        endpoints: &Endpoints,
        access_token: &str,
    ) -> Result<Person, Failure> {
        let token = Some((access_token, config.client_id()));
        let document = self.get(&endpoints.user, token).await?;
        let listed = match &endpoints.emails {
            Some(url) => Some(self.get(url, token).await?),
            None => None,
        };
        let person = read(config, &endpoints.issuer, document, listed.as_ref());
        person.ok_or_else(|| "the user document names nobody".into())
    }

    /// The claims of an ID token, with signature, times, issuer and audience checked.
    ///
    /// # Errors
    /// Whatever does not hold.
    pub async fn id_token(
        &self,
        config: &ProviderConfig,
        token: &str,
        now: i64,
    ) -> Result<(std::sync::Arc<Claims>, Person), Failure> {
        let endpoints = self.endpoints(config).await?;
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

    async fn get(&self, url: &str, token: Option<(&str, &str)>) -> Result<Value, Failure> {
        let mut request = self.0.get(url).header("accept", "application/json");
        if let Some((token, client_id)) = token {
            // Twitch wants to know the client beside the token; nobody else minds.
            request = request.bearer_auth(token).header("client-id", client_id);
        }
        answer(request).await
    }

    /// Reads a text, such as a mail's template.
    ///
    /// # Errors
    /// No such answer within the time limit.
    pub async fn text(&self, url: &str) -> Result<String, Failure> {
        let response = self.0.get(url).send().await?.error_for_status()?;
        Ok(String::from_utf8(body(response, MAX_ANSWER).await?)?)
    }

    /// The same as somebody.
    ///
    /// # Errors
    /// No such answer within the time limit.
    pub async fn post_form_as(
        &self,
        url: &str,
        (user, password): (&str, &str),
        form: &[(&str, &str)],
    ) -> Result<Value, Failure> {
        answer(self.0.post(url).basic_auth(user, Some(password)).form(form)).await
    }

    /// Asks a hook, signed by the manner of Standard Webhooks; tries again what may be better a moment later.
    ///
    /// # Errors
    /// No JSON answer within five seconds.
    pub async fn webhook(
        &self,
        url: &str,
        secrets: &[SecretSlice<u8>],
        id: Uuid,
        now: i64,
        payload: &Value,
    ) -> Result<Value, Failure> {
        const TRIES: u32 = 3;
        let body = payload.to_string();
        let signatures: Vec<String> =
            secrets.iter().map(|secret| signature(secret, id, now, &body)).collect();
        let asking = async {
            let mut tried = 0;
            loop {
                let request = self
                    .0
                    .post(url)
                    .header("content-type", "application/json")
                    .header("webhook-id", id.to_string())
                    .header("webhook-timestamp", now.to_string())
                    .header("webhook-signature", signatures.join(" "))
                    .body(body.clone());
                let sent = request.send().await;
                tried += 1;
                let again = match &sent {
                    Ok(response) => matches!(response.status().as_u16(), 429 | 503),
                    Err(_) => true,
                };
                if !again || tried == TRIES {
                    return hooked(sent?).await;
                }
            }
        };
        tokio::time::timeout(Duration::from_secs(5), asking).await?
    }

    /// Posts a form and reads JSON.
    ///
    /// # Errors
    /// No such answer within the time limit.
    pub async fn post_form(&self, url: &str, form: &[(&str, &str)]) -> Result<Value, Failure> {
        answer(self.0.post(url).form(form)).await
    }
}

/// The person of a document, after the provider's own names for claims are translated.
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
    let kept = custom.into_iter().flat_map(|custom| &custom.claims_allowlist);
    let kept: serde_json::Map<String, Value> =
        kept.filter_map(|name| Some((name.clone(), document.get(name)?.clone()))).collect();
    if !kept.is_empty() {
        person.data.insert("custom_claims".to_owned(), Value::Object(kept));
    }
    Some(person)
}

fn signature(secret: &SecretSlice<u8>, id: Uuid, now: i64, body: &str) -> String {
    let Ok(mut mac) = Hmac::<Sha256>::new_from_slice(secret.expose_secret()) else {
        return String::new();
    };
    mac.update(format!("{id}.{now}.{body}").as_bytes());
    format!("v1,{}", STANDARD.encode(mac.finalize().into_bytes()))
}

/// A hook answers JSON with any success, or nothing with 204; other statuses refuse.
async fn hooked(response: reqwest::Response) -> Result<Value, Failure> {
    let status = response.status();
    if status == reqwest::StatusCode::NO_CONTENT {
        return Ok(Value::Null);
    }
    let body = body(response, MAX_HOOK_ANSWER).await?;
    if status.is_success() {
        return Ok(serde_json::from_slice(&body)?);
    }
    Err(format!("the hook answered {status}").into())
}

async fn answer(request: reqwest::RequestBuilder) -> Result<Value, Failure> {
    let response = request.send().await?;
    let status = response.status();
    let body = body(response, MAX_ANSWER).await?;
    if !status.is_success() {
        return Err(format!("the answer has status {status}").into());
    }
    Ok(serde_json::from_slice(&body)?)
}

async fn body(mut response: reqwest::Response, limit: usize) -> Result<Vec<u8>, Failure> {
    let mut body = Vec::new();
    while let Some(chunk) = response.chunk().await? {
        body.extend_from_slice(&chunk);
        if body.len() > limit {
            return Err("the answer is too long".into());
        }
    }
    Ok(body)
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;
    use crate::provider::CustomProvider;

    #[test]
    fn a_described_providers_own_names_are_translated_and_its_claims_kept() {
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
    fn a_described_provider_is_asked_for_what_it_speaks() {
        let mut config = ProviderConfig::new("custom:corp", "id", "secret".into());
        let scopes = vec!["email".to_owned(), "groups".to_owned()];
        config.custom = Some(CustomProvider { scopes, ..CustomProvider::default() });
        assert_eq!(config.scopes(), "openid email profile groups");
        assert!(!config.uses_pkce());
    }
}
