//! Who a test can be, without writing a token: anonymous, the service, or a named person.

use std::sync::Arc;
use std::time::Duration;

use compat_http::{Clock, Entropy, Outgoing, OutgoingConfig, ServiceEnvironment};
use compat_token::{ApiKeys, Authenticator, KeyRing};
use serde_json::{Value, json};
use sha2::{Digest, Sha256};
use uuid::Uuid;

/// Headers of a request.
pub type Headers = Vec<(&'static str, String)>;

const AN_HOUR: i64 = 60 * 60;

/// Keys, clock and randomness of one test. The clock starts at the real time and then stands still
/// until it is advanced; the randomness is repeatable.
pub struct Personas {
    keys: Arc<KeyRing>,
    api: Arc<ApiKeys>,
    authenticator: Arc<Authenticator>,
    clock: Clock,
    entropy: Entropy,
    outgoing: Outgoing,
}

impl Default for Personas {
    fn default() -> Self {
        Self::new()
    }
}

impl Personas {
    /// Fresh keys; the anonymous role is `anon`.
    pub fn new() -> Self {
        let clock = Clock::manual(Clock::system().now());
        let keys = Arc::new(KeyRing::generate_es256().expect("the system makes keys"));
        let issued = ApiKeys::issue(&keys, clock.unix(), Entropy::system().bytes());
        let api = Arc::new(issued.expect("the ring signs"));
        let authenticator = Arc::new(Authenticator::new(keys.clone(), api.clone(), "anon"));
        let outgoing = Outgoing::new(OutgoingConfig::default()).expect("the system's certificates");
        Self { keys, api, authenticator, clock, entropy: Entropy::seeded(1), outgoing }
    }

    /// The environment for a service's state.
    pub fn environment(&self) -> ServiceEnvironment {
        ServiceEnvironment {
            clock: self.clock.clone(),
            entropy: self.entropy.clone(),
            outgoing: self.outgoing.clone(),
            authenticator: self.authenticator.clone(),
            trusted_proxies: Arc::new([]),
            public_url: "http://localhost:54321".into(),
        }
    }

    /// The clock that [`Self::environment`] shares.
    pub fn clock(&self) -> &Clock {
        &self.clock
    }

    /// Moves the clock forward.
    pub fn advance(&self, by: Duration) {
        self.clock.advance(by);
    }

    /// The ring tokens are signed with.
    pub fn keys(&self) -> &Arc<KeyRing> {
        &self.keys
    }

    /// The application's keys.
    pub fn api_keys(&self) -> &Arc<ApiKeys> {
        &self.api
    }

    /// Headers of a visitor who is not signed in.
    pub fn as_anon(&self) -> Headers {
        self.with_token(&self.api.anon, &self.api.anon)
    }

    /// Headers of the service itself.
    pub fn as_service(&self) -> Headers {
        self.with_token(&self.api.service_role, &self.api.service_role)
    }

    /// Headers of a person who is signed in; the token is an hour old at most.
    pub fn as_user(&self, name: &str) -> Headers {
        self.as_user_with(name, json!({}))
    }

    /// Headers of a signed-in person with additional or replaced claims.
    pub fn as_user_with(&self, name: &str, claims: Value) -> Headers {
        let token = self.user_token(name, claims);
        self.with_token(&self.api.anon, &token)
    }

    /// Headers with a bearer token of the test's own making.
    pub fn as_bearer(&self, token: &str) -> Headers {
        self.with_token(&self.api.anon, token)
    }

    /// The access token of a person.
    pub fn user_token(&self, name: &str, claims: Value) -> String {
        let now = self.clock.unix();
        let mut all = json!({
            "iss": "http://localhost:54321/auth/v1",
            "sub": self.user_id(name),
            "aud": "authenticated",
            "role": "authenticated",
            "email": self.email(name),
            "session_id": stable(&format!("session of {name}")),
            "aal": "aal1",
            "amr": [{"method": "password", "timestamp": now}],
            "is_anonymous": false,
            "user_metadata": {},
            "app_metadata": {"provider": "email", "providers": ["email"]},
            "iat": now,
            "exp": now + AN_HOUR,
        });
        if let (Value::Object(all), Value::Object(extra)) = (&mut all, claims) {
            all.extend(extra);
        }
        self.keys.sign(&all).expect("the ring signs")
    }

    /// A person's account, the same in every test.
    pub fn user_id(&self, name: &str) -> Uuid {
        stable(name)
    }

    /// A person's address.
    pub fn email(&self, name: &str) -> String {
        format!("{name}@example.test")
    }

    fn with_token(&self, apikey: &str, token: &str) -> Headers {
        vec![("apikey", apikey.to_owned()), ("authorization", format!("Bearer {token}"))]
    }
}

/// An identifier made from a name, marked as such (version 5).
fn stable(name: &str) -> Uuid {
    let digest: [u8; 32] = Sha256::digest(name).into();
    let mut bytes = [0; 16];
    bytes.copy_from_slice(&digest[..16]);
    uuid::Builder::from_sha1_bytes(bytes).into_uuid()
}

#[cfg(test)]
mod tests {
    use http::HeaderMap;

    use super::*;

    fn caller(personas: &Personas, headers: Headers) -> compat_token::Caller {
        let headers: HeaderMap = headers
            .into_iter()
            .map(|(name, value)| (http::HeaderName::from_static(name), value.parse().unwrap()))
            .collect();
        personas.environment().caller(&headers).unwrap()
    }

    #[test]
    fn everyone_is_who_they_say_they_are() {
        let personas = Personas::new();
        assert_eq!(caller(&personas, personas.as_anon()).role(), "anon");
        assert_eq!(caller(&personas, personas.as_service()).role(), "service_role");
        let ada = caller(&personas, personas.as_user("ada"));
        assert_eq!(ada.role(), "authenticated");
        assert_eq!(ada.claims().unwrap().sub(), Some(personas.user_id("ada")));
    }

    #[test]
    fn user_id_is_stable_per_persona_name() {
        let (one, other) = (Personas::new(), Personas::new());
        assert_eq!(one.user_id("ada"), other.user_id("ada"));
        assert_ne!(one.user_id("ada"), one.user_id("bob"));
    }

    #[test]
    fn token_is_of_the_clocks_time() {
        let personas = Personas::new();
        let stale = personas.as_user("ada");
        personas.advance(Duration::from_secs(2 * 60 * 60));
        let headers: HeaderMap = stale
            .into_iter()
            .map(|(name, value)| (http::HeaderName::from_static(name), value.parse().unwrap()))
            .collect();
        assert!(personas.environment().caller(&headers).is_err());
        assert_eq!(caller(&personas, personas.as_user("ada")).role(), "authenticated");
    }
}
