//! Tokens of every algorithm, and malformed tokens.

use std::sync::Arc;

use base64::Engine as _;
use base64::engine::general_purpose::URL_SAFE_NO_PAD as B64;
use compat_testkit::property_test;
use proptest::prelude::*;
use serde_json::{Value, json};

use crate::*;

mod cost;
mod forged;
mod trusted;

pub(super) const NOW: i64 = 1_700_000_000;
pub(super) const SECRET: &str = "super-secret-jwt-token-with-at-least-32-characters";

/// A fixed private key, generated with Node's `generateKeyPairSync`.
pub(super) fn jwk(name: &str) -> Value {
    let keys: Value = serde_json::from_str(include_str!("tests/keys.json")).expect("json");
    keys[name].clone()
}

pub(super) fn named(name: &str, kid: &str) -> Value {
    let mut key = jwk(name);
    key["kid"] = kid.into();
    key
}

pub(super) fn claims() -> Value {
    json!({"role": "authenticated", "exp": NOW + 60})
}

pub(super) fn ring(keys: &[Value]) -> KeyRing {
    KeyRing::from_private_jwks(&Value::from(keys.to_vec()).to_string()).expect("a ring")
}

/// A token with any header and payload, signed by `sign` over the first two parts.
pub(super) fn token(header: &Value, payload: &Value, sign: impl Fn(&str) -> Vec<u8>) -> String {
    let signed = format!("{}.{}", B64.encode(header.to_string()), B64.encode(payload.to_string()));
    let signature = B64.encode(sign(&signed));
    format!("{signed}.{signature}")
}

/// Signs with an HMAC whose key is any bytes, such as a public key.
pub(super) fn hmac(secret: &[u8]) -> impl Fn(&str) -> Vec<u8> {
    let key = aws_lc_rs::hmac::Key::new(aws_lc_rs::hmac::HMAC_SHA256, secret);
    move |signed| aws_lc_rs::hmac::sign(&key, signed.as_bytes()).as_ref().to_vec()
}

#[test]
fn public_keys_verify_tokens_of_each_algorithm() {
    let cases = [
        ("ES256", "ES256"),
        ("ES384", "ES384"),
        ("EdDSA", "EdDSA"),
        ("RS256", "RS256"),
        ("RS256", "RS384"),
        ("RS256", "RS512"),
        ("RS256", "PS256"),
        ("RS256", "PS384"),
        ("RS256", "PS512"),
    ];
    for (key, algorithm) in cases {
        let mut private = named(key, algorithm);
        private["alg"] = algorithm.into();
        let ring = ring(&[private]);
        assert_eq!(ring.signing_algorithm().as_deref(), Some(algorithm));
        let token = ring.sign(&claims()).expect("a token");
        let public = KeyRing::published(&ring.public_jwks().to_string()).expect("a public ring");
        let verified = public.verify(&token, NOW).unwrap_or_else(|e| panic!("{algorithm}: {e}"));
        assert_eq!(verified.role(), Some("authenticated"));
        assert!(public.sign(&claims()).is_err());
    }
}

#[test]
fn shared_secret_verifies_each_hmac_algorithm() {
    for (algorithm, hash) in [
        ("HS256", aws_lc_rs::hmac::HMAC_SHA256),
        ("HS384", aws_lc_rs::hmac::HMAC_SHA384),
        ("HS512", aws_lc_rs::hmac::HMAC_SHA512),
    ] {
        let key = aws_lc_rs::hmac::Key::new(hash, SECRET.as_bytes());
        let token = token(&json!({"alg": algorithm}), &claims(), |signed| {
            aws_lc_rs::hmac::sign(&key, signed.as_bytes()).as_ref().to_vec()
        });
        let ring = KeyRing::from_secret(SECRET).expect("a ring");
        assert!(ring.verify(&token, NOW).is_ok(), "{algorithm}");
        let mut jwk = json!({"kty": "oct", "k": B64.encode(SECRET), "alg": algorithm});
        let only = KeyRing::verify_only(&jwk.to_string()).expect("a ring");
        assert!(only.verify(&token, NOW).is_ok(), "{algorithm}");
        jwk["alg"] = "HS1".into();
        assert!(KeyRing::verify_only(&jwk.to_string()).is_err());
    }
}

#[test]
fn key_ring_verifies_its_own_signatures() {
    let ring = KeyRing::generate_es256().expect("a key");
    let token = ring.sign(&claims()).expect("a token");
    let again = KeyRing::from_private_jwks(&ring.to_private_jwks()).expect("the same ring");
    let verified = again.verify(&token, NOW).expect("claims");
    assert_eq!(verified.role(), Some("authenticated"));
    assert_eq!(serde_json::from_str::<Value>(verified.json()).expect("json"), claims());
}

