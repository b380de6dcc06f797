//! Verification of mailed links and codes.

use chrono::{DateTime, Utc};
use compat_pg::Owner;
use serde_json::json;

use super::grant::{self, Grant};
use super::{change_email, unverified};
use crate::account::{confirm, identity};
use crate::audit::Action;
use crate::error::{
    AccountRefusal, AuthError, CallerRefusal, InvalidRequest, OneTimeRefusal, on_unique,
};
use crate::guard::attempt_limit::{self, AttemptKind, PendingAttempt};
use crate::mail::MailKind;
use crate::model::{Address, Email, OneTime, Phone, RequestContext, TokenHash, User};
use crate::outbox::{self, PendingMessages, email};
use crate::pending;
use crate::state::State;
use crate::store;
use crate::unit_of_work::UnitOfWork;

/// The purpose that the request states for the link or code.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum VerificationKind {
    Signup,
    Invite,
    Recovery,
    MagicLink,
    EmailChange,
    /// A confirmation or a magic link, whichever is pending.
    Email,
    /// A code by text message; no link is ever of this kind.
    Sms,
    /// A code by text message that confirms a new number.
    PhoneChange,
}

impl VerificationKind {
    /// # Errors
    /// [`InvalidRequest::VerifyType`].
    pub fn parse(text: &str) -> Result<Self, InvalidRequest> {
        match text {
            "signup" => Ok(Self::Signup),
            "invite" => Ok(Self::Invite),
            "recovery" => Ok(Self::Recovery),
            "magiclink" => Ok(Self::MagicLink),
            "email_change" => Ok(Self::EmailChange),
            "email" => Ok(Self::Email),
            _ => Err(InvalidRequest::VerifyType),
        }
    }

    fn tokens(self) -> &'static [OneTime] {
        match self {
            Self::Signup | Self::Invite => &[OneTime::Confirmation],
            Self::Recovery | Self::MagicLink => &[OneTime::Recovery],
            Self::EmailChange => &[OneTime::EmailChangeNew, OneTime::EmailChangeCurrent],
            Self::Email => &[OneTime::Confirmation, OneTime::Recovery],
            Self::Sms => &[OneTime::Confirmation],
            Self::PhoneChange => &[OneTime::PhoneChange],
        }
    }

    /// The authentication methods of the PKCE flows whose code such a link may return.
    fn flows(self) -> &'static [&'static str] {
        match self {
            Self::Signup => &["email/signup"],
            Self::Invite => &["invite"],
            Self::Recovery => &["recovery"],
            Self::MagicLink => &["magiclink"],
            Self::EmailChange => &["email_change"],
            Self::Email => &["email/signup", "magiclink"],
            Self::Sms | Self::PhoneChange => &[],
        }
    }
}

/// The result of a verification.
pub enum VerifyOutcome {
    Session(Box<Grant>),
    /// The link belongs to a PKCE flow: a code to exchange.
    Code(String),
    /// One of two addresses confirmed the change.
    HalfChanged,
}

/// Verifies the token of a link. With `may_code` the token's PKCE prefix decides between a session
/// and a code.
///
/// # Errors
/// [`OneTimeRefusal::Expired`] for every invalid token.
#[tracing::instrument(name = "auth.verify_link", skip_all)]
pub async fn link(
    state: &State,
    context: &RequestContext,
    kind: VerificationKind,
    token_hash: &str,
    may_code: bool,
) -> Result<VerifyOutcome, AuthError> {
    let hash = TokenHash::from_link(token_hash);
    let as_code = may_code && hash.is_pkce();
    let incoming = IncomingToken { kind, hash, as_code, attempt: None };
    verify(state, context, &incoming).await
}

/// Verifies a code that was typed in together with its address.
///
/// # Errors
/// [`OneTimeRefusal::Expired`] for every invalid code.
#[tracing::instrument(name = "auth.verify_code", skip_all)]
pub async fn code(
    state: &State,
    context: &RequestContext,
    kind: VerificationKind,
    address: &Address,
    digits: &str,
) -> Result<VerifyOutcome, AuthError> {
    let attempt =
        attempt_limit::reserve_alone(state, AttemptKind::Code, address.as_str(), context.ip)
            .await?;
    let hash = TokenHash::of(address.as_str(), digits);
    let incoming = IncomingToken { kind, hash, as_code: false, attempt: Some(&attempt) };
    let outcome = verify(state, context, &incoming).await;
    if !matches!(outcome, Ok(_) | Err(AuthError::OneTime(OneTimeRefusal::Expired { .. }))) {
        attempt.refund(state).await;
    }
    outcome
}

