use std::sync::Arc;

use altcha::{Payload, SolveChallengeOptions, solve_challenge};
use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use compat_http::{Clock, Entropy, Outgoing, OutgoingConfig};
use compat_token::{ApiKeys, Authenticator, KeyRing};

use super::*;

const SERVER: Uuid = Uuid::from_u128(1);

fn altcha(secret: &str) -> Altcha {
    let config = CaptchaConfig { cost: 3, rounds: 2..=9, ..CaptchaConfig::default() };
    Altcha::new(&secret.into(), &config)
}

fn environment() -> ServiceEnvironment {
    let keys = Arc::new(KeyRing::generate_es256().expect("a key"));
    let api = Arc::new(ApiKeys::issue(&keys, 0, [1; 48]).expect("keys"));
    ServiceEnvironment {
        clock: Clock::manual(DateTime::from_timestamp(1_000_000_000, 0).expect("a time")),
        entropy: Entropy::seeded(1),
        outgoing: Outgoing::new(OutgoingConfig::default()).expect("a client"),
        authenticator: Arc::new(Authenticator::new(keys, api, "anon")),
        trusted_proxies: Arc::new([]),
        public_url: "http://localhost".into(),
    }
}

/// Issues a challenge for the server and solves it.
fn solved(of: &Altcha, environment: &ServiceEnvironment, server: Uuid) -> String {
    let challenge = of.issue(environment, Purpose::Vote, server).expect("a challenge");
    let solution = solve_challenge(SolveChallengeOptions::new(&challenge));
    let solution = solution.expect("a valid challenge").expect("in time");
    STANDARD.encode(serde_json::to_vec(&Payload { challenge, solution }).expect("JSON"))
}

#[test]
fn solved_challenge_is_bound_to_server_and_site() {
    let (altcha, environment) = (altcha("secret"), environment());
    let judge = |answer: &str| altcha.judge(answer, Purpose::Vote, SERVER, environment.clock.now());
    let proof = judge(&solved(&altcha, &environment, SERVER)).expect("it holds");
    assert_eq!(proof.expires_at, environment.clock.now() + CaptchaConfig::default().lifetime);
    let another = judge(&solved(&altcha, &environment, Uuid::from_u128(2)));
    assert_eq!(another, Err(CaptchaRefusal::ForAnother));
    let foreign = judge(&solved(&self::altcha("other"), &environment, SERVER));
    assert_eq!(foreign, Err(CaptchaRefusal::Forged));
}
