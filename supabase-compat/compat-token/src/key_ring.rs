//! The keys of one deployment: the signing key, and all verifying keys, among them those that a
//! rotation has replaced.

use std::sync::Arc;

use base64::Engine as _;
use base64::engine::{DecodePaddingMode, GeneralPurpose, GeneralPurposeConfig};
use jsonwebtoken::{Header, encode};
use serde::Serialize;
use serde_json::{Value, json};

use crate::cache::{Fingerprint, VerifiedTokens};
use crate::jwk::{is_revoked, read_set};
use crate::jws::Jws;
use crate::{CacheCounts, CacheRules, Claims, Key, KeyError, TokenRefusal};

/// A set of verifying keys, of which at most one signs, with a cache of verified tokens.
pub struct KeyRing {
    keys: Vec<Key>,
    signing: Option<usize>,
    verified: VerifiedTokens,
}

impl std::fmt::Debug for KeyRing {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("KeyRing").field("keys", &self.keys).finish_non_exhaustive()
    }
}

impl KeyRing {
    /// A ring without keys, which refuses every token with [`TokenRefusal::NoSecret`].
    pub fn empty() -> Self {
        Self::new(Vec::new(), None)
    }

    /// A ring with one new ES256 key.
    ///
    /// # Errors
    /// [`KeyError::Crypto`] when the system's random source fails.
    pub fn generate_es256() -> Result<Self, KeyError> {
        Ok(Self::new(vec![Key::generate_es256()?], Some(0)))
    }

    /// A ring with one shared secret (`JWT_SECRET`), which signs HS256. Its tokens may have any
    /// `kid`.
    ///
    /// # Errors
    /// [`KeyError::ShortSecret`] below 32 characters.
    pub fn from_secret(secret: &str) -> Result<Self, KeyError> {
        let ring = Self::empty().with_secret(secret)?;
        Ok(Self { signing: Some(0), ..ring })
    }

    /// Reads `GOTRUE_JWT_KEYS`: an array of private JWKs (or a JWK set), exactly one of which has
    /// `sign` among its `key_ops`. Revoked keys are left out.
    ///
    /// # Errors
    /// [`KeyError`] for an invalid key, or when not exactly one key signs.
    pub fn from_private_jwks(json: &str) -> Result<Self, KeyError> {
        let keys = read_set(json)?
            .iter()
            .filter(|key| !is_revoked(key))
            .map(Key::from_jwk)
            .collect::<Result<Vec<_>, _>>()?;
        let signers: Vec<usize> =
            keys.iter().enumerate().filter_map(|(at, key)| key.signs().then_some(at)).collect();
        let [signing] = signers[..] else { return Err(KeyError::SigningKeys(signers.len())) };
        Ok(Self::new(keys, Some(signing)))
    }

    /// A ring that only verifies, from a JWK, a JWK set or an array of JWKs. Keys of unknown
    /// kinds, and keys for encryption, are left out, as RFC 7517 section 5 asks.
    ///
    /// # Errors
    /// [`KeyError::NoUsableKey`], or [`KeyError::Json`].
    pub fn verify_only(json: &str) -> Result<Self, KeyError> {
        let keys = read_set(json)?.iter().filter_map(|key| Key::from_jwk(key).ok()).collect();
        Self::verifying(keys)
    }

    /// Like [`Self::verify_only`], for a key set that another issuer publishes: shared secrets are
    /// left out too.
    ///
    /// # Errors
    /// [`KeyError::NoUsableKey`], or [`KeyError::Json`].
    pub fn published(json: &str) -> Result<Self, KeyError> {
        let mut ring = Self::verify_only(json)?;
        ring.keys.retain(|key| !key.is_symmetric());
        Self::verifying(ring.keys)
    }

    fn verifying(keys: Vec<Key>) -> Result<Self, KeyError> {
        if keys.is_empty() {
            return Err(KeyError::NoUsableKey);
        }
        Ok(Self::new(keys, None))
    }

    /// Reads `PGRST_JWT_SECRET`: a JWK, a JWK set, or a shared secret, which also signs and whose
    /// tokens have no `kid`. With `base64` (`PGRST_JWT_SECRET_IS_BASE64`) the text is base64 in
    /// either alphabet, padded or not.
    ///
    /// # Errors
    /// [`KeyError::NotBase64`], [`KeyError::ShortSecret`] or [`KeyError::NoUsableKey`].
    pub fn from_postgrest_secret(text: &str, base64: bool) -> Result<Self, KeyError> {
        let bytes = if base64 { from_base64(text)? } else { text.as_bytes().to_vec() };
        match serde_json::from_slice::<Value>(&bytes) {
            Ok(value @ (Value::Object(_) | Value::Array(_))) => {
                Self::verify_only(&value.to_string())
            }
            _ => Ok(Self::new(vec![Key::from_secret(&bytes)?], Some(0))),
        }
    }

