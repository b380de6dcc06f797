//! Judging what a factor answered.

use compat_pg::Owner;
use serde_json::Value;
use subtle::ConstantTimeEq as _;
use uuid::Uuid;

use super::challenge::find;
use super::{may_have_factors, method_of, notice};
use crate::error::{AskerRefusal, AuthError, DeviceRefusal, FactorRefusal, Invalid};
use crate::flow::Visit;
use crate::flow::audit::{self, Action};
use crate::flow::grant::{self, Grant};
use crate::flow::hook::{self, Decision};
use crate::guard::admit::Admitted;
use crate::guard::guess::{self, Guess, Paid};
use crate::mail::MailKind;
use crate::model::webauthn::{Ceremony, Kept};
use crate::model::{Session, TokenHash, totp};
use crate::post::{self, Posted};
use crate::state::State;
use crate::store;
use crate::store::factor::{Challenged, FactorSecret};

/// What was handed in.
#[derive(Debug)]
pub enum Proof<'a> {
    Code(&'a str),
    /// A browser's answer.
    Credential(&'a Value),
}

/// What a right answer leaves to be written.
enum Taken {
    /// A code of this time step.
    Step(u64),
    Text,
    Credential(Kept),
}

/// Takes a proof: the session rises to the second level and every weaker session of the person ends. A wrong code
/// leaves the challenge open; a right one works once within its time step.
///
/// # Errors
/// The challenge is unknown, used, from elsewhere or over, or the proof is wrong.
#[tracing::instrument(name = "auth.verify_factor", skip_all)]
pub async fn verify(
    state: &State,
    visit: &Visit,
    who: &Admitted,
    factor: Uuid,
    challenge: Uuid,
    proof: Proof<'_>,
) -> Result<Grant, AuthError> {
    may_have_factors(who)?;
    let paid = guess::pay_alone(state, Guess::Factor, &factor.to_string(), visit.ip).await?;
    let tried = attempt(state, visit, who, Tried { factor, challenge, paid: &paid }, proof).await;
    match tried {
        // A hook's refusal settled the guess itself.
        Ok(_)
        | Err(
            AuthError::Factor(FactorRefusal::WrongTotpCode)
            | AuthError::Device(_)
            | AuthError::Hook { .. },
        ) => {}
        Err(_) => paid.refund(state).await,
    }
    tried
}

/// What a proof is tried at.
struct Tried<'a> {
    factor: Uuid,
    challenge: Uuid,
    paid: &'a Paid,
}

async fn attempt(
    state: &State,
    visit: &Visit,
    who: &Admitted,
    tried: Tried<'_>,
    proof: Proof<'_>,
) -> Result<Grant, AuthError> {
    let Tried { factor, challenge, paid } = tried;
    let session = who.session.as_ref().ok_or(AskerRefusal::SessionGone)?;
    let mut tx = state.begin().await?;
    let found = find(state, &mut tx, who, factor).await?;
    check_presence(&found, &proof)?;
    let opened = open(state, &mut tx, visit, factor, challenge).await?;
    let judged = judge(state, &found, opened, proof);
    if let Decision::Reject { message, sign_out } =
        hook::factor_attempt(state, &mut tx, &who.user, &found, judged.is_ok()).await?
    {
        if judged.is_ok() {
            paid.give_back(&mut tx).await?;
        }
        if sign_out {
            store::session::delete_all(&mut tx, who.user.id).await?;
        }
        tx.commit().await?;
        return Err(AuthError::Hook { status: 403, message });
    }
    keep(state, &mut tx, &found, judged?).await?;
    paid.give_back(&mut tx).await?;
    let now = state.now();
    store::factor::set_challenge_verified(&mut tx, challenge, now).await?;
    let is_new = found.status != "verified";
    if is_new {
        store::factor::set_verified(&mut tx, found.id, now).await?;
    }
    store::factor::delete_other_unverified(&mut tx, who.user.id, &found.factor_type, found.id)
        .await?;
    audit::record(state, &mut tx, visit, &who.user, Action::VerificationAttempted, None).await?;
    let grant = lift(state, &mut tx, who, session, &found).await?;
    let told = if is_new {
        notice(state, &mut tx, who, MailKind::FactorEnrolled, &found.factor_type).await?
    } else {
        Posted::default()
    };
    tx.commit().await?;
    post::send_notices(state, [told]).await;
    Ok(grant)
}