#[test]
fn published_keys_contain_no_private_members_or_secret() {
    let keys = [named("RS256", "a"), {
        let mut other = named("EdDSA", "b");
        other["key_ops"] = json!(["verify"]);
        other
    }];
    let ring = ring(&keys).with_secret(SECRET).expect("a ring");
    let published = ring.public_jwks();
    let keys = published["keys"].as_array().expect("keys");
    let names = |key: &Value| key.as_object().expect("a key").keys().cloned().collect::<Vec<_>>();
    assert_eq!(keys.len(), 2);
    assert_eq!(names(&keys[0]), ["kty", "n", "e", "kid", "key_ops", "use"]);
    assert_eq!(names(&keys[1]), ["kty", "crv", "x", "kid", "key_ops", "use"]);
}

#[test]
fn cached_token_is_refused_after_its_expiry() {
    let ring = KeyRing::from_secret(SECRET).expect("a ring");
    let token = ring.sign(&claims()).expect("a token");
    let first = ring.verify(&token, NOW).expect("claims");
    let again = ring.verify(&token, NOW).expect("claims");
    assert!(Arc::ptr_eq(&first, &again), "the same claims are shared");
    assert_eq!(ring.verify(&token, NOW + 91).err(), Some(TokenRefusal::Expired));
    assert_eq!(ring.cache_counts(), CacheCounts { requests: 3, hits: 2, evictions: 0 });
    assert_eq!(ring.verify(&token, NOW + 91).err(), Some(TokenRefusal::Expired));
    assert_eq!(ring.cache_counts(), CacheCounts { requests: 4, hits: 2, evictions: 0 });
}

#[test]
fn refused_tokens_are_not_remembered() {
    let ring = KeyRing::from_secret(SECRET).expect("a ring");
    let other = KeyRing::from_secret(&SECRET.to_uppercase()).expect("a ring");
    let token = other.sign(&claims()).expect("a token");
    for _ in 0..3 {
        assert_eq!(ring.verify(&token, NOW).err(), Some(TokenRefusal::Signature));
    }
    assert_eq!(ring.cache_counts(), CacheCounts { requests: 3, ..CacheCounts::default() });
}

#[test]
fn a_ring_needs_exactly_one_signing_key() {
    let (one, two) = (named("ES256", "1"), named("ES384", "2"));
    let refusal = KeyRing::from_private_jwks(&json!([one, two]).to_string()).err();
    assert!(matches!(refusal, Some(KeyError::SigningKeys(2))), "{refusal:?}");
    let refusal = KeyRing::from_private_jwks("[]").err();
    assert!(matches!(refusal, Some(KeyError::SigningKeys(0))), "{refusal:?}");
}

#[test]
fn after_rotation_old_tokens_still_verify() {
    let old = ring(&[named("ES256", "old")]);
    let token = old.sign(&claims()).expect("a token");
    let mut retired = named("ES256", "old");
    retired["key_ops"] = json!(["verify"]);
    let ring = ring(&[named("EdDSA", "new"), retired]);
    assert!(ring.verify(&token, NOW).is_ok());
    assert!(ring.verify(&ring.sign(&claims()).expect("a token"), NOW).is_ok());
}

#[test]
fn token_without_kid_is_verified_with_each_key() {
    let mut second = named("ES256", "b");
    second["key_ops"] = json!(["verify"]);
    let generated = KeyRing::generate_es256().expect("a key");
    let mut first: Value = serde_json::from_str(&generated.to_private_jwks()).expect("json");
    first[0]["kid"] = "a".into();
    let both = ring(&[first[0].clone(), second]);
    let signer = |kid: Option<&str>| {
        let mut key = jwk("ES256");
        if let Some(kid) = kid {
            key["kid"] = kid.into();
        }
        ring(&[key]).sign(&claims()).expect("a token")
    };
    assert!(both.verify(&signer(Some("b")), NOW).is_ok());
    assert!(both.verify(&signer(None), NOW).is_ok());
    assert_eq!(both.verify(&signer(Some("a")), NOW).err(), Some(TokenRefusal::Signature));
    assert_eq!(both.verify(&signer(Some("c")), NOW).err(), Some(TokenRefusal::NoKey));
}

#[test]
fn only_the_legacy_secret_answers_to_any_kid() {
    let named =
        token(&json!({"alg": "HS256", "kid": "legacy"}), &claims(), hmac(SECRET.as_bytes()));
    let alone = KeyRing::from_postgrest_secret(SECRET, false).expect("a ring");
    assert_eq!(alone.verify(&named, NOW).err(), Some(TokenRefusal::NoKey));
    let beside = KeyRing::generate_es256().and_then(|ring| ring.with_secret(SECRET));
    assert!(beside.expect("a ring").verify(&named, NOW).is_ok());
}

