//! A software authenticator (WebAuthn level 2, sections 6.1 and 6.5): it creates one credential,
//! signs with it, and counts the signatures.

use aws_lc_rs::rand::SystemRandom;
use aws_lc_rs::signature::{ECDSA_P256_SHA256_ASN1_SIGNING, EcdsaKeyPair, KeyPair as _};
use base64::Engine as _;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use serde_cbor_2::Value as Cbor;
use serde_json::{Value, json};
use sha2::{Digest as _, Sha256};

/// Flags of the authenticator data.
const PRESENT: u8 = 0x01;
const VERIFIED: u8 = 0x04;
const HAS_CREDENTIAL: u8 = 0x40;

pub struct Authenticator {
    pair: EcdsaKeyPair,
    id: Vec<u8>,
    handle: Value,
    /// The signature counter.
    pub count: u32,
    /// Whether the authenticator verifies its user, for instance by a PIN.
    pub verifies: bool,
}

impl Authenticator {
    pub fn new() -> Self {
        let pair = EcdsaKeyPair::generate(&ECDSA_P256_SHA256_ASN1_SIGNING).unwrap();
        let id = Sha256::digest(pair.public_key().as_ref()).to_vec();
        Self { pair, id, handle: Value::Null, count: 0, verifies: true }
    }

    /// The result of `navigator.credentials.create` on a page of this origin.
    pub fn create(&mut self, options: &Value, origin: &str) -> Value {
        self.handle = options["user"]["id"].clone();
        let domain = options["rp"]["id"].as_str().unwrap();
        let mut data = self.head(domain, HAS_CREDENTIAL);
        data.extend([0; 16]);
        data.extend(u16::try_from(self.id.len()).unwrap().to_be_bytes());
        data.extend(&self.id);
        data.extend(self.public_key());
        let text = |text: &str| Cbor::Text(text.to_owned());
        let object = [
            (text("fmt"), text("none")),
            (text("attStmt"), Cbor::Map([].into())),
            (text("authData"), Cbor::Bytes(data)),
        ];
        let object = serde_cbor_2::to_vec(&Cbor::Map(object.into())).unwrap();
        let client = client_data("webauthn.create", options, origin);
        self.answer(json!({
            "attestationObject": encoded(&object),
            "clientDataJSON": encoded(&client),
            "transports": ["internal"],
        }))
    }

    /// The result of `navigator.credentials.get` on a page of this origin.
    pub fn get(&mut self, options: &Value, origin: &str) -> Value {
        self.count += 1;
        let data = self.head(options["rpId"].as_str().unwrap(), 0);
        let client = client_data("webauthn.get", options, origin);
        let signed = [&data[..], &Sha256::digest(&client)].concat();
        let signature = self.pair.sign(&SystemRandom::new(), &signed).unwrap();
        self.answer(json!({
            "authenticatorData": encoded(&data),
            "clientDataJSON": encoded(&client),
            "signature": encoded(signature.as_ref()),
            "userHandle": self.handle,
        }))
    }

    fn head(&self, domain: &str, flags: u8) -> Vec<u8> {
        let verified = if self.verifies { VERIFIED } else { 0 };
        let mut data = Sha256::digest(domain.as_bytes()).to_vec();
        data.push(PRESENT | verified | flags);
        data.extend(self.count.to_be_bytes());
        data
    }

    /// The public key in COSE encoding: ES256 on P-256.
    fn public_key(&self) -> Vec<u8> {
        let point = self.pair.public_key().as_ref();
        let number = Cbor::Integer;
        let fields = [
            (number(1), number(2)),
            (number(3), number(-7)),
            (number(-1), number(1)),
            (number(-2), Cbor::Bytes(point[1..33].to_vec())),
            (number(-3), Cbor::Bytes(point[33..].to_vec())),
        ];
        serde_cbor_2::to_vec(&Cbor::Map(fields.into())).unwrap()
    }

    fn answer(&self, response: Value) -> Value {
        let id = encoded(&self.id);
        json!({
            "id": id,
            "rawId": id,
            "type": "public-key",
            "response": response,
            "clientExtensionResults": {},
        })
    }
}

fn client_data(kind: &str, options: &Value, origin: &str) -> Vec<u8> {
    let challenge = &options["challenge"];
    let data =
        json!({"type": kind, "challenge": challenge, "origin": origin, "crossOrigin": false});
    data.to_string().into_bytes()
}

fn encoded(bytes: &[u8]) -> String {
    URL_SAFE_NO_PAD.encode(bytes)
}