/// Each kind has its own kind of proof.
fn check_presence(factor: &FactorSecret, proof: &Proof<'_>) -> Result<(), Invalid> {
    match (factor.factor_type.as_str(), proof) {
        ("webauthn", Proof::Credential(_)) => Ok(()),
        ("webauthn", Proof::Code(_)) => Err(Invalid::CredentialMissing),
        (_, Proof::Code(code)) if !code.is_empty() => Ok(()),
        _ => Err(Invalid::CodeMissing),
    }
}

async fn open(
    state: &State,
    tx: &mut Owner,
    visit: &Visit,
    factor: Uuid,
    challenge: Uuid,
) -> Result<Challenged, AuthError> {
    let opened = store::factor::challenge(tx, challenge, factor).await?;
    let opened = opened.ok_or(FactorRefusal::ChallengeNotFound)?;
    if opened.verified_at.is_some() || opened.ip_address != visit.ip.to_string() {
        return Err(FactorRefusal::ChallengeIpMismatch.into());
    }
    if state.now() > opened.created_at + state.config.mfa.challenge_expiry {
        return Err(FactorRefusal::ChallengeExpired(challenge).into());
    }
    Ok(opened)
}

fn judge(
    state: &State,
    factor: &FactorSecret,
    opened: Challenged,
    proof: Proof<'_>,
) -> Result<Taken, AuthError> {
    match (factor.factor_type.as_str(), proof) {
        ("phone", Proof::Code(code)) => {
            let phone = factor.phone.as_deref().unwrap_or_default();
            let hash = TokenHash::of(phone, code);
            let kept = opened.otp_code.unwrap_or_default();
            if bool::from(hash.as_str().as_bytes().ct_eq(kept.as_bytes())) {
                Ok(Taken::Text)
            } else {
                Err(DeviceRefusal::WrongPhoneCode.into())
            }
        }
        ("webauthn", Proof::Credential(answer)) => {
            let session = opened.web_authn_session_data.ok_or(FactorRefusal::ChallengeNotFound)?;
            credential(factor, session, answer).map(Taken::Credential).map_err(|error| {
                tracing::info!(%error, "a security key's answer does not hold");
                DeviceRefusal::WrongCredential.into()
            })
        }
        (_, Proof::Code(code)) => {
            let secret = factor.secret.as_deref().unwrap_or_default();
            totp::step_of(secret, code, state.edge.clock.unix()).map(Taken::Step)
        }
        (_, Proof::Credential(_)) => Err(Invalid::CodeMissing.into()),
    }
}

fn credential(
    factor: &FactorSecret,
    session: Value,
    answer: &Value,
) -> Result<Kept, crate::model::webauthn::Refused> {
    let ceremony = Ceremony::from_json(session)?;
    match factor.web_authn_credential.as_ref().and_then(Kept::from_column) {
        None => ceremony.created(answer.clone()),
        Some(known) => {
            let used = ceremony.used(answer.clone(), &known)?;
            Ok(Kept { sign_count: used.sign_count, backed_up: used.backed_up, ..known })
        }
    }
}

async fn keep(
    state: &State,
    tx: &mut Owner,
    factor: &FactorSecret,
    taken: Taken,
) -> Result<(), AuthError> {
    let now = state.now();
    match taken {
        Taken::Text => Ok(()),
        Taken::Step(step) => {
            let spent = format!("{} {step}", factor.id);
            if store::allowance::use_up(tx, "totp", &spent, now).await? {
                Ok(())
            } else {
                Err(AuthError::Factor(FactorRefusal::WrongTotpCode))
            }
        }
        Taken::Credential(kept) => {
            let column = Value::from(&kept);
            store::factor::set_credential(tx, factor.id, &column, kept.aaguid, now).await?;
            Ok(())
        }
    }
}

async fn lift(
    state: &State,
    tx: &mut Owner,
    who: &Admitted,
    session: &Session,
    factor: &FactorSecret,
) -> Result<Grant, AuthError> {
    let (user, now) = (who.user.id, state.now());
    let held =
        store::session::load_locked(tx, session.id).await?.ok_or(AskerRefusal::SessionGone)?;
    store::session::set_level(tx, held.id, "aal2", Some(factor.id), now).await?;
    let method = method_of(&factor.factor_type);
    store::session::add_amr(tx, state.uuid(), held.id, method, now).await?;
    let parent = store::refresh_token::active(tx, held.id).await?.map(|active| active.token);
    if let Some(parent) = &parent {
        store::refresh_token::revoke(tx, parent, now).await?;
    }
    let token = state.edge.entropy.alphanumeric_lower(12);
    store::refresh_token::insert(tx, &token, user, held.id, parent.as_deref(), now).await?;
    store::session::delete_weaker(tx, user, held.id).await?;
    grant::with_refresh_token(state, tx, user, held.id, token).await
}
