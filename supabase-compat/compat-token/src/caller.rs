//! Who makes a request: the gateway's rule for the `apikey` and `Authorization` headers.

use std::sync::Arc;

use serde_json::{Value, json};

use crate::cache::Fingerprint;
use crate::jws::Jws;
use crate::local_keys;
use crate::{ApiKeys, CacheCounts, Claims, Issuers, KeyRing, Rules, TokenRefusal};

/// The two headers that identify the caller.
#[derive(Debug, Clone, Copy, Default)]
pub struct Credentials<'a> {
    /// The value of the `apikey` header or query parameter.
    pub apikey: Option<&'a str>,
    /// The whole value of the `Authorization` header.
    pub authorization: Option<&'a str>,
}

impl<'a> Credentials<'a> {
    /// The bearer token, when the scheme is `Bearer` in any case. An empty one is `Some("")`.
    pub fn bearer(&self) -> Option<&'a str> {
        let value = self.authorization?.trim();
        let (scheme, token) = value.split_once(' ').unwrap_or((value, ""));
        scheme.eq_ignore_ascii_case("bearer").then_some(token.trim())
    }
}

/// The caller of a request, decided by [`Authenticator::caller`]. Cheap to clone.
#[derive(Debug, Clone)]
pub struct Caller {
    role: Arc<str>,
    claims: Option<Arc<Claims>>,
    claims_json: Arc<str>,
    anonymous: bool,
    by_default: bool,
}

impl Caller {
    /// A caller without a token.
    fn anonymous(role: &Arc<str>) -> Self {
        Self {
            role: Arc::clone(role),
            claims: None,
            claims_json: json!({"role": &**role}).to_string().into(),
            anonymous: true,
            by_default: true,
        }
    }

    /// The database role that the request runs as.
    pub fn role(&self) -> &str {
        &self.role
    }

    /// The claims of the caller's token; `None` without a token.
    pub fn claims(&self) -> Option<&Arc<Claims>> {
        self.claims.as_ref()
    }

    /// A JSON object for the setting `request.jwt.claims`; it always names the effective role.
    pub fn claims_json(&self) -> &str {
        &self.claims_json
    }

    /// Whether the caller has the anonymous role, with or without a token.
    pub fn is_anonymous(&self) -> bool {
        self.anonymous
    }

    /// Whether no token names a role, so that the anonymous role is the default.
    pub fn has_default_role(&self) -> bool {
        self.by_default
    }
}

/// Decides who makes a request.
#[derive(Debug)]
pub struct Authenticator {
    keys: Arc<KeyRing>,
    others: Option<Arc<KeyRing>>,
    issuers: Issuers,
    api: Arc<ApiKeys>,
    anon_role: Arc<str>,
    anonymous: Caller,
    takes_local_keys: bool,
}

impl Authenticator {
    /// Creates an authenticator for one deployment's keys; callers without a token act as
    /// `anon_role`.
    pub fn new(keys: Arc<KeyRing>, api: Arc<ApiKeys>, anon_role: &str) -> Self {
        let anon_role: Arc<str> = anon_role.into();
        let anonymous = Caller::anonymous(&anon_role);
        Self {
            keys,
            others: None,
            issuers: Issuers::default(),
            api,
            anon_role,
            anonymous,
            takes_local_keys: false,
        }
    }

    /// Also accepts tokens under these keys, with which the deployment does not sign (a
    /// `PGRST_JWT_SECRET` that holds another issuer's public keys).
    #[must_use]
    pub fn with_keys(self, others: Option<Arc<KeyRing>>) -> Self {
        Self { others, ..self }
    }

    /// Also accepts the official CLI's local keys in place of the deployment's own. They are
    /// public, so switch this on only where no other machine can connect.
    #[must_use]
    pub fn with_local_keys(self, takes_local_keys: bool) -> Self {
        Self { takes_local_keys, ..self }
    }

    /// Whether the official CLI's local keys are accepted.
    pub fn takes_local_keys(&self) -> bool {
        self.takes_local_keys
    }

    /// Also accepts tokens of these issuers.
    #[must_use]
    pub fn with_issuers(self, issuers: Issuers) -> Self {
        Self { issuers, ..self }
    }

    /// The key ring that signs and verifies our own tokens.
    pub fn keys(&self) -> &Arc<KeyRing> {
        &self.keys
    }

