//! One key: a shared secret or half of a pair, read from and written as a JWK (RFC 7517).

use aws_lc_rs::signature::{ECDSA_P256_SHA256_FIXED_SIGNING, EcdsaKeyPair, KeyPair as _};
use base64::{Engine as _, engine::general_purpose::URL_SAFE_NO_PAD};
use jsonwebtoken::jwk::{AlgorithmParameters, EllipticCurve, Jwk, ThumbprintHash};
use jsonwebtoken::{Algorithm, DecodingKey, EncodingKey};
use serde_json::{Value, json};

/// Why a key could not be made, read or used.
#[derive(Debug, thiserror::Error)]
pub enum KeyError {
    /// Not JSON, or not a JWK or JWK set.
    #[error("not a JSON web key: {0}")]
    Json(#[from] serde_json::Error),
    /// A member is missing or of the wrong form.
    #[error("key {kid:?}: {reason}")]
    Key {
        /// The key's `kid`, when it has one.
        kid: Option<String>,
        /// What is wrong with it.
        reason: String,
    },
    /// GoTrue asks for exactly one signing key.
    #[error("expected one key with key_ops \"sign\", found {0}")]
    SigningKeys(usize),
    /// RFC 7518 section 3.2: an HS256 key has at least 256 bits.
    #[error("the JWT secret must be at least 32 characters long")]
    ShortSecret,
    /// The cryptographic library refused.
    #[error("cryptographic operation failed")]
    Crypto,
    /// A ring that only verifies was asked to sign.
    #[error("no signing key")]
    VerifyOnly,
}

impl From<jsonwebtoken::errors::Error> for KeyError {
    fn from(_: jsonwebtoken::errors::Error) -> Self {
        Self::Crypto
    }
}

impl From<aws_lc_rs::error::Unspecified> for KeyError {
    fn from(_: aws_lc_rs::error::Unspecified) -> Self {
        Self::Crypto
    }
}

/// A key that verifies, and may sign.
#[derive(Clone)]
pub struct Key {
    pub(crate) kid: Option<String>,
    pub(crate) algorithms: Vec<Algorithm>,
    pub(crate) verifying: DecodingKey,
    pub(crate) signing: Option<EncodingKey>,
    /// The JWK with its private members.
    pub(crate) private_jwk: Value,
    /// What others may see; none for shared secrets.
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
        let secret = aws_lc_rs::encoding::AsBigEndian::<
            aws_lc_rs::encoding::EcPrivateKeyBin<'static>,
        >::as_be_bytes(&pair.private_key())?;
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

    /// A shared secret for HS256, HS384 and HS512, taken as text.
    ///
    /// # Errors
    /// [`KeyError::ShortSecret`] below 32 bytes.
    pub fn from_secret(secret: &[u8]) -> Result<Self, KeyError> {
        if secret.len() < 32 {
            return Err(KeyError::ShortSecret);
        }
        Ok(Self {
            kid: None,
            algorithms: vec![Algorithm::HS256, Algorithm::HS384, Algorithm::HS512],
            verifying: DecodingKey::from_secret(secret),
            signing: Some(EncodingKey::from_secret(secret)),
            private_jwk: json!({"kty": "oct", "k": encode(secret), "alg": "HS256",
                "key_ops": ["sign", "verify"]}),
            public_jwk: None,
        })
    }

