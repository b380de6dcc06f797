use std::sync::Arc;

use altcha::{Payload, SolveChallengeOptions, solve_challenge};
use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use compat_http::{Clock, Entropy, Outgoing, OutgoingConfig};
use compat_token::{ApiKeys, Gate, KeyRing};

use super::*;

const SERVER: Uuid = Uuid::from_u128(1);

fn altcha(secret: &str) -> Altcha {
    let config = CaptchaConfig { cost: 3, rounds: 2..=9, ..CaptchaConfig::default() };
    Altcha::new(&secret.into(), &config)
}

fn edge() -> Edge {
    let keys = Arc::new(KeyRing::generate_es256().expect("a key"));
    let api = Arc::new(ApiKeys::issue(&keys, 0, [1; 48]).expect("keys"));
    Edge {
        clock: Clock::manual(DateTime::from_timestamp(1_000_000_000, 0).expect("a time")),
        entropy: Entropy::seeded(1),
        outgoing: Outgoing::new(OutgoingConfig::default()).expect("a client"),
        gate: Arc::new(Gate::new(keys, api, "anon")),
        trusted_proxies: Arc::new([]),
        public_url: "http://localhost".into(),
    }
}

/// The answer to a fresh challenge of one site for one server.
fn solved(of: &Altcha, edge: &Edge, server: Uuid) -> String {
    let challenge = of.issue(edge, Purpose::Vote, server).expect("a challenge");
    let solution = solve_challenge(SolveChallengeOptions::new(&challenge));
    let solution = solution.expect("a valid challenge").expect("in time");
    STANDARD.encode(serde_json::to_vec(&Payload { challenge, solution }).expect("JSON"))
}

#[test]
fn a_solved_challenge_holds_for_its_server_and_site() {
    let (altcha, edge) = (altcha("secret"), edge());
    let judge = |answer: &str| altcha.judge(answer, Purpose::Vote, SERVER, edge.clock.now());
    let proof = judge(&solved(&altcha, &edge, SERVER)).expect("it holds");
    assert_eq!(proof.expires_at, edge.clock.now() + CaptchaConfig::default().lifetime);
    let another = judge(&solved(&altcha, &edge, Uuid::from_u128(2)));
    assert_eq!(another, Err(CaptchaRefusal::ForAnother));
    let foreign = judge(&solved(&self::altcha("other"), &edge, SERVER));
    assert_eq!(foreign, Err(CaptchaRefusal::Forged));
}
