//! Challenges are solved by the protocol's own library, never by knowledge of ours.

use std::{sync::Arc, time::Duration};

use altcha::{SolveChallengeOptions, solve_challenge};
use compat_http::{Clock, Entropy, Outgoing, OutgoingConfig};
use compat_token::{ApiKeys, Gate, KeyRing};
use proptest::prelude::*;

use super::*;

const SERVER: Uuid = Uuid::from_u128(1);

fn altcha(secret: &str) -> Altcha {
    let config = CaptchaConfig { cost: 3, rounds: 2..=9, ..CaptchaConfig::default() };
    Altcha::new(&secret.into(), config)
}

fn edge() -> Edge {
    let keys = Arc::new(KeyRing::generate_es256().expect("a key"));
    let api = Arc::new(ApiKeys::issue(&keys, 0, [1; 48]).expect("keys"));
    Edge {
        // Far from the real time, so that only this clock can be the judge.
        clock: Clock::manual(DateTime::from_timestamp(1_000_000_000, 0).expect("a time")),
        entropy: Entropy::seeded(1),
        outgoing: Outgoing::new(OutgoingConfig::default()).expect("a client"),
        gate: Arc::new(Gate::new(keys, api, "anon")),
        trusted_proxies: Arc::new([]),
        public_url: "http://localhost".into(),
    }
}

fn solved(challenge: &Challenge) -> Payload {
    let solution = solve_challenge(SolveChallengeOptions::new(challenge));
    let solution = solution.expect("a valid challenge").expect("in time");
    Payload { challenge: challenge.clone(), solution }
}

fn packed(payload: &Payload) -> String {
    STANDARD.encode(serde_json::to_vec(payload).expect("JSON"))
}

/// A solved challenge with one thing changed before it is sent.
fn judged_with(change: impl FnOnce(&mut Payload)) -> Result<Proof, CaptchaRefusal> {
    let (altcha, edge) = (altcha("secret"), edge());
    let challenge = altcha.issue(&edge, Purpose::Vote, SERVER).expect("a challenge");
    let mut payload = solved(&challenge);
    change(&mut payload);
    altcha.judge(&packed(&payload), Purpose::Vote, SERVER, edge.clock.now())
}

#[test]
fn a_solved_challenge_is_a_proof_under_its_own_nonce() {
    let (altcha, edge) = (altcha("secret"), edge());
    let challenge = altcha.issue(&edge, Purpose::Vote, SERVER).expect("a challenge");
    let proof = altcha.judge(&packed(&solved(&challenge)), Purpose::Vote, SERVER, edge.clock.now());
    let expires_at = edge.clock.now() + Duration::from_secs(600);
    assert_eq!(proof, Ok(Proof { nonce: challenge.parameters.nonce, expires_at }));
}

#[test]
fn the_effort_stays_between_its_bounds() {
    let (altcha, edge) = (altcha("secret"), edge());
    for _ in 0..50 {
        let challenge = altcha.issue(&edge, Purpose::Vote, SERVER).expect("a challenge");
        assert!((2..=9).contains(&solved(&challenge).solution.counter));
    }
}

#[test]
fn anything_changed_in_a_challenge_makes_it_someone_elses() {
    let changes: [fn(&mut Payload); 8] = [
        |payload| payload.challenge.parameters.cost = 1,
        |payload| payload.challenge.parameters.key_prefix = String::new(),
        |payload| payload.challenge.parameters.key_signature = None,
        |payload| payload.challenge.parameters.expires_at = Some(2_000_000_000),
        |payload| payload.challenge.parameters.expires_at = None,
        |payload| payload.challenge.parameters.nonce = "00".repeat(16),
        |payload| payload.challenge.parameters.data = None,
        |payload| payload.challenge.signature = None,
    ];
    for (index, change) in changes.into_iter().enumerate() {
        assert_eq!(judged_with(change), Err(CaptchaRefusal::Forged), "change {index}");
    }
}

#[test]
fn a_solution_that_was_not_found_is_refused() {
    let wrong = |payload: &mut Payload| payload.solution.derived_key = "00".repeat(32);
    assert_eq!(judged_with(wrong), Err(CaptchaRefusal::Unsolved));
    let garbage = |payload: &mut Payload| payload.solution.derived_key = "not hex".to_owned();
    assert_eq!(judged_with(garbage), Err(CaptchaRefusal::Unsolved));
}

#[test]
fn a_challenge_ends_by_the_sites_clock() {
    let (altcha, edge) = (altcha("secret"), edge());
    let challenge = altcha.issue(&edge, Purpose::Vote, SERVER).expect("a challenge");
    let answer = packed(&solved(&challenge));
    let judge = || altcha.judge(&answer, Purpose::Vote, SERVER, edge.clock.now());
    edge.clock.advance(Duration::from_secs(600));
    assert!(judge().is_ok());
    edge.clock.advance(Duration::from_secs(1));
    assert_eq!(judge(), Err(CaptchaRefusal::Expired));
}

#[test]
fn a_challenge_for_another_server_is_refused() {
    let (altcha, edge) = (altcha("secret"), edge());
    let challenge = altcha.issue(&edge, Purpose::Vote, Uuid::from_u128(2)).expect("a challenge");
    let answer = packed(&solved(&challenge));
    let verdict = altcha.judge(&answer, Purpose::Vote, SERVER, edge.clock.now());
    assert_eq!(verdict, Err(CaptchaRefusal::ForAnother));
}

#[test]
fn a_challenge_of_another_site_is_refused() {
    let edge = edge();
    let challenge = altcha("other").issue(&edge, Purpose::Vote, SERVER).expect("a challenge");
    let answer = packed(&solved(&challenge));
    let verdict = altcha("secret").judge(&answer, Purpose::Vote, SERVER, edge.clock.now());
    assert_eq!(verdict, Err(CaptchaRefusal::Forged));
}

#[test]
fn the_challenge_is_what_the_widget_reads() {
    let challenge = altcha("secret").issue(&edge(), Purpose::Vote, SERVER).expect("a challenge");
    let json = serde_json::to_value(&challenge).expect("JSON");
    let mut names: Vec<_> =
        json["parameters"].as_object().expect("an object").keys().cloned().collect();
    names.sort();
    let expected = [
        "algorithm",
        "cost",
        "data",
        "expiresAt",
        "keyLength",
        "keyPrefix",
        "keySignature",
        "nonce",
        "salt",
    ];
    assert_eq!(names, expected);
    assert_eq!(json["parameters"]["algorithm"], "PBKDF2/SHA-256");
    assert_eq!(json["parameters"]["expiresAt"], 1_000_000_600);
    assert_eq!(json["signature"].as_str().map(str::len), Some(64));
}

#[test]
fn what_is_no_answer_is_unreadable() {
    let altcha = altcha("secret");
    let now = edge().clock.now();
    let long = "A".repeat(MAX_PAYLOAD + 1);
    for answer in ["", "!!!", "e30=", "bnVsbA==", long.as_str()] {
        let verdict = altcha.judge(answer, Purpose::Vote, SERVER, now);
        assert_eq!(verdict, Err(CaptchaRefusal::Unreadable));
    }
}

proptest! {
    #[test]
    fn no_text_makes_the_judge_panic(text in any::<String>()) {
        let now = DateTime::from_timestamp(1_000_000_000, 0).expect("a time");
        let packed = STANDARD.encode(&text);
        prop_assert!(altcha("secret").judge(&text, Purpose::Vote, SERVER, now).is_err());
        prop_assert!(altcha("secret").judge(&packed, Purpose::Vote, SERVER, now).is_err());
    }
}
