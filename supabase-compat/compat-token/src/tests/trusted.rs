//! Tokens of other issuers, and which keys verify them.

use super::*;

const ISSUER: &str = "https://issuer.example/";

struct Deployment {
    authenticator: Authenticator,
    issuer: Arc<Issuer>,
    theirs: KeyRing,
}

fn deployment() -> Deployment {
    let ours = Arc::new(KeyRing::generate_es256().expect("a key"));
    let api = Arc::new(ApiKeys::issue(&ours, NOW, [7; 48]).expect("keys"));
    let issuer = Arc::new(Issuer::new(ISSUER, CacheRules::default()));
    let theirs = ring(&[named("RS256", "first")]);
    issuer.accept(&theirs.public_jwks().to_string()).expect("keys");
    let issuers = Issuers::from_iter([Arc::clone(&issuer)]);
    Deployment {
        authenticator: Authenticator::new(ours, api, "anon").with_issuers(issuers),
        issuer,
        theirs,
    }
}

fn ask(authenticator: &Authenticator, token: &str) -> Result<Caller, TokenRefusal> {
    let bearer = format!("Bearer {token}");
    authenticator.caller(Credentials { apikey: None, authorization: Some(&bearer) }, NOW)
}

fn issued(ring: &KeyRing, issuer: &str) -> String {
    ring.sign(&json!({"iss": issuer, "sub": "u1", "role": "authenticated"})).expect("a token")
}

#[test]
fn issuer_tokens_are_verified_with_its_own_keys() {
    let world = deployment();
    for name in [ISSUER, "https://issuer.example"] {
        let token = issued(&world.theirs, name);
        for _ in 0..2 {
            let caller = ask(&world.authenticator, &token).expect("a caller");
            assert_eq!((caller.role(), caller.is_anonymous()), ("authenticated", false));
        }
    }
    assert_eq!(world.authenticator.issuers().cache_counts().hits, 2);
}

#[test]
fn issuer_keys_verify_only_tokens_of_that_issuer() {
    let world = deployment();
    for other in ["https://other.example", "supabase", ""] {
        let refusal = ask(&world.authenticator, &issued(&world.theirs, other)).err();
        assert_eq!(refusal, Some(TokenRefusal::NoKey), "{other}");
    }
    let nameless = world.theirs.sign(&claims()).expect("a token");
    assert_eq!(ask(&world.authenticator, &nameless).err(), Some(TokenRefusal::NoKey));
    let incomplete = world.theirs.sign(&json!({"iss": [ISSUER], "role": "x"})).expect("a token");
    assert_eq!(ask(&world.authenticator, &incomplete).err(), Some(TokenRefusal::NoKey));
}

#[test]
fn our_keys_do_not_speak_for_an_issuer() {
    let world = deployment();
    let ours = issued(world.authenticator.keys(), ISSUER);
    assert_eq!(ask(&world.authenticator, &ours).err(), Some(TokenRefusal::NoKey));
    let own = world.authenticator.keys().sign(&claims()).expect("a token");
    assert_eq!(ask(&world.authenticator, &own).expect("a caller").role(), "authenticated");
    let api = world.authenticator.api_keys().service_role.clone();
    assert_eq!(ask(&world.authenticator, &api).expect("a caller").role(), "service_role");
}

#[test]
fn shared_secrets_in_published_jwks_are_ignored() {
    let world = deployment();
    let oct = json!({"kty": "oct", "k": B64.encode(SECRET), "kid": "first"});
    assert!(matches!(
        world.issuer.accept(&json!({"keys": [oct]}).to_string()),
        Err(KeyError::NoUsableKey)
    ));
    let mixed = json!({"keys": [oct, world.theirs.public_jwks()["keys"][0]]});
    world.issuer.accept(&mixed.to_string()).expect("one key is left");
    let header = json!({"alg": "HS256", "kid": "first"});
    let payload = json!({"iss": ISSUER, "role": "service_role"});
    let forged = token(&header, &payload, hmac(SECRET.as_bytes()));
    assert_eq!(ask(&world.authenticator, &forged).err(), Some(TokenRefusal::NoKey));
}

#[test]
fn new_keys_are_missed_once_only() {
    let world = deployment();
    let authenticator = &world.authenticator;
    let old = issued(&world.theirs, ISSUER);
    assert!(ask(authenticator, &old).is_ok());
    let next = ring(&[named("ES256", "second")]);
    let new = issued(&next, ISSUER);
    assert_eq!(
        authenticator.issuers().lacking(&new, NOW).map(|issuer| issuer.name().to_owned()),
        Some("https://issuer.example".to_owned())
    );
    assert!(authenticator.issuers().lacking(&old, NOW).is_none());
    assert!(authenticator.issuers().lacking("not.a.token", NOW).is_none());
    let own = authenticator.keys().sign(&claims()).expect("a token");
    assert!(authenticator.issuers().lacking(&own, NOW).is_none());

    // A response that is not a set of keys changes nothing: the known keys keep verifying.
    for broken in ["", "<html>", "{}", r#"{"keys":[]}"#, "null"] {
        assert!(world.issuer.accept(broken).is_err(), "{broken}");
    }
    assert!(world.issuer.has_keys());
    assert!(ask(authenticator, &old).is_ok());

    world.issuer.accept(&next.public_jwks().to_string()).expect("keys");
    assert!(ask(authenticator, &new).is_ok());
    assert!(authenticator.issuers().lacking(&new, NOW).is_none());
    assert_eq!(ask(authenticator, &old).err(), Some(TokenRefusal::NoKey));
}

