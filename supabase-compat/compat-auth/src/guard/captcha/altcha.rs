//! Proof of work by the ALTCHA protocol: no third party, no account. A challenge lives for minutes
//! and its answer is taken once.

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

/// What our challenges say they are for, so that those of another service of the same secret do
/// not count.
fn binding() -> Binding {
    Binding::to("auth")
}

fn challenges(secret: &SecretString) -> ProofOfWork {
    let solutions = format!("{} key", secret.expose_secret()).into();
    ProofOfWork::new(Keys { challenges: secret.clone(), solutions }, EFFORT)
}

/// A new challenge.
///
/// # Errors
/// [`CaptchaRefusal::NotIssued`] when somebody else poses the riddles.
pub fn issue(state: &State) -> Result<Challenge, AuthError> {
    let config = state.config.captcha.as_ref();
    let config = config.filter(|config| config.provider == CaptchaProvider::Altcha);
    let secret = &config.ok_or(CaptchaRefusal::NotIssued)?.secret;
    let chance = u32::from_be_bytes(state.environment.entropy.bytes());
    challenges(secret).issue(&binding(), chance, state.now()).map_err(AuthError::internal)
}

/// Judges an answer and spends it.
///
/// # Errors
/// [`CaptchaRefusal::Refused`].
pub async fn check(state: &State, secret: &SecretString, answer: &str) -> Result<(), AuthError> {
    let now = state.now();
    let proof = challenges(secret).judge(answer, &binding(), now).map_err(refused)?;
    let mut tx = state.begin().await?;
    let fresh = store::allowance::use_up(&mut tx, "captcha", &proof.nonce, now).await?;
    tx.commit().await?;
    if fresh { Ok(()) } else { Err(refused(ProofRefusal::Spent)) }
}

/// The two words the original's verdicts have for it.
fn refused(refusal: ProofRefusal) -> AuthError {
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