    /// Additionally accepts tokens under a shared secret, for projects that moved from the legacy
    /// secret to asymmetric keys. Such tokens may have any `kid`.
    ///
    /// # Errors
    /// [`KeyError::ShortSecret`] below 32 characters.
    pub fn with_secret(mut self, secret: &str) -> Result<Self, KeyError> {
        let key = Key::from_secret(secret.as_bytes())?;
        self.keys.push(Key { answers_to_any_kid: true, ..key });
        Ok(self)
    }

    /// The same keys with an empty cache.
    #[must_use]
    pub fn duplicate(&self) -> Self {
        Self::new(self.keys.clone(), self.signing)
    }

    /// Additionally verifies with another ring's keys.
    #[must_use]
    pub fn joined(mut self, other: &Self) -> Self {
        self.keys.extend(other.keys.iter().cloned());
        self
    }

    /// The same keys with a new cache of these limits.
    #[must_use]
    pub fn with_cache(self, rules: CacheRules) -> Self {
        Self { verified: VerifiedTokens::new(rules), ..self }
    }

    fn new(keys: Vec<Key>, signing: Option<usize>) -> Self {
        Self { keys, signing, verified: VerifiedTokens::new(CacheRules::default()) }
    }

    /// Whether the ring has no key.
    pub fn is_empty(&self) -> bool {
        self.keys.is_empty()
    }

    /// Whether the ring has a signing key.
    pub fn signs(&self) -> bool {
        self.signing.is_some()
    }

    /// All keys with their private members, in the form [`Self::from_private_jwks`] reads.
    pub fn to_private_jwks(&self) -> String {
        Value::from_iter(self.keys.iter().map(|key| key.private_jwk.clone())).to_string()
    }

    /// The public JWK set, `{"keys":[…]}`; shared secrets are left out.
    pub fn public_jwks(&self) -> Value {
        json!({"keys": self.keys.iter().filter_map(|key| key.public_jwk.clone()).collect::<Vec<_>>()})
    }

    /// The algorithm of the signing key, as a JOSE header names it.
    pub fn signing_algorithm(&self) -> Option<String> {
        let key = &self.keys[self.signing?];
        Some(format!("{:?}", key.algorithms[0]))
    }

    /// Signs `claims` as a compact JWS with `typ` and, if the key has one, `kid`.
    ///
    /// # Errors
    /// [`KeyError::VerifyOnly`], or [`KeyError::Crypto`].
    pub fn sign(&self, claims: &impl Serialize) -> Result<String, KeyError> {
        let key = &self.keys[self.signing.ok_or(KeyError::VerifyOnly)?];
        let signing = key.signing.as_ref().ok_or(KeyError::VerifyOnly)?;
        let mut header = Header::new(key.algorithms[0]);
        header.kid.clone_from(&key.kid);
        Ok(encode(&header, claims, signing)?)
    }

    /// Checks a compact JWS and its times at `now` (Unix seconds).
    ///
    /// A cached token is not verified again, but its times are checked. This costs one SHA-256 of
    /// the token and no allocation.
    ///
    /// # Errors
    /// The [`TokenRefusal`] of the first check that fails.
    pub fn verify(&self, token: &str, now: i64) -> Result<Arc<Claims>, TokenRefusal> {
        if self.is_empty() {
            return Err(TokenRefusal::NoSecret);
        }
        let fingerprint = Fingerprint::of(token);
        match self.recall(&fingerprint, now) {
            Some(remembered) => remembered,
            None => self.verify_new(&Jws::parse(token)?, fingerprint, now),
        }
    }

    /// The cached result for a token, with its times checked. An expired token is removed from the
    /// cache.
    pub(crate) fn recall(
        &self,
        token: &Fingerprint,
        now: i64,
    ) -> Option<Result<Arc<Claims>, TokenRefusal>> {
        let claims = self.verified.get(token, now)?;
        let checked = claims.check_times(now);
        if checked == Err(TokenRefusal::Expired) {
            self.verified.forget(token);
        }
        Some(checked.map(|()| claims))
    }

    /// Verifies a token and caches its claims.
    pub(crate) fn verify_new(
        &self,
        jws: &Jws<'_>,
        token: Fingerprint,
        now: i64,
    ) -> Result<Arc<Claims>, TokenRefusal> {
        let claims = Arc::new(jws.verify(&self.keys)?);
        claims.check_times(now)?;
        self.verified.put(token, &claims, now);
        Ok(claims)
    }

    /// Whether the `kid` and the algorithm of one of the keys fit this token.
    pub(crate) fn has_candidate(&self, jws: &Jws<'_>) -> bool {
        jws.has_candidate(&self.keys)
    }

    /// The counters of the cache.
    pub fn cache_counts(&self) -> CacheCounts {
        self.verified.counts()
    }
}

fn from_base64(text: &str) -> Result<Vec<u8>, KeyError> {
    const FORGIVING: GeneralPurpose = GeneralPurpose::new(
        &base64::alphabet::STANDARD,
        GeneralPurposeConfig::new().with_decode_padding_mode(DecodePaddingMode::Indifferent),
    );
    // PostgREST accepts a dot as padding, for secrets that are pasted into URLs.
    let standard = text.trim().replace('-', "+").replace('_', "/").replace('.', "=");
    FORGIVING.decode(standard).map_err(|_| KeyError::NotBase64)
}
