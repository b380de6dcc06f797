//! Judging what a factor answered.

use compat_pg::Owner;
use serde_json::Value;
use subtle::ConstantTimeEq as _;
use uuid::Uuid;

use super::challenge::find;
use super::{may_have_factors, method_of, notice};
use crate::audit::Action;
use crate::error::{AskerRefusal, AuthError, DeviceRefusal, FactorRefusal, Invalid};
use crate::flow::grant::{self, Grant, Opened};
use crate::guard::admit::Admitted;
use crate::guard::guess::{self, Guess, Paid};
use crate::hook::{self, Decision};
use crate::mail::MailKind;
use crate::model::webauthn::{Ceremony, Kept};
use crate::model::{Session, TokenHash, User, Visit, totp};
use crate::outbox::{self, PendingMessages};
use crate::state::State;
use crate::store;
use crate::store::factor::{Challenged, FactorSecret};
use crate::turn::Turn;

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

/// Takes a proof: the session rises to the second level and every weaker session of the person
/// ends. A wrong code leaves the challenge open; a right one works once within its time step.
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
    let session = who.session.as_ref().ok_or(AskerRefusal::SessionGone)?;
    let mut tx = state.begin().await?;
    let account = factor.to_string();
    let paid = guess::pay(state, &mut tx, Guess::Factor, &account, visit.ip).await?;
    let looked = look(state, visit, who, &mut tx, (factor, challenge), &proof).await;
    tx.commit().await?;
    let (found, opened) = match looked {
        Ok(looked) => looked,
        Err(refused) => {
            paid.refund(state).await;
            return Err(refused);
        }
    };
    // Nothing is held while the proof is judged and an operator's hook is asked about it.
    let judged = judge(state, &found, opened, proof);
    let allowed = consult_hook(state, visit, &who.user, &found, judged.is_ok()).await;
    let right = match (judged, allowed) {
        (Ok(_), Err(refused)) => {
            paid.refund(state).await;
            return Err(refused);
        }
        (Err(_), Err(refused)) => return Err(refused),
        (judged, Ok(())) => judged?,
    };
    let lifted = Lifted { session, found, challenge, right };
    lift(state, visit, who, lifted, &paid).await
}

/// What the proof is for, unless it cannot count whatever it is.
async fn look(
    state: &State,
    visit: &Visit,
    who: &Admitted,
    tx: &mut Owner,
    (factor, challenge): (Uuid, Uuid),
    proof: &Proof<'_>,
) -> Result<(FactorSecret, Challenged), AuthError> {
    let found = find(state, tx, who, factor).await?;
    check_presence(&found, proof)?;
    let opened = open(state, tx, visit, factor, challenge).await?;
    Ok((found, opened))
}

/// An operator's hook may reject an attempt, and end the person's sessions with it.
async fn consult_hook(
    state: &State,
    visit: &Visit,
    user: &User,
    factor: &FactorSecret,
    valid: bool,
) -> Result<(), AuthError> {
    let decision = hook::factor_attempt(state, visit, user, factor, valid).await?;
    let Decision::Reject { message, sign_out } = decision else { return Ok(()) };
    if sign_out {
        let mut tx = state.begin().await?;
        store::session::delete_all(&mut tx, user.id).await?;
        tx.commit().await?;
    }
    Err(AuthError::Hook { status: 403, message })
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

/// A right proof, and what it lifts.
struct Lifted<'a> {
    session: &'a Session,
    found: FactorSecret,
    challenge: Uuid,
    right: Taken,
}

/// The factor, its challenge and the session may have changed since they were looked at, so each is
/// taken under its own condition.
async fn lift(
    state: &State,
    visit: &Visit,
    who: &Admitted,
    lifted: Lifted<'_>,
    paid: &Paid,
) -> Result<Grant, AuthError> {
    let Lifted { session, found, challenge, right } = lifted;
    let mut turn = Turn::begin(state, visit).await?;
    store::user::lock(&mut turn.tx, who.user.id).await?;
    let (user, now) = (who.user.id, turn.now());
    find(state, &mut turn.tx, who, found.id).await?;
    if !store::factor::take_challenge(&mut turn.tx, challenge, now).await? {
        return Err(FactorRefusal::ChallengeIpMismatch.into());
    }
    keep(state, &mut turn.tx, &found, right).await?;
    paid.give_back(&mut turn.tx).await?;
    let is_new = found.status != "verified";
    if is_new {
        store::factor::set_verified(&mut turn.tx, found.id, now).await?;
    }
    store::factor::delete_other_unverified(&mut turn.tx, user, &found.factor_type, found.id)
        .await?;
    turn.record(&who.user, Action::VerificationAttempted, None).await?;
    let opened = go_on(&mut turn, who, session, &found).await?;
    let told = if is_new {
        let kind = MailKind::FactorEnrolled;
        notice(state, &mut turn.tx, who, kind, &found.factor_type).await?
    } else {
        PendingMessages::default()
    };
    let grant = opened.hand_out(turn, None).await?;
    outbox::send_notifications(state, [told]).await;
    Ok(grant)
}

/// The session rises, with a new token; the person's weaker sessions end.
async fn go_on(
    turn: &mut Turn<'_>,
    who: &Admitted,
    session: &Session,
    factor: &FactorSecret,
) -> Result<Opened, AuthError> {
    let (state, user, now) = (turn.state, who.user.id, turn.now());
    let tx = &mut turn.tx;
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
    let amr = store::session::amr(tx, held.id).await?;
    let user = turn.user(user).await?;
    grant::go_on(turn, user, held, &amr, token).await
}