    /// The other issuers that are trusted.
    pub fn issuers(&self) -> &Issuers {
        &self.issuers
    }

    /// The deployment's API keys.
    pub fn api_keys(&self) -> &Arc<ApiKeys> {
        &self.api
    }

    /// The counters of all caches together. Every token is first looked up among our own, so those
    /// lookups are the total.
    pub fn cache_counts(&self) -> CacheCounts {
        let own = self.keys.cache_counts();
        let others = self.others.as_ref().map(|keys| keys.cache_counts()).unwrap_or_default();
        let issuers = self.issuers.cache_counts();
        CacheCounts {
            requests: own.requests,
            hits: own.hits + others.hits + issuers.hits,
            evictions: own.evictions + others.evictions + issuers.evictions,
        }
    }

    /// The caller at `now` (Unix seconds).
    ///
    /// # Errors
    /// The refusal of the token that decides.
    pub fn caller(&self, credentials: Credentials<'_>, now: i64) -> Result<Caller, TokenRefusal> {
        self.caller_under(credentials, now, &Rules::default())
    }

    /// Like [`Self::caller`], for a service with its own rules.
    ///
    /// # Errors
    /// The refusal of the token that decides.
    pub fn caller_under(
        &self,
        credentials: Credentials<'_>,
        now: i64,
        rules: &Rules,
    ) -> Result<Caller, TokenRefusal> {
        let Some(token) = self.deciding_token(credentials) else {
            return Ok(match &rules.anon_role {
                Some(role) if *role != self.anon_role => Caller::anonymous(role),
                _ => self.anonymous.clone(),
            });
        };
        let claims = self.verify(token, now, rules)?;
        rules.check(&claims)?;
        Ok(self.acting_under(claims, rules))
    }

    /// The token that decides the role. A bearer token that is no opaque key is used as it is;
    /// otherwise the `apikey` decides, and an opaque key stands for its token. No opaque key, known
    /// or unknown, reaches the token parser.
    pub fn deciding_token<'a>(&'a self, credentials: Credentials<'a>) -> Option<&'a str> {
        let key = match credentials.bearer() {
            Some(token) if !is_opaque(token) => token,
            bearer => credentials.apikey.or(bearer)?,
        };
        // An empty token is refused like a malformed one.
        let unknown = if is_opaque(key) { "" } else { key };
        Some(self.token_of(key).unwrap_or(unknown))
    }

    /// The deployment's own token that a key stands for: an opaque key, or one of the official
    /// CLI's local keys where those are accepted.
    pub fn token_of(&self, key: &str) -> Option<&str> {
        let local = || local_keys::stand_for(key, &self.api).filter(|_| self.takes_local_keys);
        self.api.token_of(key).or_else(local)
    }

    /// Verifies a token. If it names a trusted issuer, only that issuer's keys count; every other
    /// token is verified with ours.
    fn verify(&self, token: &str, now: i64, rules: &Rules) -> Result<Arc<Claims>, TokenRefusal> {
        let keys = rules.keys.as_ref().unwrap_or(&self.keys);
        let others = self.others.as_ref().filter(|_| rules.keys.is_none());
        if others.is_none() && self.issuers.is_empty() {
            return keys.verify(token, now);
        }
        let fingerprint = Fingerprint::of(token);
        let known = keys
            .recall(&fingerprint, now)
            .or_else(|| others?.recall(&fingerprint, now))
            .or_else(|| self.issuers.recall(&fingerprint, now));
        if let Some(remembered) = known {
            return remembered;
        }
        let jws = Jws::parse(token)?;
        if let Some(verified) = self.issuers.verify(&jws, fingerprint, now) {
            return verified;
        }
        // The other keys are tried only where ours do not fit. A signature that our keys refuse
        // stays a wrong signature, even where the other ring has no key for the token.
        match (keys.verify_new(&jws, fingerprint, now), others) {
            (Err(TokenRefusal::NoKey), Some(others)) => others.verify_new(&jws, fingerprint, now),
            (Err(TokenRefusal::Signature), Some(others)) => {
                others.verify_new(&jws, fingerprint, now).map_err(|refusal| match refusal {
                    TokenRefusal::NoKey => TokenRefusal::Signature,
                    other => other,
                })
            }
            (verified, _) => verified,
        }
    }

