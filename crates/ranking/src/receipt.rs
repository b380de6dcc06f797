//! Receipts: signed statements that a vote counts, so that a server can verify a vote without a
//! request: a JWS (RFC 7515, ES256) whose key is at `/api/v1/receipts/jwks.json`.

use base64::Engine as _;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use chrono::{DateTime, Utc};
use jsonwebtoken::{Algorithm, EncodingKey, Header};
use p256::pkcs8::EncodePrivateKey as _;
use secrecy::SecretString;
use serde_json::{Value, json};
use sha2::{Digest as _, Sha256};
use uuid::Uuid;

use crate::model::delivery::PendingDelivery;
use crate::secret;

/// The site's signing key for receipts.
pub(crate) struct Receipts {
    key: EncodingKey,
    header: Header,
    public: Value,
}

/// The facts in a receipt.
#[derive(Debug)]
pub(crate) struct Receipt<'a> {
    pub vote: Uuid,
    pub server: Uuid,
    pub nickname: &'a str,
    pub voted_at: DateTime<Utc>,
    pub ticket: Option<&'a str>,
}

impl Receipts {
    /// The key derived from the site's secret. With another secret, earlier receipts can no longer
    /// be verified.
    pub fn new(site_secret: &SecretString) -> Self {
        let secret = secret::signing_key(site_secret, "votes/receipts");
        let point = secret.public_key().to_sec1_bytes();
        let coordinate =
            |from: usize| URL_SAFE_NO_PAD.encode(point.get(from..from + 32).unwrap_or_default());
        let (x, y) = (coordinate(1), coordinate(33));
        // The key's name is its thumbprint (RFC 7638).
        let members = format!(r#"{{"crv":"P-256","kty":"EC","x":"{x}","y":"{y}"}}"#);
        let kid = URL_SAFE_NO_PAD.encode(Sha256::digest(members));
        let public = json!({
            "kty": "EC", "crv": "P-256", "x": x, "y": y, "kid": kid, "alg": "ES256", "use": "sig",
        });
        let pkcs8 = secret.to_pkcs8_der().expect("a key of this curve has this form");
        let header = Header { kid: Some(kid), ..Header::new(Algorithm::ES256) };
        Self { key: EncodingKey::from_ec_der(pkcs8.as_bytes()), header, public }
    }

    /// The public keys that verify receipts, as a JSON Web Key Set.
    pub fn jwks(&self) -> Value {
        json!({ "keys": [self.public] })
    }

    /// Signs the receipt of a delivered vote, with the same claims as the voter's own receipt.
    /// `None` when the event is not a vote.
    pub fn sign_delivery(&self, issuer: &str, delivery: &PendingDelivery) -> Option<String> {
        if delivery.event != "vote.created" {
            return None;
        }
        let ticket = delivery.fact("/vote/ticket");
        let receipt = Receipt {
            vote: delivery.fact("/vote/id").parse().ok()?,
            server: delivery.fact("/server/id").parse().ok()?,
            nickname: delivery.fact("/vote/nickname"),
            voted_at: delivery.fact("/vote/voted_at").parse().ok()?,
            ticket: Some(ticket).filter(|ticket| !ticket.is_empty()),
        };
        self.sign(issuer, &receipt)
    }

    /// Signs a receipt; `issuer` is the site's address. `None` only if the signature fails, which
    /// is no reason to refuse a vote that counts.
    pub fn sign(&self, issuer: &str, receipt: &Receipt<'_>) -> Option<String> {
        let Receipt { vote, server, nickname, voted_at, ticket } = receipt;
        let voted_at = voted_at.timestamp();
        let mut claims = json!({
            "iss": issuer,
            "aud": server,
            "jti": vote,
            "iat": voted_at,
            "vote_id": vote,
            "server_id": server,
            "nickname": nickname,
            "voted_at": voted_at,
        });
        if let Some(ticket) = ticket {
            claims["ticket"] = json!(ticket);
        }
        let signed = jsonwebtoken::encode(&self.header, &claims, &self.key);
        signed.inspect_err(|error| tracing::error!(%error, "receipt not signed")).ok()
    }
}

#[cfg(test)]
mod tests {
    use jsonwebtoken::jwk::JwkSet;
    use jsonwebtoken::{DecodingKey, Validation};

    use super::*;

    #[test]
    fn receipt_verifies_only_with_its_published_key() {
        let site = |secret: &str| Receipts::new(&secret.to_owned().into());
        let (ours, other) = (site("one secret"), site("another"));
        let receipt = Receipt {
            vote: Uuid::from_u128(1),
            server: Uuid::from_u128(2),
            nickname: "Éowyn",
            voted_at: DateTime::from_timestamp(1_790_000_000, 0).expect("a time"),
            ticket: None,
        };
        let token = ours.sign("https://site.example", &receipt).expect("signed");
        let check = |from: &Receipts| {
            let keys: JwkSet = serde_json::from_value(from.jwks()).expect("a key set");
            let key = DecodingKey::from_jwk(&keys.keys[0]).expect("a key");
            let mut rules = Validation::new(Algorithm::ES256);
            rules.set_audience(&[Uuid::from_u128(2)]);
            rules.required_spec_claims.clear();
            rules.validate_exp = false;
            jsonwebtoken::decode::<Value>(&token, &key, &rules)
        };
        let read = check(&ours).expect("it holds");
        assert_eq!(read.header.kid, ours.header.kid);
        assert_eq!(read.claims["nickname"], "Éowyn");
        assert_eq!(read.claims.get("ticket"), None);
        assert!(check(&other).is_err());
    }
}