#[test]
fn postgrest_secret_is_text_base64_jwk_or_jwks() {
    let by_secret = KeyRing::from_secret(SECRET).and_then(|r| r.sign(&claims())).expect("a token");
    let by_pair = ring(&[jwk("RS256")]).sign(&claims()).expect("a token");
    let public = ring(&[jwk("RS256")]).public_jwks();
    let oct = json!({"kty": "oct", "k": B64.encode(SECRET)});
    let base64 = base64::engine::general_purpose::STANDARD.encode(SECRET);
    let key_set = json!({"keys": [
        {"kty": "RSA", "use": "enc", "alg": "RSA-OAEP", "n": "AQAB", "e": "AQAB"},
        {"kty": "unheard-of"}, public["keys"][0], oct,
    ]});
    let encoded = B64.encode(key_set.to_string());
    for (text, is_base64, token) in [
        (SECRET, false, &by_secret),
        (&base64, true, &by_secret),
        (base64.trim_end_matches('='), true, &by_secret),
        (&base64.replace('=', "."), true, &by_secret),
        (&format!(" {base64}\n"), true, &by_secret),
        (&oct.to_string(), false, &by_secret),
        (&public["keys"][0].to_string(), false, &by_pair),
        (&public.to_string(), false, &by_pair),
        (&key_set.to_string(), false, &by_pair),
        (&key_set.to_string(), false, &by_secret),
        (&encoded, true, &by_pair),
    ] {
        let ring = KeyRing::from_postgrest_secret(text, is_base64).expect("a ring");
        assert!(ring.verify(token, NOW).is_ok(), "{is_base64} {text}");
    }
    let refusal = |text, base64| KeyRing::from_postgrest_secret(text, base64).map(drop);
    assert!(matches!(refusal("no base-64!", true), Err(KeyError::NotBase64)));
    assert!(matches!(refusal("short", false), Err(KeyError::ShortSecret)));
    assert!(matches!(refusal("{\"keys\":[]}", false), Err(KeyError::NoUsableKey)));
    assert!(matches!(refusal("{\"keys\":[{\"kty\":\"x\"}]}", false), Err(KeyError::NoUsableKey)));
    assert!(
        refusal(&SECRET.replace(|_| true, "7"), false).is_ok(),
        "digits are JSON, and a secret"
    );
}

#[test]
fn without_any_key_the_operator_is_at_fault() {
    assert_eq!(KeyRing::empty().verify("x", NOW).err(), Some(TokenRefusal::NoSecret));
}

#[test]
fn inconsistent_private_key_is_refused_with_its_kid() {
    for (name, member) in [("ES256", "x"), ("ES384", "d"), ("EdDSA", "x"), ("RS256", "q")] {
        let mut broken = named(name, "broken");
        let text = broken[member].as_str().expect("a member");
        let changed = if text.starts_with('A') { "B" } else { "A" };
        broken[member] = format!("{changed}{}", &text[1..]).into();
        let refusal = Key::from_jwk(&broken).err();
        assert!(matches!(refusal, Some(KeyError::Key { kid: Some(_), .. })), "{name}: {refusal:?}");
    }
}

#[test]
fn random_texts_are_refused() {
    let ring = KeyRing::from_secret(SECRET).expect("a ring");
    property_test("texts for tokens", ("\\PC{0,80}", "[A-Za-z0-9_.=-]{0,120}"), |(text, parts)| {
        for token in [text, parts] {
            assert!(ring.verify(&token, NOW).is_err());
        }
    });
}

#[test]
fn random_tokens_without_the_key_are_refused() {
    let ring = ring(&[named("RS256", "a")]).with_secret(SECRET).expect("a ring");
    let header = "\\{?\"alg\":\"(none|HS256|RS256|ES256|EdDSA|x)\"\\PC{0,20}\\}?";
    let parts = (header, "\\PC{0,40}", proptest::collection::vec(any::<u8>(), 0..80));
    property_test("forged tokens", parts, |(header, payload, signature)| {
        let token =
            format!("{}.{}.{}", B64.encode(header), B64.encode(payload), B64.encode(signature));
        assert!(ring.verify(&token, NOW).is_err());
    });
}

#[test]
fn random_changes_to_tokens_are_refused() {
    let ring = KeyRing::from_secret(SECRET).expect("a ring");
    let token = ring.sign(&claims()).expect("a token");
    property_test("spoilt tokens", (any::<usize>(), "[A-Za-z0-9_.-]"), |(at, other)| {
        let at = at % token.len();
        assert!(ring.verify(&token[..at], NOW).is_err());
        let changed = format!("{}{other}{}", &token[..at], &token[at + 1..]);
        // The last base64url character has unused bits; a token that differs only in these is
        // refused.
        assert!(changed == token || ring.verify(&changed, NOW).is_err());
    });
}

#[test]
fn random_key_sets_never_panic_the_parser() {
    let parts = ("\\PC{0,60}", "(oct|RSA|EC|OKP|x)", "[A-Za-z0-9_-]{0,60}");
    property_test("sets of keys", parts, |(text, kty, value)| {
        let jwk = json!({"kty": kty, "k": value, "n": value, "e": value, "x": value, "y": value,
            "d": value, "crv": "P-256", "p": value, "q": value, "dp": value, "dq": value,
            "qi": value});
        let _ = KeyRing::verify_only(&text);
        let _ = KeyRing::from_postgrest_secret(&text, true);
        if let Ok(ring) = KeyRing::verify_only(&jwk.to_string()) {
            let _ = ring.verify(&token(&json!({"alg": "RS256"}), &claims(), |_| vec![1; 256]), NOW);
            let _ = ring.verify(&token(&json!({"alg": "ES256"}), &claims(), |_| vec![1; 64]), NOW);
        }
    });
}
