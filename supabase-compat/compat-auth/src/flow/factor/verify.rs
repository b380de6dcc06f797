//! Verifying the response to a factor's challenge.

use compat_pg::Owner;
use serde_json::Value;
use subtle::ConstantTimeEq as _;
use uuid::Uuid;

use super::challenge::find;
use super::{may_have_factors, method_of, notice};
use crate::audit::Action;
use crate::error::{AuthError, CallerRefusal, DeviceRefusal, FactorRefusal, InvalidRequest};
use crate::flow::grant::{self, Grant, OpenSession};
use crate::guard::attempt_limit::{self, AttemptKind, PendingAttempt};
use crate::guard::authenticate::AuthenticatedUser;
use crate::hook::{self, Decision};
use crate::mail::MailKind;
use crate::model::webauthn::{Ceremony, StoredCredential};
use crate::model::{RequestContext, Session, TokenHash, User, totp};
use crate::outbox::{self, PendingMessages};
use crate::state::State;
use crate::store;
use crate::store::factor::{FactorChallenge, FactorSecret};
use crate::unit_of_work::UnitOfWork;

/// The proof that the client sent.
#[derive(Debug)]
pub enum Proof<'a> {
    Code(&'a str),
    /// The browser's WebAuthn response.
    Credential(&'a Value),
}

/// The result of a correct proof that must be stored.
enum AcceptedProof {
    /// A TOTP code of this time step.
    Step(u64),
    Text,
    Credential(StoredCredential),
}

/// Verifies a proof. The session rises to the second level, and every weaker session of the person
/// ends. A wrong code leaves the challenge open; a correct one works once within its time step.
///
/// # Errors
/// The challenge is unknown, used, expired or from another client address, or the proof is wrong.
#[tracing::instrument(name = "auth.verify_factor", skip_all)]
pub async fn verify(
    state: &State,
    context: &RequestContext,
    caller: &AuthenticatedUser,
    factor: Uuid,
    challenge: Uuid,
    proof: Proof<'_>,
) -> Result<Grant, AuthError> {
    may_have_factors(caller)?;
    let session = caller.session.as_ref().ok_or(CallerRefusal::SessionGone)?;
    let mut tx = state.begin().await?;
    let account = factor.to_string();
    let attempt =
        attempt_limit::reserve(state, &mut tx, AttemptKind::Factor, &account, context.ip).await?;
    let lookup = find_factor(state, context, caller, &mut tx, (factor, challenge), &proof).await;
    tx.commit().await?;
    let (factor_secret, opened) = match lookup {
        Ok(lookup) => lookup,
        Err(refusal) => {
            attempt.refund(state).await;
            return Err(refusal);
        }
    };
    // No connection is held while the proof is verified and an operator's hook is called.
    let judged = judge(state, &factor_secret, opened, proof);
    let allowed = consult_hook(state, context, &caller.user, &factor_secret, judged.is_ok()).await;
    let right = match (judged, allowed) {
        (Ok(_), Err(refusal)) => {
            attempt.refund(state).await;
            return Err(refusal);
        }
        (Err(_), Err(refusal)) => return Err(refusal),
        (judged, Ok(())) => judged?,
    };
    let lifted = AssuranceUpgrade { session, factor_secret, challenge, right };
    lift(state, context, caller, lifted, &attempt).await
}

/// Loads the factor and its challenge; refuses if no proof could succeed.
async fn find_factor(
    state: &State,
    context: &RequestContext,
    caller: &AuthenticatedUser,
    tx: &mut Owner,
    (factor, challenge): (Uuid, Uuid),
    proof: &Proof<'_>,
) -> Result<(FactorSecret, FactorChallenge), AuthError> {
    let factor_secret = find(state, tx, caller, factor).await?;
    check_presence(&factor_secret, proof)?;
    let opened = open(state, tx, context, factor, challenge).await?;
    Ok((factor_secret, opened))
}

/// Calls the operator's hook, which may reject the attempt and end the person's sessions.
async fn consult_hook(
    state: &State,
    context: &RequestContext,
    user: &User,
    factor: &FactorSecret,
    valid: bool,
) -> Result<(), AuthError> {
    let decision = hook::factor_attempt(state, context, user, factor, valid).await?;
    let Decision::Reject { message, sign_out } = decision else { return Ok(()) };
    if sign_out {
        let mut tx = state.begin().await?;
        store::session::delete_all(&mut tx, user.id).await?;
        tx.commit().await?;
    }
    Err(AuthError::Hook { status: 403, message })
}

/// Checks that the proof is of the kind that the factor needs.
fn check_presence(factor: &FactorSecret, proof: &Proof<'_>) -> Result<(), InvalidRequest> {
    match (factor.factor_type.as_str(), proof) {
        ("webauthn", Proof::Credential(_)) => Ok(()),
        ("webauthn", Proof::Code(_)) => Err(InvalidRequest::CredentialMissing),
        (_, Proof::Code(code)) if !code.is_empty() => Ok(()),
        _ => Err(InvalidRequest::CodeMissing),
    }
}

async fn open(
    state: &State,
    tx: &mut Owner,
    context: &RequestContext,
    factor: Uuid,
    challenge: Uuid,
) -> Result<FactorChallenge, AuthError> {
    let opened = store::factor::challenge(tx, challenge, factor).await?;
    let opened = opened.ok_or(FactorRefusal::ChallengeNotFound)?;
    if opened.verified_at.is_some() || opened.ip_address != context.ip.to_string() {
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
    opened: FactorChallenge,
    proof: Proof<'_>,
) -> Result<AcceptedProof, AuthError> {
    match (factor.factor_type.as_str(), proof) {
        ("phone", Proof::Code(code)) => {
            let phone = factor.phone.as_deref().unwrap_or_default();
            let hash = TokenHash::of(phone, code);
            let code_hash = opened.otp_code.unwrap_or_default();
            if bool::from(hash.as_str().as_bytes().ct_eq(code_hash.as_bytes())) {
                Ok(AcceptedProof::Text)
            } else {
                Err(DeviceRefusal::WrongPhoneCode.into())
            }
        }
        ("webauthn", Proof::Credential(answer)) => {
            let session = opened.web_authn_session_data.ok_or(FactorRefusal::ChallengeNotFound)?;
            credential(factor, session, answer).map(AcceptedProof::Credential).map_err(|error| {
                tracing::info!(%error, "security key verification failed");
                DeviceRefusal::WrongCredential.into()
            })
        }
        (_, Proof::Code(code)) => {
            let secret = factor.secret.as_deref().unwrap_or_default();
            totp::step_of(secret, code, state.environment.clock.unix()).map(AcceptedProof::Step)
        }
        // `check_presence` has refused this already.
        (_, Proof::Credential(_)) => Err(InvalidRequest::CodeMissing.into()),
    }
}

fn credential(
    factor: &FactorSecret,
    session: Value,
    answer: &Value,
) -> Result<StoredCredential, crate::model::webauthn::CeremonyError> {
    let ceremony = Ceremony::from_json(session)?;
    match factor.web_authn_credential.as_ref().and_then(StoredCredential::from_column) {
        None => ceremony.created(answer.clone()),
        Some(known) => {
            let used = ceremony.used(answer.clone(), &known)?;
            Ok(StoredCredential { sign_count: used.sign_count, backed_up: used.backed_up, ..known })
        }
    }
}

async fn keep(
    state: &State,
    tx: &mut Owner,
    factor: &FactorSecret,
    accepted: AcceptedProof,
) -> Result<(), AuthError> {
    let now = state.now();
    match accepted {
        AcceptedProof::Text => Ok(()),
        AcceptedProof::Step(step) => {
            let spent = format!("{} {step}", factor.id);
            if store::allowance::use_up(tx, "totp", &spent, now).await? {
                Ok(())
            } else {
                Err(AuthError::Factor(FactorRefusal::WrongTotpCode))
            }
        }
        AcceptedProof::Credential(credential) => {
            let column = Value::from(&credential);
            store::factor::set_credential(tx, factor.id, &column, credential.aaguid, now).await?;
            Ok(())
        }
    }
}

/// A correct proof, and the session that it raises to the second level.
struct AssuranceUpgrade<'a> {
    session: &'a Session,
    factor_secret: FactorSecret,
    challenge: Uuid,
    right: AcceptedProof,
}

/// Raises the session. The factor, its challenge and the session may have changed since they were
/// loaded, so each is updated under a condition.
async fn lift(
    state: &State,
    context: &RequestContext,
    caller: &AuthenticatedUser,
    lifted: AssuranceUpgrade<'_>,
    attempt: &PendingAttempt,
) -> Result<Grant, AuthError> {
    let AssuranceUpgrade { session, factor_secret, challenge, right } = lifted;
    let mut work = UnitOfWork::begin(state, context).await?;
    store::user::lock(&mut work.tx, caller.user.id).await?;
    let (user, now) = (caller.user.id, work.now());
    find(state, &mut work.tx, caller, factor_secret.id).await?;
    if !store::factor::take_challenge(&mut work.tx, challenge, now).await? {
        return Err(FactorRefusal::ChallengeIpMismatch.into());
    }
    keep(state, &mut work.tx, &factor_secret, right).await?;
    attempt.release(&mut work.tx).await?;
    let is_new = factor_secret.status != "verified";
    if is_new {
        store::factor::set_verified(&mut work.tx, factor_secret.id, now).await?;
    }
    store::factor::delete_other_unverified(
        &mut work.tx,
        user,
        &factor_secret.factor_type,
        factor_secret.id,
    )
    .await?;
    work.record(&caller.user, Action::VerificationAttempted, None).await?;
    let opened = go_on(&mut work, caller, session, &factor_secret).await?;
    let messages = if is_new {
        let kind = MailKind::FactorEnrolled;
        notice(state, &mut work.tx, caller, kind, &factor_secret.factor_type).await?
    } else {
        PendingMessages::default()
    };
    let grant = opened.issue_grant(work, None).await?;
    outbox::send_notifications(state, [messages]).await;
    Ok(grant)
}

/// Raises the session with a new refresh token; the person's weaker sessions end.
async fn go_on(
    work: &mut UnitOfWork<'_>,
    caller: &AuthenticatedUser,
    session: &Session,
    factor: &FactorSecret,
) -> Result<OpenSession, AuthError> {
    let (state, user, now) = (work.state, caller.user.id, work.now());
    let tx = &mut work.tx;
    let held =
        store::session::load_locked(tx, session.id).await?.ok_or(CallerRefusal::SessionGone)?;
    store::session::set_level(tx, held.id, "aal2", Some(factor.id), now).await?;
    let method = method_of(&factor.factor_type);
    store::session::add_amr(tx, state.uuid(), held.id, method, now).await?;
    let parent = store::refresh_token::active(tx, held.id).await?.map(|active| active.token);
    if let Some(parent) = &parent {
        store::refresh_token::revoke(tx, parent, now).await?;
    }
    let token = state.environment.entropy.alphanumeric_lower(12);
    store::refresh_token::insert(tx, &token, user, held.id, parent.as_deref(), now).await?;
    store::session::delete_weaker(tx, user, held.id).await?;
    let amr = store::session::amr(tx, held.id).await?;
    let user = work.user(user).await?;
    grant::go_on(work, user, held, &amr, token).await
}
