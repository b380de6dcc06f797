//! Proof of work by the ALTCHA protocol: no third party, no account. A challenge lives for minutes and its answer is
//! taken once.

use std::collections::BTreeMap;

use ::altcha::{
    Challenge, CreateChallengeOptions, Payload, VerifySolutionOptions, create_challenge,
    verify_solution,
};
use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use chrono::{DateTime, TimeDelta};
use secrecy::{ExposeSecret as _, SecretString};

use crate::config::CaptchaProvider;
use crate::error::{AuthError, CaptchaRefusal};
use crate::state::State;
use crate::store;

/// Answers are about 700 bytes; nothing much longer is worth decoding.
const MAX_ANSWER: usize = 4096;

/// How long a challenge may be answered.
const LIFETIME: TimeDelta = TimeDelta::minutes(10);

/// Rounds of key derivation per try, and the tries a solver needs: about a second on a telephone.
const COST: u32 = 5000;
const FEWEST_TRIES: u32 = 100;
const SPREAD: u32 = 100;

/// What our challenges say they are for, so that those of another service of the same secret do not count.
fn purpose() -> BTreeMap<String, serde_json::Value> {
    BTreeMap::from([("purpose".to_owned(), "auth".into())])
}

/// The secret under which the answer's key is signed, apart from the challenge's own.
fn key_secret(secret: &SecretString) -> String {
    format!("{} key", secret.expose_secret())
}

/// A new challenge.
///
/// # Errors
/// [`CaptchaRefusal::NotIssued`] when somebody else poses the riddles.
pub fn issue(state: &State) -> Result<Challenge, AuthError> {
    let config = state.config.captcha.as_ref();
    let config = config.filter(|config| config.provider == CaptchaProvider::Altcha);
    let secret = &config.ok_or(CaptchaRefusal::NotIssued)?.secret;
    let chance = u32::from_be_bytes(state.edge.entropy.bytes());
    create_challenge(CreateChallengeOptions {
        algorithm: "PBKDF2/SHA-256".to_owned(),
        cost: COST,
        counter: Some(FEWEST_TRIES + chance % SPREAD),
        data: Some(purpose()),
        expires_at: Some((state.now() + LIFETIME).timestamp()),
        hmac_signature_secret: Some(secret.expose_secret().to_owned()),
        hmac_key_signature_secret: Some(key_secret(secret)),
        ..CreateChallengeOptions::default()
    })
    .map_err(AuthError::internal)
}

/// Judges an answer and spends it.
///
/// # Errors
/// [`CaptchaRefusal::Refused`].
pub async fn check(state: &State, secret: &SecretString, answer: &str) -> Result<(), AuthError> {
    let refused = |reason: &str| AuthError::Captcha(CaptchaRefusal::Refused(reason.to_owned()));
    let payload = read(answer).ok_or_else(|| refused("invalid-input-response"))?;
    let parameters = &payload.challenge.parameters;
    let ends = parameters.expires_at.and_then(|at| DateTime::from_timestamp(at, 0));
    if parameters.data != Some(purpose()) || ends.is_none_or(|ends| state.now() > ends) {
        return Err(refused("timeout-or-duplicate"));
    }
    let verdict = verify_solution(VerifySolutionOptions {
        hmac_key_signature_secret: Some(key_secret(secret)),
        ..VerifySolutionOptions::new(&payload.challenge, &payload.solution, secret.expose_secret())
    });
    if !verdict.is_ok_and(|verdict| verdict.verified) {
        return Err(refused("invalid-input-response"));
    }
    let mut tx = state.begin().await?;
    let nonce = &parameters.nonce;
    let fresh = store::allowance::use_up(&mut tx, "captcha", nonce, state.now()).await?;
    tx.commit().await?;
    if fresh { Ok(()) } else { Err(refused("timeout-or-duplicate")) }
}

fn read(answer: &str) -> Option<Payload> {
    if answer.len() > MAX_ANSWER {
        return None;
    }
    serde_json::from_slice(&STANDARD.decode(answer).ok()?).ok()
}