/// A token to verify.
struct IncomingToken<'a> {
    kind: VerificationKind,
    hash: TokenHash,
    /// Whether the result is a code instead of a session.
    as_code: bool,
    /// The counted attempt for a typed code; `None` for a link, which is too long to guess.
    attempt: Option<&'a PendingAttempt>,
}

impl IncomingToken<'_> {
    /// Whether this is the token in `column`. A link must match with its PKCE prefix: without the
    /// prefix it would open a session for somebody who did not start the flow. A typed code has no
    /// prefix.
    fn is(&self, column: &str) -> bool {
        match self.attempt {
            Some(_) => self.hash.is(column),
            None => self.hash.is_exactly(column),
        }
    }

    fn refusal(&self) -> AuthError {
        AuthError::OneTime(OneTimeRefusal::Expired { link: self.attempt.is_none() })
    }

    async fn release(&self, tx: &mut Owner) -> Result<(), AuthError> {
        match self.attempt {
            Some(attempt) => attempt.release(tx).await,
            None => Ok(()),
        }
    }
}

async fn verify(
    state: &State,
    context: &RequestContext,
    incoming: &IncomingToken<'_>,
) -> Result<VerifyOutcome, AuthError> {
    let mut work = UnitOfWork::begin(state, context).await?;
    let Some((user, token)) = find(&mut work, incoming).await? else {
        return Err(incoming.refusal());
    };
    if user.is_banned(state.now()) {
        return Err(CallerRefusal::Banned.into());
    }
    if is_over(state, incoming.kind, user.pending(token).1) {
        return Err(incoming.refusal());
    }
    incoming.release(&mut work.tx).await?;
    if !apply(&mut work, incoming.kind, &user, token).await? {
        // Committed, because the request of the other address must find this confirmation.
        work.commit().await?;
        return Ok(VerifyOutcome::HalfChanged);
    }
    let notice = match token {
        OneTime::EmailChangeNew | OneTime::EmailChangeCurrent | OneTime::PhoneChange => {
            Some(changed(&mut work, &user).await?)
        }
        _ => None,
    };
    let answer = if incoming.as_code {
        let (flows, now) = (incoming.kind.flows(), work.now());
        let code = store::flow_state::issue_latest(&mut work.tx, user.id, flows, now).await?;
        let code = code.ok_or(OneTimeRefusal::FlowStateNotFound)?;
        work.commit().await?;
        VerifyOutcome::Code(code)
    } else {
        let opened = grant::open(&mut work, user.id, "otp").await?;
        VerifyOutcome::Session(Box::new(opened.issue_grant(work, None).await?))
    };
    outbox::send_notifications(state, notice).await;
    Ok(answer)
}

fn is_over(state: &State, kind: VerificationKind, sent_at: Option<DateTime<Utc>>) -> bool {
    let lifetime = match kind {
        VerificationKind::Sms | VerificationKind::PhoneChange => state.config.sms.otp_expiry,
        _ => state.config.email.otp_expiry,
    };
    sent_at.is_none_or(|sent_at| state.now() > sent_at + lifetime)
}

/// Applies the effect of the token; false if another token must be verified first.
async fn apply(
    work: &mut UnitOfWork<'_>,
    kind: VerificationKind,
    user: &User,
    token: OneTime,
) -> Result<bool, AuthError> {
    match token {
        OneTime::Confirmation if kind == VerificationKind::Sms => confirm_phone(work, user).await?,
        OneTime::Confirmation => confirm_email(work, user).await?,
        OneTime::Recovery => complete_sign_in(work, user).await?,
        OneTime::PhoneChange => change_phone(work, user).await?,
        OneTime::EmailChangeNew | OneTime::EmailChangeCurrent => {
            return agree(work, user, token).await;
        }
        // No kind of link or code selects this token.
        OneTime::Reauthentication => {}
    }
    Ok(true)
}