#[test]
fn issuer_without_fetched_keys_is_lacking() {
    let issuer = Arc::new(Issuer::new(ISSUER, CacheRules::default()));
    let issuers = Issuers::from_iter([issuer]);
    let token = issued(&deployment().theirs, ISSUER);
    assert!(issuers.lacking(&token, NOW).is_some());
}

#[test]
fn keys_that_only_verify_stand_beside_ours() {
    let ours = Arc::new(KeyRing::from_secret(SECRET).expect("a ring"));
    let api = Arc::new(ApiKeys::issue(&ours, NOW, [7; 48]).expect("keys"));
    let theirs = ring(&[named("ES384", "x")]);
    let others = KeyRing::verify_only(&theirs.public_jwks().to_string()).expect("a ring");
    let authenticator = Authenticator::new(ours, api, "anon").with_keys(Some(Arc::new(others)));
    for _ in 0..2 {
        assert!(ask(&authenticator, &theirs.sign(&claims()).expect("a token")).is_ok());
        assert!(
            ask(&authenticator, &authenticator.keys().sign(&claims()).expect("a token")).is_ok()
        );
    }
    let foreign_ring = KeyRing::from_secret(&SECRET.to_uppercase()).expect("a ring");
    let token = foreign_ring.sign(&claims()).expect("a token");
    assert_eq!(ask(&authenticator, &token).err(), Some(TokenRefusal::Signature));
}

#[test]
fn service_rules_choose_role_and_audience() {
    let world = deployment();
    let rules = Rules {
        role_claim: ClaimPath::parse("$.app.roles[0]").expect("a path"),
        audience: Some("here".into()),
        ..Rules::default()
    };
    let ask = |claims: Value| {
        let bearer =
            format!("Bearer {}", world.authenticator.keys().sign(&claims).expect("a token"));
        let credentials = Credentials { apikey: None, authorization: Some(&bearer) };
        world.authenticator.caller_under(credentials, NOW, &rules)
    };
    let found =
        ask(json!({"app": {"roles": ["author"]}, "role": "x", "aud": "here"})).expect("one");
    assert_eq!(found.role(), "author");
    assert_eq!(found.claims_json(), r#"{"app":{"roles":["author"]},"role":"author","aud":"here"}"#);
    assert!(!found.has_default_role());
    let none = ask(json!({"role": "service_role"})).expect("one");
    assert_eq!((none.role(), none.has_default_role()), ("anon", true));
    assert_eq!(none.claims_json(), r#"{"role":"anon"}"#);
    assert_eq!(ask(json!({"aud": ["there"]})).err(), Some(TokenRefusal::Audience));
    assert_eq!(ask(json!({"aud": {}})).err(), Some(TokenRefusal::AudienceShape));
}

#[test]
fn service_has_its_own_anonymous_role() {
    let world = deployment();
    let rules = Rules { anon_role: Some("visitor".into()), ..Rules::default() };
    let ask = |token: Option<&str>| {
        let bearer = token.map(|token| format!("Bearer {token}"));
        let credentials = Credentials { apikey: None, authorization: bearer.as_deref() };
        world.authenticator.caller_under(credentials, NOW, &rules).expect("a caller")
    };
    let anonymous = ask(None);
    assert_eq!((anonymous.role(), anonymous.is_anonymous()), ("visitor", true));
    assert_eq!(anonymous.claims_json(), r#"{"role":"visitor"}"#);
    let nameless = world.authenticator.keys().sign(&json!({"sub": "x"})).expect("a token");
    assert_eq!(
        (ask(Some(&nameless)).role(), ask(Some(&nameless)).has_default_role()),
        ("visitor", true)
    );
    let anon = world.authenticator.api_keys().anon.clone();
    assert_eq!((ask(Some(&anon)).role(), ask(Some(&anon)).is_anonymous()), ("anon", false));
}

#[test]
fn a_service_may_have_keys_of_its_own() {
    let world = deployment();
    let keys = Arc::new(KeyRing::from_secret(SECRET).expect("a ring"));
    let own = format!("Bearer {}", keys.sign(&claims()).expect("a token"));
    let ours = format!("Bearer {}", world.authenticator.keys().sign(&claims()).expect("a token"));
    let rules = Rules { keys: Some(keys), ..Rules::default() };
    let ask = |bearer: &str| {
        let credentials = Credentials { apikey: None, authorization: Some(bearer) };
        world
            .authenticator
            .caller_under(credentials, NOW, &rules)
            .map(|caller| caller.role().to_owned())
    };
    assert_eq!(ask(&own).as_deref(), Ok("authenticated"));
    assert_eq!(ask(&ours), Err(TokenRefusal::NoKey));
}
