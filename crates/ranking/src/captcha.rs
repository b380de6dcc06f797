//! What a challenge of the site is for, and who judges the answers: the proof of work here, or a
//! provider outside. How either judges is its own business.

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

/// What a challenge is asked for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Purpose {
    /// Voting for a server.
    Vote,
    /// Reporting something of a server without an account.
    Notice,
}

impl Purpose {
    /// Reads the word used in addresses; `None` when it names no purpose.
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

/// Who judges that effort.
pub(crate) enum Captcha {
    Altcha(Altcha),
    ThirdParty(ThirdParty),
}

/// An answer, and what it is given for.
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

    /// Judges an answer; whoever accepts it has to spend its nonce.
    ///
    /// # Errors
    /// The answer does not hold, or the judge outside gives no verdict.
    pub async fn judge(
        &self,
        environment: &ServiceEnvironment,
        attempt: CaptchaAttempt<'_>,
    ) -> Result<Proof, Refusal> {
        let CaptchaAttempt { answer, purpose, server, .. } = attempt;
        match self {
            Self::Altcha(own) => Ok(own.judge(answer, purpose, server, environment.clock.now())?),
            Self::ThirdParty(provider) => provider.judge(environment, attempt).await,
        }
    }
}

/// Issues challenges and judges answers.
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
    /// Only for settings that [`CaptchaConfig`] would not pass.
    pub fn issue(
        &self,
        environment: &ServiceEnvironment,
        purpose: Purpose,
        server: Uuid,
    ) -> Result<Challenge, IssueError> {
        let chance = u32::from_be_bytes(environment.entropy.bytes());
        self.0.issue(&binding(purpose, server), chance, environment.clock.now())
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
        self.0.judge(answer, &binding(purpose, server), now)
    }
}

fn binding(purpose: Purpose, server: Uuid) -> Binding {
    Binding::to(purpose.as_str()).and("server", server.to_string())
}

#[cfg(test)]
#[path = "captcha_tests.rs"]
mod tests;