    /// Reads a JWK. It signs when it has private members and its `key_ops` are absent or hold
    /// `sign`. RSA keys verify only.
    ///
    /// # Errors
    /// [`KeyError::Json`] or [`KeyError::Key`] naming the `kid`.
    pub fn from_jwk(value: &Value) -> Result<Self, KeyError> {
        let kid = value["kid"].as_str().map(str::to_owned);
        let wrong = |reason: &str| KeyError::Key { kid: kid.clone(), reason: reason.to_owned() };
        let jwk: Jwk = serde_json::from_value(value.clone())?;
        let verifying = DecodingKey::from_jwk(&jwk).map_err(|_| wrong("unsupported key type"))?;
        let may_sign = value["key_ops"]
            .as_array()
            .is_none_or(|operations| operations.iter().any(|operation| operation == "sign"));
        let signing = if may_sign { signing_key(&jwk, value).map_err(wrong)? } else { None };
        let algorithms = match jwk.common.key_algorithm {
            Some(name) => vec![
                name.to_string().parse::<Algorithm>().map_err(|_| wrong("unknown algorithm"))?,
            ],
            None => algorithms(&jwk.algorithm).ok_or_else(|| wrong("unsupported curve"))?,
        };
        let public_jwk = (value["kty"] != "oct").then(|| public_part(value));
        Ok(Self { kid, algorithms, verifying, signing, private_jwk: value.clone(), public_jwk })
    }

    /// Whether this key can sign.
    pub fn signs(&self) -> bool {
        self.signing.is_some()
    }
}

fn algorithms(parameters: &AlgorithmParameters) -> Option<Vec<Algorithm>> {
    use Algorithm::{
        ES256, ES384, EdDSA, HS256, HS384, HS512, PS256, PS384, PS512, RS256, RS384, RS512,
    };
    Some(match parameters {
        AlgorithmParameters::OctetKey(_) => vec![HS256, HS384, HS512],
        AlgorithmParameters::RSA(_) => vec![RS256, RS384, RS512, PS256, PS384, PS512],
        AlgorithmParameters::OctetKeyPair(_) => vec![EdDSA],
        AlgorithmParameters::EllipticCurve(curve) => match curve.curve {
            EllipticCurve::P256 => vec![ES256],
            EllipticCurve::P384 => vec![ES384],
            _ => return None,
        },
        _ => return None,
    })
}

fn signing_key(jwk: &Jwk, value: &Value) -> Result<Option<EncodingKey>, &'static str> {
    match &jwk.algorithm {
        AlgorithmParameters::OctetKey(key) => {
            let secret = decode(&key.value).ok_or("k is not base64url")?;
            Ok(Some(EncodingKey::from_secret(&secret)))
        }
        AlgorithmParameters::EllipticCurve(key) if key.curve == EllipticCurve::P256 => {
            let Some(d) = value["d"].as_str() else { return Ok(None) };
            let secret = decode(d).ok_or("d is not base64url")?;
            let mut point = vec![4_u8];
            point.extend(decode(&key.x).ok_or("x is not base64url")?);
            point.extend(decode(&key.y).ok_or("y is not base64url")?);
            let pair = EcdsaKeyPair::from_private_key_and_public_key(
                &ECDSA_P256_SHA256_FIXED_SIGNING,
                &secret,
                &point,
            )
            .map_err(|_| "d does not belong to x and y")?;
            let pkcs8 = pair.to_pkcs8v1().map_err(|_| "the key cannot be encoded")?;
            Ok(Some(EncodingKey::from_ec_der(pkcs8.as_ref())))
        }
        _ if value.get("d").is_some() => Err("only oct and P-256 keys can sign"),
        _ => Ok(None),
    }
}

/// The members others may see, with `key_ops` and `use` as GoTrue publishes them.
fn public_part(jwk: &Value) -> Value {
    const PUBLIC: [&str; 8] = ["kty", "crv", "x", "y", "n", "e", "alg", "kid"];
    let mut public: serde_json::Map<_, _> = PUBLIC
        .iter()
        .filter_map(|name| Some(((*name).to_owned(), jwk.get(*name)?.clone())))
        .collect();
    public.insert("key_ops".to_owned(), json!(["verify"]));
    public.insert("use".to_owned(), json!("sig"));
    public.into()
}

fn encode(bytes: &[u8]) -> String {
    URL_SAFE_NO_PAD.encode(bytes)
}

fn decode(text: &str) -> Option<Vec<u8>> {
    URL_SAFE_NO_PAD.decode(text.trim_end_matches('=')).ok()
}
