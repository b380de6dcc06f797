//! Tokens that try to choose how they are verified.

use super::*;

/// One deployment with a key of every kind, each under its own name.
fn ring_of_all() -> KeyRing {
    let verify = |name: &str| {
        let mut key = named(name, name);
        key["key_ops"] = json!(["verify"]);
        key
    };
    ring(&[named("RS256", "RS256"), verify("ES256"), verify("ES384"), verify("EdDSA")])
        .with_secret(SECRET)
        .expect("a ring")
}

fn refusal(ring: &KeyRing, token: &str) -> Option<TokenRefusal> {
    ring.verify(token, NOW).err()
}

#[test]
fn none_is_refused_with_or_without_a_signature() {
    let header = json!({"alg": "none"});
    for signature in [Vec::new(), vec![1, 2, 3]] {
        let token = token(&header, &claims(), |_| signature.clone());
        assert_eq!(refusal(&ring_of_all(), &token), Some(TokenRefusal::Unsecured));
    }
    for spelling in ["None", "NONE", "nOnE", ""] {
        let token = token(&json!({"alg": spelling}), &claims(), |_| Vec::new());
        assert_eq!(refusal(&ring_of_all(), &token), Some(TokenRefusal::Malformed), "{spelling}");
    }
}

#[test]
fn a_public_key_is_no_shared_secret() {
    let ring = ring(&[named("RS256", "RS256")]);
    let public = ring.public_jwks();
    let key = &public["keys"][0];
    for bytes in [
        key.to_string().into_bytes(),
        public.to_string().into_bytes(),
        key["n"].as_str().expect("n").as_bytes().to_vec(),
        B64.decode(key["n"].as_str().expect("n")).expect("base64"),
    ] {
        for kid in [Value::Null, "RS256".into()] {
            let header = json!({"alg": "HS256", "kid": kid});
            let forged = token(&header, &claims(), hmac(&bytes));
            assert_eq!(refusal(&ring, &forged), Some(TokenRefusal::NoKey));
            assert_eq!(refusal(&ring_of_all(), &forged), Some(TokenRefusal::Signature));
        }
    }
}

#[test]
fn key_never_verifies_another_algorithm() {
    let algorithms = ["RS256", "PS512", "ES256", "ES384", "EdDSA", "HS256", "HS512"];
    for name in ["RS256", "ES256", "ES384", "EdDSA"] {
        let mut private = named(name, name);
        private["alg"] = name.into();
        let ring = ring(&[private]);
        let genuine = ring.sign(&claims()).expect("a token");
        let signature = genuine.rsplit('.').next().expect("a signature");
        for algorithm in algorithms.into_iter().filter(|algorithm| *algorithm != name) {
            let header = json!({"alg": algorithm, "kid": name});
            let forged = token(&header, &claims(), |_| B64.decode(signature).expect("base64"));
            assert_eq!(refusal(&ring, &forged), Some(TokenRefusal::NoKey), "{name} {algorithm}");
        }
    }
}

#[test]
fn key_with_alg_of_another_type_is_refused() {
    for (name, alg) in
        [("RS256", "HS256"), ("ES256", "RS256"), ("EdDSA", "ES256"), ("ES384", "ES256")]
    {
        let mut key = named(name, "k");
        key["alg"] = alg.into();
        assert!(Key::from_jwk(&key).is_err(), "{name} as {alg}");
        let mut oct = json!({"kty": "oct", "k": B64.encode(SECRET), "kid": "k"});
        oct["alg"] = alg.into();
        let is_accepted = Key::from_jwk(&oct).is_ok();
        assert_eq!(is_accepted, alg == "HS256", "oct as {alg}");
    }
}

#[test]
fn keys_and_urls_in_token_headers_are_ignored() {
    let ring = ring(&[named("ES256", "ours")]);
    let foreign_ring = KeyRing::generate_es256().expect("a key");
    let jwk = &foreign_ring.public_jwks()["keys"][0];
    let genuine = foreign_ring.sign(&claims()).expect("a token");
    let signature = B64.decode(genuine.rsplit('.').next().expect("a part")).expect("base64");
    for header in [
        json!({"alg": "ES256", "jwk": jwk}),
        json!({"alg": "ES256", "kid": "ours", "jwk": jwk}),
        json!({"alg": "ES256", "jku": "https://evil.example/jwks"}),
        json!({"alg": "ES256", "x5u": "https://evil.example/cert", "x5c": ["AAAA"]}),
    ] {
        let forged = token(&header, &claims(), |_| signature.clone());
        assert_eq!(refusal(&ring, &forged), Some(TokenRefusal::Signature), "{header}");
    }
}

#[test]
fn extensions_that_must_be_understood_are_refused() {
    let header = json!({"alg": "HS256", "crit": ["b64"], "b64": false});
    let token = token(&header, &claims(), hmac(SECRET.as_bytes()));
    assert_eq!(refusal(&ring_of_all(), &token), Some(TokenRefusal::Malformed));
}

#[test]
fn malformed_tokens_have_their_refusal_codes() {
    let ring = ring_of_all();
    let good = ring.sign(&claims()).expect("a token");
    assert_eq!(refusal(&ring, ""), Some(TokenRefusal::Empty));
    for (count, text) in [(1, "a"), (2, "a.b"), (4, "a.b.c.d"), (5, "a.b.c.d.e")] {
        assert_eq!(refusal(&ring, text), Some(TokenRefusal::PartCount(count)));
    }
    for text in [
        "..".to_owned(),
        "quifquirndsjagnrgniur.fonvoienqhhdj.iuqvnvhojah".to_owned(),
        format!("{good}="),
        format!("{good}!"),
        good.replacen('.', ".!", 1),
        format!("{}.e30.", B64.encode("[]")),
        format!("{}.e30.", B64.encode(r#"{"alg":7}"#)),
        format!("{}.e30.", B64.encode(r#"{"alg":"ES512"}"#)),
        format!("{}.e30.", B64.encode(r#"{"alg":"HS256","kid":7}"#)),
        format!("{}.e30.", B64.encode(r#"{"alg":"HS256","alg":"none"}"#)),
        format!("{}.e30.", B64.encode([0xff, 0xfe])),
    ] {
        assert_eq!(refusal(&ring, &text), Some(TokenRefusal::Malformed), "{text}");
    }
}

#[test]
fn signed_token_without_json_object_is_refused() {
    let ring = KeyRing::from_secret(SECRET).expect("a ring");
    let token = token(&json!({"alg": "HS256"}), &json!(["role"]), hmac(SECRET.as_bytes()));
    assert_eq!(refusal(&ring, &token), Some(TokenRefusal::Payload));
    let head = B64.encode(r#"{"alg":"HS256"}"#);
    let signed = format!("{head}.{}", B64.encode([0x7b, 0xff, 0x7d]));
    let binary = format!("{signed}.{}", B64.encode(hmac(SECRET.as_bytes())(&signed)));
    assert_eq!(refusal(&ring, &binary), Some(TokenRefusal::Payload));
}
