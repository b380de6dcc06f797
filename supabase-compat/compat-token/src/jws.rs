//! Parses a compact JWS (RFC 7515) and checks its signature.

use base64::Engine as _;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use jsonwebtoken::{Algorithm, crypto};
use serde::Deserialize;
use serde::de::IgnoredAny;
use serde_json::Value;

use crate::{Claims, Key, TokenRefusal};

#[derive(Deserialize)]
struct Header {
    alg: String,
    kid: Option<String>,
    /// Extensions that the verifier must understand. None is supported, so a token with any is
    /// refused.
    crit: Option<IgnoredAny>,
}

/// The parts of a well-formed token, none of them verified yet.
pub(crate) struct Jws<'a> {
    algorithm: Algorithm,
    kid: Option<String>,
    payload: Vec<u8>,
    signature: &'a str,
    signed: &'a str,
}

impl<'a> Jws<'a> {
    /// Parses a token without verifying it.
    pub fn parse(token: &'a str) -> Result<Self, TokenRefusal> {
        if token.is_empty() {
            return Err(TokenRefusal::Empty);
        }
        let parts = token.bytes().filter(|byte| *byte == b'.').count() + 1;
        if parts != 3 {
            return Err(TokenRefusal::PartCount(parts));
        }
        let (signed, signature) = token.rsplit_once('.').ok_or(TokenRefusal::Malformed)?;
        let (header, payload) = signed.split_once('.').ok_or(TokenRefusal::Malformed)?;
        let header: Header =
            serde_json::from_slice(&unpack(header)?).map_err(|_| TokenRefusal::Malformed)?;
        let payload = unpack(payload)?;
        if header.alg == "none" {
            return Err(TokenRefusal::Unsecured);
        }
        unpack(signature)?;
        let algorithm = header.alg.parse().map_err(|_| TokenRefusal::Malformed)?;
        if header.crit.is_some() {
            return Err(TokenRefusal::Malformed);
        }
        Ok(Self { algorithm, kid: header.kid, payload, signature, signed })
    }

    /// The issuer that the token names. It is not verified: use it only to choose the keys.
    pub fn claimed_issuer(&self) -> Option<String> {
        #[derive(Deserialize)]
        struct IssuerClaim {
            iss: Option<Value>,
        }
        match serde_json::from_slice::<IssuerClaim>(&self.payload).ok()?.iss? {
            Value::String(issuer) => Some(issuer),
            _ => None,
        }
    }

    /// Whether the `kid` and the algorithm of one of the keys fit this token.
    pub fn has_candidate(&self, keys: &[Key]) -> bool {
        self.candidates(keys).next().is_some()
    }

    /// The claims, if one of the keys has made the signature.
    pub fn verify(&self, keys: &[Key]) -> Result<Claims, TokenRefusal> {
        let mut refusal = TokenRefusal::NoKey;
        for key in self.candidates(keys) {
            let message = self.signed.as_bytes();
            let fits = crypto::verify(self.signature, message, &key.verifying, self.algorithm);
            if matches!(fits, Ok(true)) {
                let json = std::str::from_utf8(&self.payload);
                return Claims::parse(json.map_err(|_| TokenRefusal::Payload)?);
            }
            refusal = TokenRefusal::Signature;
        }
        Err(refusal)
    }

    fn candidates<'k>(&self, keys: &'k [Key]) -> impl Iterator<Item = &'k Key> {
        let (algorithm, kid) = (self.algorithm, self.kid.as_deref());
        keys.iter().filter(move |key| key.may_have_signed(algorithm, kid))
    }
}

fn unpack(part: &str) -> Result<Vec<u8>, TokenRefusal> {
    URL_SAFE_NO_PAD.decode(part).map_err(|_| TokenRefusal::Malformed)
}
