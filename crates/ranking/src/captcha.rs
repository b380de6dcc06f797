//! Proof of work in the ALTCHA v2 protocol: challenges are issued, and answers judged, here.
//!
//! A challenge is bound by its signature to what it is for and to one server, lives for minutes,
//! and is worth one vote: whoever accepts a [`Proof`] has to spend its nonce in the same
//! transaction as what it pays for. The protocol itself would take the same answer for ever.

use std::collections::BTreeMap;

use altcha::{
    Challenge, CreateChallengeOptions, HmacAlgorithm, Payload, Solution, VerifySolutionOptions,
    create_challenge, sign_challenge, verify_solution,
};
use base64::{Engine, engine::general_purpose::STANDARD};
use chrono::{DateTime, Utc};
use compat_http::Edge;
use secrecy::SecretString;
use serde_json::Value;
use subtle::ConstantTimeEq;
use uuid::Uuid;

use crate::{CaptchaConfig, secret::Key};

/// Answers are about 700 bytes; nothing much longer is worth decoding.
const MAX_PAYLOAD: usize = 4096;

/// What a challenge is asked for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Purpose {
    /// Voting for a server.
    Vote,
}

impl Purpose {
    /// Reads the word used in addresses; `None` when it names no purpose.
    pub fn parse(word: &str) -> Option<Self> {
        (word == Self::Vote.as_str()).then_some(Self::Vote)
    }

    fn as_str(self) -> &'static str {
        match self {
            Self::Vote => "vote",
        }
    }
}

/// An answer that holds, not yet spent.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Proof {
    /// The challenge's own random number.
    pub nonce: String,
    /// When the challenge would have ended; until then its nonce has to be remembered.
    pub expires_at: DateTime<Utc>,
}

/// Why an answer does not hold. Clients are not told which, only that it does not.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum CaptchaRefusal {
    /// Not the base64 of a challenge and a solution.
    #[error("the answer cannot be read")]
    Unreadable,
    /// The challenge is not one of ours, or was changed.
    #[error("the challenge is not ours")]
    Forged,
    /// The challenge is over.
    #[error("the challenge has expired")]
    Expired,
    /// The challenge was for something else, or for another server.
    #[error("the challenge was for something else")]
    ForAnother,
    /// The solution does not solve it.
    #[error("the solution is wrong")]
    Unsolved,
    /// The answer was accepted before.
    #[error("the answer was spent before")]
    Spent,
}

/// Issues challenges and judges answers.
pub(crate) struct Altcha {
    config: CaptchaConfig,
    challenges: Key,
    solutions: Key,
}

impl Altcha {
    pub fn new(site_secret: &SecretString, config: CaptchaConfig) -> Self {
        Self {
            config,
            challenges: Key::derive(site_secret, "captcha/challenges"),
            solutions: Key::derive(site_secret, "captcha/solutions"),
        }
    }

    /// A new challenge. How many tries it takes is drawn here and told to nobody, so that the
    /// effort is even: the solver cannot be lucky, and the judge need not repeat the work.
    ///
    /// # Errors
    /// Only for settings that [`CaptchaConfig`] would not pass.
    pub fn issue(&self, edge: &Edge, purpose: Purpose, server: Uuid) -> altcha::Result<Challenge> {
        let expires_at = edge.clock.now() + self.config.lifetime;
        create_challenge(CreateChallengeOptions {
            algorithm: "PBKDF2/SHA-256".to_owned(),
            cost: self.config.cost,
            counter: Some(self.draw(u32::from_be_bytes(edge.entropy.bytes()))),
            data: Some(binding(purpose, server)),
            expires_at: Some(expires_at.timestamp()),
            hmac_signature_secret: Some(self.challenges.expose().to_owned()),
            hmac_key_signature_secret: Some(self.solutions.expose().to_owned()),
            ..CreateChallengeOptions::default()
        })
    }

    fn draw(&self, chance: u32) -> u32 {
        let (first, last) = (*self.config.rounds.start(), *self.config.rounds.end());
        match (last - first).checked_add(1) {
            Some(span) => first + chance % span,
            None => chance,
        }
    }

    /// Judges an answer as the widget sends it.
    ///
    /// # Errors
    /// Any [`CaptchaRefusal`] but `Spent`, which only the database can tell.
    pub fn judge(
        &self,
        answer: &str,
        purpose: Purpose,
        server: Uuid,
        now: DateTime<Utc>,
    ) -> Result<Proof, CaptchaRefusal> {
        let Payload { challenge, solution } = read(answer).ok_or(CaptchaRefusal::Unreadable)?;
        self.check_signature(&challenge)?;
        let parameters = &challenge.parameters;
        let ends = parameters.expires_at.ok_or(CaptchaRefusal::Forged)?;
        let expires_at = DateTime::from_timestamp(ends, 0).ok_or(CaptchaRefusal::Forged)?;
        if now > expires_at {
            return Err(CaptchaRefusal::Expired);
        }
        if parameters.data != Some(binding(purpose, server)) {
            return Err(CaptchaRefusal::ForAnother);
        }
        let nonce = parameters.nonce.clone();
        self.check_solution(challenge, &solution)?;
        Ok(Proof { nonce, expires_at })
    }

    fn check_signature(&self, challenge: &Challenge) -> Result<(), CaptchaRefusal> {
        let given = challenge.signature.as_deref().ok_or(CaptchaRefusal::Forged)?;
        let ours = self.signed(challenge)?.signature.ok_or(CaptchaRefusal::Forged)?;
        let is_ours: bool = given.as_bytes().ct_eq(ours.as_bytes()).into();
        if is_ours { Ok(()) } else { Err(CaptchaRefusal::Forged) }
    }

    /// The library reads the system's clock. The end was judged by ours, so it is asked about the
    /// same challenge without one.
    fn check_solution(
        &self,
        mut challenge: Challenge,
        solution: &Solution,
    ) -> Result<(), CaptchaRefusal> {
        challenge.parameters.expires_at = None;
        let challenge = self.signed(&challenge)?;
        let verdict = verify_solution(VerifySolutionOptions {
            hmac_key_signature_secret: Some(self.solutions.expose().to_owned()),
            ..VerifySolutionOptions::new(&challenge, solution, self.challenges.expose())
        });
        match verdict {
            Ok(verdict) if verdict.verified => Ok(()),
            _ => Err(CaptchaRefusal::Unsolved),
        }
    }

    fn signed(&self, challenge: &Challenge) -> Result<Challenge, CaptchaRefusal> {
        let mut parameters = challenge.parameters.clone();
        let secret = self.challenges.expose();
        sign_challenge(&HmacAlgorithm::Sha256, &mut parameters, None, secret, None)
            .map_err(|_| CaptchaRefusal::Forged)
    }
}

fn read(answer: &str) -> Option<Payload> {
    if answer.len() > MAX_PAYLOAD {
        return None;
    }
    serde_json::from_slice(&STANDARD.decode(answer.trim()).ok()?).ok()
}

fn binding(purpose: Purpose, server: Uuid) -> BTreeMap<String, Value> {
    let server = Value::from(server.to_string());
    BTreeMap::from([("purpose".to_owned(), purpose.as_str().into()), ("server".to_owned(), server)])
}

#[cfg(test)]
#[path = "captcha_tests.rs"]
mod tests;
