//! Proof of work in the ALTCHA v2 protocol: issues challenges and checks the answers.
//!
//! Promises that an answer is accepted only for the binding of its challenge and before the
//! challenge expires, and that the way in which the work is drawn gives no client an advantage. A
//! [`Proof`] pays for one action: the protocol would accept the same answer again, so the caller
//! has to record its nonce as spent in the transaction of that action.
//!
//! This crate has no clock, no random source and no storage: callers pass in the time and the
//! random numbers, and remember the spent nonces.

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
    /// Bounds of the number of tries. Their middle is the mean number of tries of a challenge.
    pub rounds: RangeInclusive<u32>,
    /// How long after its issue a challenge can be answered.
    pub lifetime: Duration,
}

/// What a challenge is for: names and values. An answer counts only for an equal binding.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Binding(BTreeMap<String, Value>);

impl Binding {
    /// Binds a challenge to one purpose of a service.
    pub fn to(purpose: &str) -> Self {
        Self(BTreeMap::from([("purpose".to_owned(), purpose.into())]))
    }

    /// Narrows the binding to one object of that purpose.
    #[must_use]
    pub fn and(mut self, name: &str, value: impl Into<Value>) -> Self {
        self.0.insert(name.to_owned(), value.into());
        self
    }
}

/// A correct answer whose nonce is not spent yet.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Proof {
    /// The random number that identifies the challenge.
    pub nonce: String,
    /// When the challenge expires; until then the caller has to remember the nonce.
    pub expires_at: DateTime<Utc>,
}

/// Why an answer was refused. Clients need not learn the reason.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum ProofRefusal {
    /// The answer is not base64 of a challenge with its solution.
    #[error("the answer cannot be read")]
    Unreadable,
    /// We did not issue the challenge, or it was changed.
    #[error("the challenge is not ours")]
    Forged,
    /// The challenge has expired.
    #[error("the challenge has expired")]
    Expired,
    /// The challenge was issued for another binding.
    #[error("the challenge was for something else")]
    ForAnother,
    /// The solution does not solve the challenge.
    #[error("the solution is wrong")]
    Unsolved,
    /// The answer was accepted before. Only the caller, which remembers spent nonces, detects this.
    #[error("the answer was spent before")]
    Spent,
}

/// The two keys of a service's challenges. They differ because the key of a solution is signed
/// inside every challenge and must reveal nothing about the key that signs challenges.
pub struct Keys {
    /// Signs challenges.
    pub challenges: SecretString,
    /// Signs the derived key that a solution has to find.
    pub solutions: SecretString,
}

/// Issues challenges and checks answers.
pub struct ProofOfWork {
    keys: Keys,
    effort: Effort,
}

impl ProofOfWork {
    /// Creates an issuer with these keys and this effort.
    pub fn new(keys: Keys, effort: Effort) -> Self {
        Self { keys, effort }
    }

    /// Issues a challenge. The number of tries is drawn from `chance` and kept secret; checking a
    /// solution does not repeat the work.
    ///
    /// # Errors
    /// [`IssueError`] when the library cannot create the challenge.
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

    /// The number of tries: uniform from 1, with the middle of the rounds as its mean. The lower
    /// bound of the rounds is not a minimum here, because a client that knew a minimum would skip
    /// all tries below it.
    fn draw(&self, chance: u32) -> u32 {
        let (first, last) = (*self.effort.rounds.start(), *self.effort.rounds.end());
        let most = first.saturating_sub(1).saturating_add(last).max(1);
        1 + chance % most
    }

    /// Checks an answer in the form in which the ALTCHA widget sends it.
    ///
    /// # Errors
    /// Any [`ProofRefusal`] except [`ProofRefusal::Spent`].
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

    /// Checks the solution alone. The library would check the expiry by the system's clock, so it
    /// receives the same challenge without an expiry, signed again; [`Self::judge`] checks the
    /// expiry.
    fn check_solution(
        &self,
        mut challenge: Challenge,
        solution: &Solution,
    ) -> Result<(), ProofRefusal> {
        challenge.parameters.expires_at = None;
        let challenge = self.signed(&challenge)?;
        let secret = self.keys.challenges.expose_secret();
        let result = verify_solution(VerifySolutionOptions {
            hmac_key_signature_secret: Some(self.keys.solutions.expose_secret().to_owned()),
            ..VerifySolutionOptions::new(&challenge, solution, secret)
        });
        match result {
            Ok(result) if result.verified => Ok(()),
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
