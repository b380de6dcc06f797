//! The keys of one deployment: one that signs, and all that verify (rotation keeps old ones).

use std::num::NonZeroUsize;
use std::sync::{Arc, Mutex};

use jsonwebtoken::{Algorithm, Header, Validation, decode, decode_header, encode};
use lru::LruCache;
use serde::Serialize;
use serde_json::value::RawValue;
use serde_json::{Value, json};
use sha2::{Digest as _, Sha256};

use crate::{Claims, Key, KeyError, TokenRefusal};

/// How many verified tokens are remembered. Only the signature check is skipped for them: times
/// are checked on every call.
const REMEMBERED_TOKENS: NonZeroUsize = NonZeroUsize::new(8192).expect("not zero");

/// What is remembered of a token: never the token itself.
type Fingerprint = [u8; 32];

/// One signing key and every key that verifies.
pub struct KeyRing {
    keys: Vec<Key>,
    signing: Option<usize>,
    verified: Mutex<LruCache<Fingerprint, Arc<Claims>>>,
}

impl std::fmt::Debug for KeyRing {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("KeyRing").field("keys", &self.keys).finish_non_exhaustive()
    }
}

impl KeyRing {
    /// A ring of one new ES256 key.
    ///
    /// # Errors
    /// [`KeyError::Crypto`] when the system's random source fails.
    pub fn generate_es256() -> Result<Self, KeyError> {
        Ok(Self::new(vec![Key::generate_es256()?], Some(0)))
    }

    /// A ring of one shared secret (`JWT_SECRET`), signing HS256.
    ///
    /// # Errors
    /// [`KeyError::ShortSecret`] below 32 characters.
    pub fn from_secret(secret: &str) -> Result<Self, KeyError> {
        Ok(Self::new(vec![Key::from_secret(secret.as_bytes())?], Some(0)))
    }

    /// Reads `GOTRUE_JWT_KEYS`: an array of private JWKs (or a JWK set), exactly one of which
    /// has `sign` among its `key_ops`.
    ///
    /// # Errors
    /// [`KeyError`], naming the key.
    pub fn from_private_jwks(json: &str) -> Result<Self, KeyError> {
        let keys = read_set(json)?;
        let signers: Vec<usize> =
            keys.iter().enumerate().filter_map(|(at, key)| key.signs().then_some(at)).collect();
        let [signing] = signers[..] else { return Err(KeyError::SigningKeys(signers.len())) };
        Ok(Self::new(keys, Some(signing)))
    }

    /// A ring that only verifies, from a JWK, a JWK set or an array of JWKs.
    ///
    /// # Errors
    /// [`KeyError`], naming the key.
    pub fn verify_only(json: &str) -> Result<Self, KeyError> {
        Ok(Self::new(read_set(json)?, None))
    }

    /// Additionally accepts tokens under a shared secret, as projects that moved from the legacy
    /// secret to asymmetric keys need.
    ///
    /// # Errors
    /// [`KeyError::ShortSecret`] below 32 characters.
    pub fn with_secret(mut self, secret: &str) -> Result<Self, KeyError> {
        self.keys.push(Key::from_secret(secret.as_bytes())?);
        Ok(self)
    }

    fn new(keys: Vec<Key>, signing: Option<usize>) -> Self {
        Self { keys, signing, verified: Mutex::new(LruCache::new(REMEMBERED_TOKENS)) }
    }

    /// All keys with their private members, in the form [`Self::from_private_jwks`] reads.
    pub fn to_private_jwks(&self) -> String {
        Value::from_iter(self.keys.iter().map(|key| key.private_jwk.clone())).to_string()
    }

    /// `{"keys":[…]}` of the asymmetric keys only; a shared secret is never shown.
    pub fn public_jwks(&self) -> Value {
        json!({"keys": self.keys.iter().filter_map(|key| key.public_jwk.clone()).collect::<Vec<_>>()})
    }

    /// The algorithm tokens are signed with, as the JOSE header names it.
    pub fn signing_algorithm(&self) -> Option<String> {
        let key = &self.keys[self.signing?];
        Some(format!("{:?}", key.algorithms[0]))
    }

    /// Signs `claims` as a compact JWS with `typ` and, when the key has one, `kid`.
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
    /// A token seen before is not verified again; its claims' times are.
    ///
    /// # Errors
    /// The [`TokenRefusal`] of the first check that fails.
    pub fn verify(&self, token: &str, now: i64) -> Result<Arc<Claims>, TokenRefusal> {
        let fingerprint: Fingerprint = Sha256::digest(token.as_bytes()).into();
        let known = self.remembered(|cache| cache.get(&fingerprint).cloned());
        let claims = match known {
            Some(claims) => claims,
            None => {
                let claims = Arc::new(self.verify_signature(token)?);
                self.remembered(|cache| cache.put(fingerprint, Arc::clone(&claims)));
                claims
            }
        };
        claims.check_times(now)?;
        Ok(claims)
    }

    fn remembered<T>(
        &self,
        use_cache: impl FnOnce(&mut LruCache<Fingerprint, Arc<Claims>>) -> T,
    ) -> T {
        use_cache(&mut self.verified.lock().unwrap_or_else(std::sync::PoisonError::into_inner))
    }

    fn verify_signature(&self, token: &str) -> Result<Claims, TokenRefusal> {
        if token.is_empty() {
            return Err(TokenRefusal::Empty);
        }
        let parts = token.split('.').count();
        if parts != 3 {
            return Err(TokenRefusal::PartCount(parts));
        }
        let header =
            decode_header(token).map_err(|error| TokenRefusal::Algorithm(error.to_string()))?;
        let mut refusal = TokenRefusal::NoKey;
        for key in self.candidates(header.alg, header.kid.as_deref()) {
            match decode::<Box<RawValue>>(token, &key.verifying, &signature_only(header.alg)) {
                Ok(verified) => return Claims::parse(verified.claims.get()),
                Err(error) => refusal = refusal_of(&error),
            }
        }
        Err(refusal)
    }

