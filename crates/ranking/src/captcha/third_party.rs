//! Captcha answers that an outside provider checks. The provider accepts each answer once.
//!
//! An accepted answer is cached for as long as the provider keeps it, so that a ballot that is sent
//! again (after a mistyped nickname or a lost response) needs no second request. The answer is
//! still spent in the database, once for all processes.

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
/// The most accepted answers in the cache; the oldest is evicted first.
const CAPACITY: NonZeroUsize = NonZeroUsize::new(16_384).expect("not zero");
/// The longest answer accepted, in bytes; providers' answers have about two thousand characters.
const LONGEST: usize = 4_096;

/// A client of a captcha provider.
pub(crate) struct ThirdParty {
    address: String,
    secret: SecretString,
    timeout: Duration,
    /// The accepted answers: the hash of each with its purpose and server, and when it expires.
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

    /// Checks an answer with the provider, unless it was already accepted for the same purpose and
    /// server.
    ///
    /// # Errors
    /// [`Refusal::CaptchaRejected`], or [`Refusal::CaptchaUnavailable`] when the provider cannot be
    /// reached.
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
        // The provider accepts an answer once, and would reject it when a vote is sent again.
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