    fn acting_under(&self, claims: Arc<Claims>, rules: &Rules) -> Caller {
        let anon_role = rules.anon_role.as_ref().unwrap_or(&self.anon_role);
        // The common case copies nothing: the role is the string in the claim `role`.
        if rules.role_claim.is_default()
            && let Some(role) = claims.shared_role()
            && claims.get("role").is_some_and(Value::is_string)
        {
            return Caller {
                anonymous: role == anon_role,
                role: Arc::clone(role),
                claims_json: Arc::clone(claims.shared_json()),
                by_default: false,
                claims: Some(claims),
            };
        }
        let (role, is_stated, by_default) = match rules.role(&claims) {
            Some((role, is_stated)) => (Arc::<str>::from(&*role), is_stated, false),
            None => (Arc::clone(anon_role), false, true),
        };
        let claims_json = if is_stated {
            Arc::clone(claims.shared_json())
        } else {
            let mut values = claims.values().clone();
            values.insert("role".to_owned(), (*role).into());
            Value::from(values).to_string().into()
        };
        Caller {
            anonymous: role == *anon_role,
            role,
            claims_json,
            by_default,
            claims: Some(claims),
        }
    }
}

fn is_opaque(key: &str) -> bool {
    key.starts_with("sb_")
}

#[cfg(test)]
mod tests {
    use super::*;

    const NOW: i64 = 1_700_000_000;

    fn authenticator() -> Authenticator {
        let keys = Arc::new(KeyRing::generate_es256().expect("a key"));
        let api = ApiKeys::issue(&keys, NOW, [7; 48]).expect("keys");
        Authenticator::new(keys, Arc::new(api), "anon")
    }

    fn role(
        authenticator: &Authenticator,
        apikey: Option<&str>,
        authorization: Option<&str>,
    ) -> String {
        let caller =
            authenticator.caller(Credentials { apikey, authorization }, NOW).expect("a caller");
        caller.role().to_owned()
    }

    #[test]
    fn without_any_key_the_caller_is_anonymous() {
        let caller = authenticator().caller(Credentials::default(), NOW).expect("a caller");
        assert!(caller.is_anonymous());
        assert!(caller.claims().is_none());
        assert_eq!(caller.claims_json(), r#"{"role":"anon"}"#);
    }

    #[test]
    fn opaque_keys_stand_for_their_tokens() {
        let authenticator = authenticator();
        let api = Arc::clone(authenticator.api_keys());
        assert_eq!(role(&authenticator, Some(&api.publishable), None), "anon");
        assert_eq!(role(&authenticator, Some(&api.secret), None), "service_role");
        let bearer = format!("Bearer {}", api.secret);
        assert_eq!(role(&authenticator, Some(&api.secret), Some(&bearer)), "service_role");
        assert_eq!(role(&authenticator, None, Some(&bearer)), "service_role");
    }

    #[test]
    fn a_users_token_decides_over_the_service_key() {
        let authenticator = authenticator();
        let token = authenticator.keys().sign(&json!({"role": "authenticated"})).expect("a token");
        let service = authenticator.api_keys().service_role.clone();
        let bearer = format!("bearer {token}");
        assert_eq!(role(&authenticator, Some(&service), Some(&bearer)), "authenticated");
    }

    #[test]
    fn token_without_role_is_anonymous_with_its_claims() {
        let authenticator = authenticator();
        let token = authenticator.keys().sign(&json!({"sub": "x"})).expect("a token");
        let bearer = format!("Bearer {token}");
        let credentials = Credentials { apikey: None, authorization: Some(&bearer) };
        let caller = authenticator.caller(credentials, NOW).expect("a caller");
        assert_eq!(caller.claims_json(), r#"{"sub":"x","role":"anon"}"#);
        assert!(caller.is_anonymous());
    }

    #[test]
    fn unknown_opaque_key_and_empty_bearer_are_refused() {
        let authenticator = authenticator();
        let unknown = Credentials { apikey: Some("sb_secret_guess"), authorization: None };
        assert_eq!(authenticator.caller(unknown, NOW).err(), Some(TokenRefusal::Empty));
        let empty = Credentials { apikey: None, authorization: Some("Bearer ") };
        assert_eq!(authenticator.caller(empty, NOW).err(), Some(TokenRefusal::Empty));
    }
}