    /// The keys that may have signed: those with the token's `kid`, those without any, and all
    /// of them when the token names none.
    fn candidates(&self, algorithm: Algorithm, kid: Option<&str>) -> impl Iterator<Item = &Key> {
        self.keys.iter().filter(move |key| {
            let named = kid.is_none() || key.kid.is_none() || key.kid.as_deref() == kid;
            named && key.algorithms.contains(&algorithm)
        })
    }
}

fn refusal_of(error: &jsonwebtoken::errors::Error) -> TokenRefusal {
    use jsonwebtoken::errors::ErrorKind;
    match error.kind() {
        ErrorKind::Json(_) | ErrorKind::Utf8(_) => TokenRefusal::Payload,
        _ => TokenRefusal::Signature,
    }
}

/// Times and audience are ours to check, with the words of the contract.
fn signature_only(algorithm: Algorithm) -> Validation {
    let mut validation = Validation::new(algorithm);
    validation.required_spec_claims.clear();
    validation.validate_exp = false;
    validation.validate_nbf = false;
    validation.validate_aud = false;
    validation
}

fn read_set(json: &str) -> Result<Vec<Key>, KeyError> {
    let value: Value = serde_json::from_str(json)?;
    let list = match &value {
        Value::Array(list) => list.clone(),
        Value::Object(set) => match set.get("keys").and_then(Value::as_array) {
            Some(list) => list.clone(),
            None => vec![value.clone()],
        },
        _ => Vec::new(),
    };
    list.iter().map(Key::from_jwk).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    const SECRET: &str = "super-secret-jwt-token-with-at-least-32-characters";
    const NOW: i64 = 1_700_000_000;

    fn claims() -> Value {
        json!({"role": "authenticated", "exp": NOW + 60})
    }

    #[test]
    fn what_a_ring_signs_it_verifies_also_after_being_written_down() {
        let ring = KeyRing::generate_es256().expect("a key");
        let token = ring.sign(&claims()).expect("a token");
        let again = KeyRing::from_private_jwks(&ring.to_private_jwks()).expect("the same ring");
        let verified = again.verify(&token, NOW).expect("claims");
        assert_eq!(verified.role(), Some("authenticated"));
        assert_eq!(serde_json::from_str::<Value>(verified.json()).expect("json"), claims());
    }

    #[test]
    fn published_keys_hold_no_private_member_and_no_secret() {
        let ring = KeyRing::generate_es256().expect("a key").with_secret(SECRET).expect("a ring");
        let published = ring.public_jwks();
        assert_eq!(published["keys"].as_array().map(Vec::len), Some(1));
        let key = published["keys"][0].as_object().expect("a key");
        let names: Vec<_> = key.keys().map(String::as_str).collect();
        assert_eq!(names, ["kty", "crv", "x", "y", "alg", "kid", "key_ops", "use"]);
    }

    #[test]
    fn a_remembered_token_still_expires() {
        let ring = KeyRing::from_secret(SECRET).expect("a ring");
        let token = ring.sign(&claims()).expect("a token");
        assert!(ring.verify(&token, NOW).is_ok());
        assert_eq!(ring.verify(&token, NOW + 90).err(), Some(TokenRefusal::Expired));
    }

    #[test]
    fn an_altered_token_and_a_strangers_token_are_refused() {
        let ring = KeyRing::from_secret(SECRET).expect("a ring");
        let stranger = KeyRing::from_secret(&SECRET.to_uppercase()).expect("a ring");
        let foreign = stranger.sign(&claims()).expect("a token");
        assert_eq!(ring.verify(&foreign, NOW).err(), Some(TokenRefusal::Signature));
        let other = KeyRing::generate_es256().expect("a key").sign(&claims()).expect("a token");
        assert_eq!(ring.verify(&other, NOW).err(), Some(TokenRefusal::NoKey));
    }

    #[test]
    fn shapes_that_are_no_token_are_refused_by_name() {
        let ring = KeyRing::from_secret(SECRET).expect("a ring");
        assert_eq!(ring.verify("", NOW).err(), Some(TokenRefusal::Empty));
        assert_eq!(ring.verify("a.b", NOW).err(), Some(TokenRefusal::PartCount(2)));
        // {"alg":"none"}.{}.
        let unsigned = ring.verify("eyJhbGciOiJub25lIn0.e30.", NOW).err();
        assert!(matches!(unsigned, Some(TokenRefusal::Algorithm(_))), "{unsigned:?}");
    }

    #[test]
    fn a_ring_needs_exactly_one_signing_key() {
        let one = Key::generate_es256().expect("a key").private_jwk;
        let two = Key::generate_es256().expect("a key").private_jwk;
        let refusal = KeyRing::from_private_jwks(&json!([one, two]).to_string()).err();
        assert!(matches!(refusal, Some(KeyError::SigningKeys(2))), "{refusal:?}");
    }

    #[test]
    fn after_rotation_old_tokens_still_verify() {
        let old = KeyRing::generate_es256().expect("a key");
        let token = old.sign(&claims()).expect("a token");
        let mut retired = old.keys[0].private_jwk.clone();
        retired["key_ops"] = json!(["verify"]);
        let new = Key::generate_es256().expect("a key").private_jwk;
        let ring = KeyRing::from_private_jwks(&json!([new, retired]).to_string()).expect("a ring");
        assert!(ring.verify(&token, NOW).is_ok());
    }
}
