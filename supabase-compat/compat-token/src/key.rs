//! One key: a shared secret, or a private or public key of a pair, read from and written as a JWK
//! (RFC 7517).

use aws_lc_rs::encoding::{AsBigEndian, EcPrivateKeyBin};
use aws_lc_rs::signature::{ECDSA_P256_SHA256_FIXED_SIGNING, EcdsaKeyPair, KeyPair as _};
use jsonwebtoken::jwk::{AlgorithmParameters, EllipticCurve, Jwk, PublicKeyUse, ThumbprintHash};
use jsonwebtoken::{Algorithm, DecodingKey, EncodingKey};
use serde_json::{Value, json};

use crate::KeyError;
use crate::jwk::{encode, may_sign, public_part};
use crate::signing::signing_key;

/// RFC 7518 section 3.2: an HS256 key has at least 256 bits.
const SHORTEST_SECRET: usize = 32;

/// A key that verifies tokens, and signs them where it has its private part.
#[derive(Clone)]
pub struct Key {
    pub(crate) kid: Option<String>,
    /// Whether tokens with any `kid` match. Only for the legacy secret, which has no name.
    pub(crate) answers_to_any_kid: bool,
    pub(crate) algorithms: Vec<Algorithm>,
    pub(crate) verifying: DecodingKey,
    pub(crate) signing: Option<EncodingKey>,
    /// The JWK with its private members.
    pub(crate) private_jwk: Value,
    /// The public part of the JWK; `None` for a shared secret.
    pub(crate) public_jwk: Option<Value>,
}

impl std::fmt::Debug for Key {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Key")
            .field("kid", &self.kid)
            .field("algorithms", &self.algorithms)
            .field("signs", &self.signing.is_some())
            .finish_non_exhaustive()
    }
}

impl Key {
    /// A new P-256 key whose `kid` is its RFC 7638 thumbprint.
    ///
    /// # Errors
    /// [`KeyError::Crypto`] when the system's random source fails.
    pub fn generate_es256() -> Result<Self, KeyError> {
        let pair = EcdsaKeyPair::generate(&ECDSA_P256_SHA256_FIXED_SIGNING)?;
        let secret = AsBigEndian::<EcPrivateKeyBin<'static>>::as_be_bytes(&pair.private_key())?;
        // An uncompressed point: 0x04, x, y.
        let (x, y) = pair.public_key().as_ref()[1..].split_at(32);
        let mut jwk = json!({
            "kty": "EC", "crv": "P-256", "alg": "ES256", "use": "sig", "key_ops": ["sign", "verify"],
            "x": encode(x), "y": encode(y), "d": encode(secret.as_ref()),
        });
        let thumbprint =
            serde_json::from_value::<Jwk>(jwk.clone())?.thumbprint(ThumbprintHash::SHA256)?;
        jwk["kid"] = thumbprint.into();
        Self::from_jwk(&jwk)
    }

    /// A shared secret for HS256, HS384 and HS512.
    ///
    /// # Errors
    /// [`KeyError::ShortSecret`] below 32 bytes.
    pub fn from_secret(secret: &[u8]) -> Result<Self, KeyError> {
        if secret.len() < SHORTEST_SECRET {
            return Err(KeyError::ShortSecret);
        }
        Ok(Self {
            kid: None,
            answers_to_any_kid: false,
            algorithms: vec![Algorithm::HS256, Algorithm::HS384, Algorithm::HS512],
            verifying: DecodingKey::from_secret(secret),
            signing: Some(EncodingKey::from_secret(secret)),
            private_jwk: json!({"kty": "oct", "k": encode(secret), "alg": "HS256",
                "key_ops": ["sign", "verify"]}),
            public_jwk: None,
        })
    }

    /// Reads a JWK. The key can sign if it has private members, and its `key_ops` are absent or
    /// contain `sign`.
    ///
    /// # Errors
    /// [`KeyError::Json`], or [`KeyError::Key`] with the `kid`.
    pub fn from_jwk(value: &Value) -> Result<Self, KeyError> {
        let kid = value["kid"].as_str().map(str::to_owned);
        let wrong = |reason: &str| KeyError::Key { kid: kid.clone(), reason: reason.to_owned() };
        let jwk: Jwk = serde_json::from_value(value.clone())?;
        if jwk.common.public_key_use == Some(PublicKeyUse::Encryption) {
            return Err(wrong("the key is for encryption"));
        }
        let verifying = DecodingKey::from_jwk(&jwk).map_err(|_| wrong("unsupported key type"))?;
        let signing = if may_sign(value) { signing_key(&jwk, value).map_err(wrong)? } else { None };
        let algorithms = algorithms(&jwk).map_err(wrong)?;
        let public_jwk = (value["kty"] != "oct").then(|| public_part(value));
        Ok(Self {
            kid,
            answers_to_any_kid: false,
            algorithms,
            verifying,
            signing,
            private_jwk: value.clone(),
            public_jwk,
        })
    }

    /// Whether this key can sign.
    pub fn signs(&self) -> bool {
        self.signing.is_some()
    }

    /// Whether this key can have signed a token with this header. A token without `kid` matches
    /// every key of a fitting algorithm; a token with a `kid` matches only the key of that name.
    pub(crate) fn may_have_signed(&self, algorithm: Algorithm, kid: Option<&str>) -> bool {
        let named = kid.is_none() || self.answers_to_any_kid || self.kid.as_deref() == kid;
        named && self.algorithms.contains(&algorithm)
    }

    /// Whether this is a shared secret, with which every verifier can also sign.
    pub(crate) fn is_symmetric(&self) -> bool {
        self.public_jwk.is_none()
    }
}

/// The algorithms that a key of this kind can verify, limited to its `alg`. Neither `alg` nor a
/// token's header ever adds an algorithm of another kind of key.
fn algorithms(jwk: &Jwk) -> Result<Vec<Algorithm>, &'static str> {
    let mut by_kind = by_kind(&jwk.algorithm).ok_or("unsupported curve or key type")?;
    if let Some(name) = jwk.common.key_algorithm {
        let only: Algorithm = name.to_string().parse().map_err(|_| "unknown algorithm")?;
        by_kind.retain(|algorithm| *algorithm == only);
        if by_kind.is_empty() {
            return Err("its alg does not belong to its kty");
        }
    }
    Ok(by_kind)
}

fn by_kind(parameters: &AlgorithmParameters) -> Option<Vec<Algorithm>> {
    use Algorithm::{
        ES256, ES384, EdDSA, HS256, HS384, HS512, PS256, PS384, PS512, RS256, RS384, RS512,
    };
    Some(match parameters {
        AlgorithmParameters::OctetKey(_) => vec![HS256, HS384, HS512],
        AlgorithmParameters::RSA(_) => vec![RS256, RS384, RS512, PS256, PS384, PS512],
        AlgorithmParameters::OctetKeyPair(pair) if pair.curve == EllipticCurve::Ed25519 => {
            vec![EdDSA]
        }
        AlgorithmParameters::EllipticCurve(curve) => match curve.curve {
            EllipticCurve::P256 => vec![ES256],
            EllipticCurve::P384 => vec![ES384],
            _ => return None,
        },
        _ => return None,
    })
}
