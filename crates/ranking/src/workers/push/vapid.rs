//! The sender's identity: a token signed for the push service (RFC 8292), with the key that
//! browsers received when they subscribed.

use base64::Engine as _;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use chrono::{DateTime, TimeDelta, Utc};
use http::Uri;
use jsonwebtoken::{Algorithm, EncodingKey, Header};
use p256::pkcs8::EncodePrivateKey as _;
use secrecy::SecretString;
use serde_json::json;

use crate::secret;

/// The lifetime of a token; the standard allows a day.
const LIFETIME: TimeDelta = TimeDelta::hours(12);

/// The site's signing key for push services.
pub(crate) struct Vapid {
    key: EncodingKey,
    public: String,
}

impl Vapid {
    /// The key derived from the site's secret. With another secret, all subscriptions become
    /// useless.
    pub fn new(site_secret: &SecretString) -> Self {
        let secret = secret::signing_key(site_secret, "push/vapid");
        let public = URL_SAFE_NO_PAD.encode(secret.public_key().to_sec1_bytes());
        let pkcs8 = secret.to_pkcs8_der().expect("a key of this curve has this form");
        Self { key: EncodingKey::from_ec_der(pkcs8.as_bytes()), public }
    }

    /// The public key with which browsers subscribe, in base64url.
    pub fn public(&self) -> &str {
        &self.public
    }

    /// The `Authorization` header for an endpoint; `None` when the endpoint is not a URL. `contact`
    /// is the address for questions of the push service: the site's address.
    pub fn authorization(
        &self,
        endpoint: &str,
        contact: &str,
        now: DateTime<Utc>,
    ) -> Option<String> {
        let uri: Uri = endpoint.parse().ok()?;
        let audience = format!("{}://{}", uri.scheme_str()?, uri.authority()?);
        let claims = json!({
            "aud": audience, "exp": (now + LIFETIME).timestamp(), "sub": contact,
        });
        let token = jsonwebtoken::encode(&Header::new(Algorithm::ES256), &claims, &self.key);
        Some(format!("vapid t={}, k={}", token.ok()?, self.public))
    }
}

#[cfg(test)]
mod tests {
    use jsonwebtoken::{DecodingKey, Validation};

    use super::*;

    #[test]
    fn vapid_token_has_service_audience_and_verifies() {
        let vapid = Vapid::new(&"a secret for tests only, and long enough".into());
        let now = DateTime::from_timestamp(1_790_000_000, 0).expect("a time");
        let header = vapid
            .authorization("https://push.example/send/abc?x=1", "https://site.example", now)
            .expect("an address");
        let (token, key) =
            header.strip_prefix("vapid t=").and_then(|rest| rest.split_once(", k=")).expect("both");
        assert_eq!(key, vapid.public());
        let point = URL_SAFE_NO_PAD.decode(key).expect("base64url");
        let mut rules = Validation::new(Algorithm::ES256);
        rules.validate_exp = false;
        rules.set_audience(&["https://push.example"]);
        let key = DecodingKey::from_ec_der(&point);
        let claims = jsonwebtoken::decode::<serde_json::Value>(token, &key, &rules);
        let claims = claims.expect("signed").claims;
        assert_eq!(
            claims,
            json!({ "aud": "https://push.example", "exp": 1_790_043_200, "sub": "https://site.example" })
        );
        assert_eq!(vapid.authorization("no address", "https://site.example", now), None);
    }

    #[test]
    fn one_secret_has_one_key() {
        let key = |secret: &str| Vapid::new(&secret.to_owned().into()).public;
        assert_eq!(key("one secret"), key("one secret"));
        assert_ne!(key("one secret"), key("another"));
    }
}
