//! Answers that a provider outside judges, which takes each of them once.
//!
//! What it passed is remembered for as long as the provider would, so that a ballot sent again (a
//! nickname that was mistyped, an answer that was lost) is not a second question. What an answer
//! pays for is spent in the database all the same, once for all processes.

use std::num::NonZeroUsize;
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use chrono::{DateTime, TimeDelta, Utc};
use compat_http::{ServiceEnvironment, Siteverify, SiteverifyVerdict};
use compat_proof_of_work::Proof;
use lru::LruCache;
use secrecy::{ExposeSecret as _, SecretString};
use sha2::{Digest as _, Sha256};

use super::CaptchaAttempt;
use crate::{CaptchaConfig, Refusal};

/// Turnstile keeps an answer for five minutes, hCaptcha for two.
const LIFETIME: TimeDelta = TimeDelta::minutes(5);
/// Passed answers remembered; the oldest is forgotten first.
const CAPACITY: NonZeroUsize = NonZeroUsize::new(16_384).expect("not zero");
/// Providers give about two thousand characters.
const LONGEST: usize = 4_096;

/// Asks a provider.
pub(crate) struct ThirdParty {
    address: String,
    secret: SecretString,
    timeout: Duration,
    /// What was passed, by the hash of the answer and what it was given for, and until when.
    passed: Mutex<LruCache<String, DateTime<Utc>>>,
}

impl ThirdParty {
    pub fn new(address: &str, config: &CaptchaConfig) -> Self {
        Self {
            address: config.siteverify_url.as_deref().unwrap_or(address).to_owned(),
            secret: config.secret.clone().unwrap_or_default(),
            timeout: config.timeout,
            passed: Mutex::new(LruCache::new(CAPACITY)),
        }
    }

    /// Has an answer judged, unless it was passed for the same before.
    ///
    /// # Errors
    /// [`Refusal::CaptchaRejected`], or [`Refusal::CaptchaUnavailable`] when the provider is away.
    pub async fn judge(
        &self,
        environment: &ServiceEnvironment,
        attempt: CaptchaAttempt<'_>,
    ) -> Result<Proof, Refusal> {
        let answer = attempt.answer.trim();
        if answer.is_empty() || answer.len() > LONGEST {
            return Err(Refusal::CaptchaRejected("no answer that can be judged".into()));
        }
        let nonce = hex::encode(Sha256::digest(answer));
        // An answer that passed for one server must not pass for another one.
        let key = format!("{nonce}/{}/{}", attempt.purpose.as_str(), attempt.server);
        let now = environment.clock.now();
        // The provider takes an answer once, and would refuse it when a vote is sent again.
        if let Some(expires_at) = self.passed().get(&key).filter(|until| **until > now) {
            return Ok(Proof { nonce, expires_at: *expires_at });
        }
        let secret = self.secret.expose_secret();
        let judge = Siteverify { address: &self.address, secret, timeout: self.timeout };
        match judge.ask(&environment.outgoing, answer, attempt.from).await {
            Ok(SiteverifyVerdict::Passed) => {
                let expires_at = now + LIFETIME;
                self.passed().put(key, expires_at);
                Ok(Proof { nonce, expires_at })
            }
            Ok(SiteverifyVerdict::Refused(reasons)) => Err(Refusal::CaptchaRejected(reasons)),
            Err(error) => Err(Refusal::CaptchaUnavailable(error)),
        }
    }

    fn passed(&self) -> MutexGuard<'_, LruCache<String, DateTime<Utc>>> {
        self.passed.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