/// Enqueues the notice of a change: to the old e-mail address, or, for a new number, to the current
/// address.
async fn changed(work: &mut UnitOfWork<'_>, before: &User) -> Result<PendingMessages, AuthError> {
    let after = work.user(before.id).await?;
    let (state, tx) = (work.state, &mut work.tx);
    if before.email() != after.email() {
        let (facts, to) = ([("OldEmail", before.email())], before.email());
        return email::notice(state, tx, &after, MailKind::EmailChanged, to, &facts).await;
    }
    let facts = [("Phone", after.phone()), ("OldPhone", before.phone())];
    email::notice(state, tx, &after, MailKind::PhoneChanged, after.email(), &facts).await
}

/// The account of a pending hash, locked, and the column that contains the hash. The column is
/// checked under the lock, because a token may have been replaced since the look-up.
async fn find(
    work: &mut UnitOfWork<'_>,
    incoming: &IncomingToken<'_>,
) -> Result<Option<(User, OneTime)>, AuthError> {
    let (hash, kinds) = (&incoming.hash, incoming.kind.tokens());
    let marked = hash.clone().with_pkce(true);
    let other = if incoming.attempt.is_some() { &marked } else { hash };
    let (tx, other) = (&mut work.tx, other.as_str());
    let row = store::pending::find(tx, hash.as_str(), other, kinds).await?;
    let Some(id) = row else { return Ok(None) };
    store::user::lock(tx, id).await?;
    let Some(user) = store::user::load(tx, id).await? else { return Ok(None) };
    let is_pending = |token: &&OneTime| incoming.is(user.pending(**token).0);
    let token = kinds.iter().find(is_pending).copied();
    Ok(token.map(|token| (user, token)))
}

/// Marks the e-mail address as confirmed on the account and on its identity.
async fn confirm_email(work: &mut UnitOfWork<'_>, user: &User) -> Result<(), AuthError> {
    work.record(user, Action::UserSignedUp, None).await?;
    let email = Address::Email(Email::stored(user.email()));
    confirm::confirm(work, user, &email).await?;
    identity::verify_email(work, user).await
}

/// Marks the number as confirmed on the account and on its identity.
async fn confirm_phone(work: &mut UnitOfWork<'_>, user: &User) -> Result<(), AuthError> {
    let action =
        if user.phone_confirmed_at.is_some() { Action::Login } else { Action::UserSignedUp };
    work.record(user, action, Some(json!({"provider": "phone"}))).await?;
    let phone = Address::Phone(Phone::stored(user.phone()));
    confirm::confirm(work, user, &phone).await?;
    identity::put(work, user, &phone, true).await
}

/// Replaces the number with the confirmed new one.
async fn change_phone(work: &mut UnitOfWork<'_>, user: &User) -> Result<(), AuthError> {
    work.record(user, Action::UserModified, None).await?;
    let phone = Phone::stored(user.pending_phone());
    let now = work.now();
    store::user::contact::apply_phone_change(&mut work.tx, user.id, phone.as_str(), now)
        .await
        .map_err(on_unique(AccountRefusal::PhoneExists))?;
    identity::put(work, user, &Address::Phone(phone), true).await?;
    pending::void(&mut work.tx, user.id).await
}

/// Records the sign-in; a recovery or magic link also confirms the address.
async fn complete_sign_in(work: &mut UnitOfWork<'_>, user: &User) -> Result<(), AuthError> {
    if user.is_confirmed() {
        work.record(user, Action::Login, None).await?;
        return pending::void(&mut work.tx, user.id).await;
    }
    unverified::shut_out(work.state, &mut work.tx, user).await?;
    confirm_email(work, user).await
}

/// Records that one address confirmed the change; true if no other confirmation is needed.
async fn agree(work: &mut UnitOfWork<'_>, user: &User, token: OneTime) -> Result<bool, AuthError> {
    let email = &work.state.config.email;
    let needs_both = email.secure_change_enabled && !email.autoconfirm && !user.email().is_empty();
    if needs_both && user.email_change_confirm_status.unwrap_or(0) == 0 {
        pending::agree(work.state, &mut work.tx, user, token).await?;
        return Ok(false);
    }
    work.record(user, Action::UserModified, None).await?;
    change_email::apply(work, user, user.pending_email()).await?;
    Ok(true)
}
