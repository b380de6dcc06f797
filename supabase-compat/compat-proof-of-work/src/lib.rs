//! Proof of work in the ALTCHA v2 protocol: challenges are issued, and answers judged, here.
//!
//! Promises that an answer holds for what its challenge was bound to, within its minutes, and that
//! nobody gains by knowing how the work is drawn. A [`Proof`] is worth one deed: whoever accepts it
//! has to spend its nonce in the same transaction as what it pays for; the protocol itself would
//! take the same answer for ever.
//!
//! It knows neither clock nor chance nor any store: time and random numbers are given to it, and
//! who remembers spent nonces is the caller.

use std::collections::BTreeMap;
use std::ops::RangeInclusive;
use std::time::Duration;

use altcha::{
    CreateChallengeOptions, HmacAlgorithm, Payload, Solution, VerifySolutionOptions,
    create_challenge, sign_challenge, verify_solution,
};
use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use chrono::{DateTime, Utc};
use secrecy::{ExposeSecret as _, SecretString};
use serde_json::Value;
use subtle::ConstantTimeEq as _;

pub use altcha::{Challenge, Error as IssueError};

/// Answers are about 700 bytes; nothing much longer is worth decoding.
const MAX_ANSWER: usize = 4096;

/// How much work a challenge asks for, and for how long.
#[derive(Debug, Clone)]
pub struct Effort {
    /// Iterations of PBKDF2-SHA-256 in one try.
    pub cost: u32,
    /// How many tries a challenge takes in the mean: the middle of the two.
    pub rounds: RangeInclusive<u32>,
    /// How long a challenge may be answered.
    pub lifetime: Duration,
}

/// What a challenge is for: names and values that only the same words fit.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Binding(BTreeMap<String, Value>);

impl Binding {
    /// For one purpose of one service.
    pub fn to(purpose: &str) -> Self {
        Self(BTreeMap::from([("purpose".to_owned(), purpose.into())]))
    }

    /// And for one thing among those the purpose has.
    #[must_use]
    pub fn and(mut self, name: &str, value: impl Into<Value>) -> Self {
        self.0.insert(name.to_owned(), value.into());
        self
    }
}

/// An answer that holds, not yet spent.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Proof {
    /// The challenge's own random number.
    pub nonce: String,
    /// When the challenge would have ended; until then its nonce has to be remembered.
    pub expires_at: DateTime<Utc>,
}

/// Why an answer does not hold. Clients need not be told which.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum ProofRefusal {
    /// Not the base64 of a challenge and a solution.
    #[error("the answer cannot be read")]
    Unreadable,
    /// The challenge is not one of ours, or was changed.
    #[error("the challenge is not ours")]
    Forged,
    /// The challenge is over.
    #[error("the challenge has expired")]
    Expired,
    /// The challenge was for something else.
    #[error("the challenge was for something else")]
    ForAnother,
    /// The solution does not solve it.
    #[error("the solution is wrong")]
    Unsolved,
    /// The answer was accepted before: what only the keeper of spent nonces can say.
    #[error("the answer was spent before")]
    Spent,
}

/// The two keys of a service's challenges. They differ, so that the key of a solution, which
/// travels signed in every challenge, tells nothing of the other.
pub struct Keys {
    /// Signs challenges.
    pub challenges: SecretString,
    /// Signs the solution's key.
    pub solutions: SecretString,
}

/// Issues challenges and judges answers.
pub struct ProofOfWork {
    keys: Keys,
    effort: Effort,
}

impl ProofOfWork {
    /// Challenges under these keys.
    pub fn new(keys: Keys, effort: Effort) -> Self {
        Self { keys, effort }
    }

