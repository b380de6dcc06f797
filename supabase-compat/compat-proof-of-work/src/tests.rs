use altcha::{SolveChallengeOptions, solve_challenge};
use compat_testkit::property_test;
use proptest::prelude::*;

use super::*;

fn issuer(secret: &str) -> ProofOfWork {
    let keys =
        Keys { challenges: format!("{secret} 1").into(), solutions: format!("{secret} 2").into() };
    let lifetime = Duration::from_secs(600);
    ProofOfWork::new(keys, Effort { cost: 3, rounds: 2..=9, lifetime })
}

/// A time far from the system's, so that a check by the system's clock would fail.
fn now() -> DateTime<Utc> {
    DateTime::from_timestamp(1_000_000_000, 0).expect("a time")
}

fn binding() -> Binding {
    Binding::to("tests").and("thing", "1")
}

fn challenge(of: &ProofOfWork) -> Challenge {
    of.issue(&binding(), 5, now()).expect("a challenge")
}

fn solved(challenge: &Challenge) -> Payload {
    let solution = solve_challenge(SolveChallengeOptions::new(challenge));
    let solution = solution.expect("a valid challenge").expect("in time");
    Payload { challenge: challenge.clone(), solution }
}

fn packed(payload: &Payload) -> String {
    STANDARD.encode(serde_json::to_vec(payload).expect("JSON"))
}

/// Judges a solved challenge that `change` has altered before it is sent.
fn judged_with(change: impl FnOnce(&mut Payload)) -> Result<Proof, ProofRefusal> {
    let issuer = issuer("secret");
    let mut payload = solved(&challenge(&issuer));
    change(&mut payload);
    issuer.judge(&packed(&payload), &binding(), now())
}

#[test]
fn solved_challenge_is_accepted_with_its_nonce() {
    let issuer = issuer("secret");
    let challenge = challenge(&issuer);
    let proof = issuer.judge(&packed(&solved(&challenge)), &binding(), now());
    let expires_at = now() + Duration::from_secs(600);
    assert_eq!(proof, Ok(Proof { nonce: challenge.parameters.nonce, expires_at }));
}

/// A known lower bound would let a client skip all tries below it.
#[test]
fn effort_is_drawn_evenly_from_the_rounds() {
    let issuer = issuer("secret");
    let mut drawn: Vec<u32> = (0..10).map(|chance| issuer.draw(chance)).collect();
    drawn.sort_unstable();
    assert_eq!(drawn, (1..=10).collect::<Vec<_>>());
    for (rounds, most) in [(1..=1, 1), (100..=200, 299), (1..=u32::MAX, u32::MAX)] {
        let effort = Effort { rounds, ..issuer.effort.clone() };
        let issuer =
            ProofOfWork::new(Keys { challenges: "a".into(), solutions: "b".into() }, effort);
        assert_eq!((issuer.draw(0), issuer.draw(most - 1)), (1, most));
    }
    let solved = solved(&challenge(&issuer));
    assert_eq!(solved.solution.counter, 6);
}

#[test]
fn modified_challenge_is_refused_as_forged() {
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
        assert_eq!(judged_with(change), Err(ProofRefusal::Forged), "change {index}");
    }
}

#[test]
fn a_solution_that_was_not_found_is_refused() {
    let wrong = |payload: &mut Payload| payload.solution.derived_key = "00".repeat(32);
    assert_eq!(judged_with(wrong), Err(ProofRefusal::Unsolved));
    let garbage = |payload: &mut Payload| payload.solution.derived_key = "not hex".to_owned();
    assert_eq!(judged_with(garbage), Err(ProofRefusal::Unsolved));
}

#[test]
fn a_challenge_ends_by_the_time_given() {
    let issuer = issuer("secret");
    let answer = packed(&solved(&challenge(&issuer)));
    let after = |seconds| issuer.judge(&answer, &binding(), now() + Duration::from_secs(seconds));
    assert!(after(600).is_ok());
    assert_eq!(after(601), Err(ProofRefusal::Expired));
}

#[test]
fn a_challenge_for_anything_else_is_refused() {
    let issuer = issuer("secret");
    let answer = packed(&solved(&challenge(&issuer)));
    for other in [
        Binding::to("tests"),
        Binding::to("tests").and("thing", "2"),
        Binding::to("tests").and("thing", 1),
        Binding::to("others").and("thing", "1"),
        binding().and("more", "1"),
    ] {
        assert_eq!(
            issuer.judge(&answer, &other, now()),
            Err(ProofRefusal::ForAnother),
            "{other:?}"
        );
    }
}

#[test]
fn a_challenge_under_other_keys_is_refused() {
    let answer = packed(&solved(&challenge(&issuer("other"))));
    assert_eq!(issuer("secret").judge(&answer, &binding(), now()), Err(ProofRefusal::Forged));
}

#[test]
fn the_challenge_is_what_the_widget_reads() {
    let json = serde_json::to_value(challenge(&issuer("secret"))).expect("JSON");
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
fn malformed_answers_are_unreadable() {
    let long = "A".repeat(MAX_ANSWER + 1);
    for answer in ["", "!!!", "e30=", "bnVsbA==", long.as_str()] {
        let outcome = issuer("secret").judge(answer, &binding(), now());
        assert_eq!(outcome, Err(ProofRefusal::Unreadable));
    }
}

/// Random text is no proof, and an answer with one changed byte gives no other proof.
#[test]
fn random_answers_prove_nothing() {
    let issuer = issuer("secret");
    let challenge = challenge(&issuer);
    let right = serde_json::to_vec(&solved(&challenge)).expect("JSON");
    let answers = (any::<String>(), any::<prop::sample::Index>(), any::<u8>());
    property_test("answers", answers, |(text, at, byte): (String, prop::sample::Index, u8)| {
        for answer in [text.clone(), STANDARD.encode(&text)] {
            assert!(issuer.judge(&answer, &binding(), now()).is_err());
        }
        let mut changed = right.clone();
        let at = at.index(changed.len());
        changed[at] = byte;
        if let Ok(proof) = issuer.judge(&STANDARD.encode(&changed), &binding(), now()) {
            assert_eq!(proof.nonce, challenge.parameters.nonce);
        }
    });
}
