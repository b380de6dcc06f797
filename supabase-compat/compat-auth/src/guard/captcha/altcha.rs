//! Proof of work by the ALTCHA protocol, without a third party or an account. A challenge is valid
//! for minutes and its answer is accepted once.

use std::time::Duration;

use compat_proof_of_work::{Binding, Challenge, Effort, Keys, ProofOfWork, ProofRefusal};
use secrecy::{ExposeSecret as _, SecretString};

use crate::config::CaptchaProvider;
use crate::error::{AuthError, CaptchaRefusal};
use crate::state::State;
use crate::store;

/// About a second on a telephone, and ten minutes for the answer.
const EFFORT: Effort = Effort {
    cost: 5000,
    rounds: std::ops::RangeInclusive::new(100, 200),
    lifetime: Duration::from_secs(600),
};

/// The purpose of our challenges, so that those of another service with the same secret are
/// refused.
fn binding() -> Binding {
    Binding::to("auth")
}

fn challenges(secret: &SecretString) -> ProofOfWork {
    let solutions = format!("{} key", secret.expose_secret()).into();
    ProofOfWork::new(Keys { challenges: secret.clone(), solutions }, EFFORT)
}

/// Issues a challenge.
///
/// # Errors
/// [`CaptchaRefusal::NotIssued`] when another provider issues the challenges.
pub fn issue(state: &State) -> Result<Challenge, AuthError> {
    let config = state.config.captcha.as_ref();
    let config = config.filter(|config| config.provider == CaptchaProvider::Altcha);
    let secret = &config.ok_or(CaptchaRefusal::NotIssued)?.secret;
    let chance = u32::from_be_bytes(state.environment.entropy.bytes());
    challenges(secret).issue(&binding(), chance, state.now()).map_err(AuthError::internal)
}

/// Checks an answer and spends it.
///
/// # Errors
/// [`CaptchaRefusal::Refused`].
pub async fn check(state: &State, secret: &SecretString, answer: &str) -> Result<(), AuthError> {
    let now = state.now();
    let proof = challenges(secret).judge(answer, &binding(), now).map_err(captcha_error)?;
    let mut tx = state.begin().await?;
    let fresh = store::allowance::use_up(&mut tx, "captcha", &proof.nonce, now).await?;
    tx.commit().await?;
    if fresh { Ok(()) } else { Err(captcha_error(ProofRefusal::Spent)) }
}

/// The refusal with one of the two codes that the original has for it.
fn captcha_error(refusal: ProofRefusal) -> AuthError {
    let word = match refusal {
        ProofRefusal::Unreadable | ProofRefusal::Forged | ProofRefusal::Unsolved => {
            "invalid-input-response"
        }
        ProofRefusal::Expired | ProofRefusal::ForAnother | ProofRefusal::Spent => {
            "timeout-or-duplicate"
        }
    };
    AuthError::Captcha(CaptchaRefusal::Refused(word.to_owned()))
}