    /// A new challenge. How many tries it takes is drawn from `chance` and told to nobody, so that
    /// the judge need not repeat the work.
    ///
    /// # Errors
    /// Only for an effort of nothing.
    pub fn issue(
        &self,
        binding: &Binding,
        chance: u32,
        now: DateTime<Utc>,
    ) -> Result<Challenge, IssueError> {
        let expires_at = now + self.effort.lifetime;
        create_challenge(CreateChallengeOptions {
            algorithm: "PBKDF2/SHA-256".to_owned(),
            cost: self.effort.cost,
            counter: Some(self.draw(chance)),
            data: Some(binding.0.clone()),
            expires_at: Some(expires_at.timestamp()),
            hmac_signature_secret: Some(self.keys.challenges.expose_secret().to_owned()),
            hmac_key_signature_secret: Some(self.keys.solutions.expose_secret().to_owned()),
            ..CreateChallengeOptions::default()
        })
    }

    /// Evenly from one, about the middle of the rounds. A lower bound would be no bound: who knows
    /// that no challenge takes fewer tries begins with it, and has that much less to do.
    fn draw(&self, chance: u32) -> u32 {
        let (first, last) = (*self.effort.rounds.start(), *self.effort.rounds.end());
        let most = first.saturating_sub(1).saturating_add(last).max(1);
        1 + chance % most
    }

    /// Judges an answer as the widget sends it.
    ///
    /// # Errors
    /// Any [`ProofRefusal`] but `Spent`.
    pub fn judge(
        &self,
        answer: &str,
        binding: &Binding,
        now: DateTime<Utc>,
    ) -> Result<Proof, ProofRefusal> {
        let Payload { challenge, solution } = read(answer).ok_or(ProofRefusal::Unreadable)?;
        self.check_signature(&challenge)?;
        let parameters = &challenge.parameters;
        let ends = parameters.expires_at.ok_or(ProofRefusal::Forged)?;
        let expires_at = DateTime::from_timestamp(ends, 0).ok_or(ProofRefusal::Forged)?;
        if now > expires_at {
            return Err(ProofRefusal::Expired);
        }
        if parameters.data.as_ref() != Some(&binding.0) {
            return Err(ProofRefusal::ForAnother);
        }
        let nonce = parameters.nonce.clone();
        self.check_solution(challenge, &solution)?;
        Ok(Proof { nonce, expires_at })
    }

    fn check_signature(&self, challenge: &Challenge) -> Result<(), ProofRefusal> {
        let signature = challenge.signature.as_deref().ok_or(ProofRefusal::Forged)?;
        let ours = self.signed(challenge)?.signature.ok_or(ProofRefusal::Forged)?;
        let is_ours: bool = signature.as_bytes().ct_eq(ours.as_bytes()).into();
        if is_ours { Ok(()) } else { Err(ProofRefusal::Forged) }
    }

    /// The library reads the system's clock. The end was judged by ours, so it is asked about the
    /// same challenge without one.
    fn check_solution(
        &self,
        mut challenge: Challenge,
        solution: &Solution,
    ) -> Result<(), ProofRefusal> {
        challenge.parameters.expires_at = None;
        let challenge = self.signed(&challenge)?;
        let secret = self.keys.challenges.expose_secret();
        let verdict = verify_solution(VerifySolutionOptions {
            hmac_key_signature_secret: Some(self.keys.solutions.expose_secret().to_owned()),
            ..VerifySolutionOptions::new(&challenge, solution, secret)
        });
        match verdict {
            Ok(verdict) if verdict.verified => Ok(()),
            _ => Err(ProofRefusal::Unsolved),
        }
    }

    fn signed(&self, challenge: &Challenge) -> Result<Challenge, ProofRefusal> {
        let mut parameters = challenge.parameters.clone();
        let secret = self.keys.challenges.expose_secret();
        sign_challenge(&HmacAlgorithm::Sha256, &mut parameters, None, secret, None)
            .map_err(|_| ProofRefusal::Forged)
    }
}

fn read(answer: &str) -> Option<Payload> {
    if answer.len() > MAX_ANSWER {
        return None;
    }
    serde_json::from_slice(&STANDARD.decode(answer.trim()).ok()?).ok()
}

#[cfg(test)]
mod tests;
