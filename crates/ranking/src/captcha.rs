//! Captchas: what a challenge protects, and which judge checks the answer: the proof of work of
//! this site, or an outside provider. How a judge works is its own matter.

mod third_party;

use std::net::IpAddr;

use chrono::{DateTime, Utc};
use compat_http::{ServiceEnvironment, Siteverify};
use compat_proof_of_work::{
    Binding, Challenge, Effort, IssueError, Keys, Proof, ProofOfWork,
    ProofRefusal as CaptchaRefusal,
};
use secrecy::SecretString;
use uuid::Uuid;

use crate::secret::Key;
use crate::{CaptchaConfig, CaptchaProvider, Refusal};
use third_party::ThirdParty;

/// The action that a challenge protects.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Purpose {
    /// A vote for a server.
    Vote,
    /// A report on a server by somebody without an account.
    Notice,
}

impl Purpose {
    /// Parses the word used in URLs; `None` when it names no purpose.
    pub fn parse(word: &str) -> Option<Self> {
        [Self::Vote, Self::Notice].into_iter().find(|purpose| word == purpose.as_str())
    }

    fn as_str(self) -> &'static str {
        match self {
            Self::Vote => "vote",
            Self::Notice => "notice",
        }
    }
}

/// The judge of the answers.
pub(crate) enum Captcha {
    Altcha(Altcha),
    ThirdParty(ThirdParty),
}

/// An answer to a challenge, with the action, the server and the client it is for.
#[derive(Debug, Clone, Copy)]
pub(crate) struct CaptchaAttempt<'a> {
    pub answer: &'a str,
    pub purpose: Purpose,
    pub server: Uuid,
    pub from: IpAddr,
}

impl Captcha {
    pub fn new(site_secret: &SecretString, config: &CaptchaConfig) -> Self {
        match config.provider {
            CaptchaProvider::Altcha => Self::Altcha(Altcha::new(site_secret, config)),
            CaptchaProvider::Hcaptcha => {
                Self::ThirdParty(ThirdParty::new(Siteverify::HCAPTCHA, config))
            }
            CaptchaProvider::Turnstile => {
                Self::ThirdParty(ThirdParty::new(Siteverify::TURNSTILE, config))
            }
        }
    }

    /// Checks an answer. A caller that accepts the proof must record its nonce as spent.
    ///
    /// # Errors
    /// The answer is wrong, or the outside provider gives no verdict.
    pub async fn judge(
        &self,
        environment: &ServiceEnvironment,
        attempt: CaptchaAttempt<'_>,
    ) -> Result<Proof, Refusal> {
        let CaptchaAttempt { answer, purpose, server, .. } = attempt;
        match self {
            Self::Altcha(proof_of_work) => {
                Ok(proof_of_work.judge(answer, purpose, server, environment.clock.now())?)
            }
            Self::ThirdParty(provider) => provider.judge(environment, attempt).await,
        }
    }
}

/// The proof of work of this site: issues challenges and checks the answers.
pub(crate) struct Altcha(ProofOfWork);

impl Altcha {
    pub fn new(site_secret: &SecretString, config: &CaptchaConfig) -> Self {
        let key = |purpose| Key::derive(site_secret, purpose).expose().into();
        let keys =
            Keys { challenges: key("captcha/challenges"), solutions: key("captcha/solutions") };
        let (cost, lifetime) = (config.cost, config.lifetime);
        Self(ProofOfWork::new(keys, Effort { cost, rounds: config.rounds.clone(), lifetime }))
    }

    /// A new challenge for one server.
    ///
    /// # Errors
    /// Only with settings that [`CaptchaConfig::problems`] reports.
    pub fn issue(
        &self,
        environment: &ServiceEnvironment,
        purpose: Purpose,
        server: Uuid,
    ) -> Result<Challenge, IssueError> {
        let chance = u32::from_be_bytes(environment.entropy.bytes());
        self.0.issue(&binding(purpose, server), chance, environment.clock.now())
    }

    /// Checks an answer in the form that the widget sends.
    ///
    /// # Errors
    /// Any [`CaptchaRefusal`] except `Spent`, which only the database can detect.
    pub fn judge(
        &self,
        answer: &str,
        purpose: Purpose,
        server: Uuid,
        now: DateTime<Utc>,
    ) -> Result<Proof, CaptchaRefusal> {
        self.0.judge(answer, &binding(purpose, server), now)
    }
}

fn binding(purpose: Purpose, server: Uuid) -> Binding {
    Binding::to(purpose.as_str()).and("server", server.to_string())
}

#[cfg(test)]
#[path = "captcha_tests.rs"]
mod tests;
