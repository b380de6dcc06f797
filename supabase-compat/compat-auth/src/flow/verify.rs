//! Mailed links and codes come back.

use chrono::{DateTime, Utc};
use compat_pg::Owner;
use serde_json::json;

use super::grant::{self, Grant};
use super::{change_email, unproven};
use crate::account::{confirm, identity};
use crate::audit::Action;
use crate::error::{AccountRefusal, AskerRefusal, AuthError, Invalid, OneTimeRefusal, on_unique};
use crate::guard::guess::{self, Guess, Paid};
use crate::mail::MailKind;
use crate::model::{Address, Email, OneTime, Phone, TokenHash, User, Visit};
use crate::outbox::{self, PendingMessages, email};
use crate::pending;
use crate::state::State;
use crate::store;
use crate::turn::Turn;

/// What the link or code claims to be for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Kind {
    Signup,
    Invite,
    Recovery,
    MagicLink,
    EmailChange,
    /// Confirmation or magic link, whichever is pending.
    Email,
    /// A code by text message; no link is ever of this kind.
    Sms,
    /// The same for a change of number.
    PhoneChange,
}

impl Kind {
    /// # Errors
    /// [`Invalid::VerifyType`].
    pub fn parse(text: &str) -> Result<Self, Invalid> {
        match text {
            "signup" => Ok(Self::Signup),
            "invite" => Ok(Self::Invite),
            "recovery" => Ok(Self::Recovery),
            "magiclink" => Ok(Self::MagicLink),
            "email_change" => Ok(Self::EmailChange),
            "email" => Ok(Self::Email),
            _ => Err(Invalid::VerifyType),
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

    /// The flows whose code such a link may hand out.
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

/// What comes of it.
pub enum Verified {
    Session(Box<Grant>),
    /// The link belongs to a flow with proof key: a code to be exchanged.
    Code(String),
    /// One of two addresses agreed to a change.
    HalfChanged,
}

/// Takes a token that came in a link; its mark decides between session and code when `may_code`.
///
/// # Errors
/// [`OneTimeRefusal::Expired`] for whatever is wrong with the token.
#[tracing::instrument(name = "auth.verify_link", skip_all)]
pub async fn link(
    state: &State,
    visit: &Visit,
    kind: Kind,
    token_hash: &str,
    may_code: bool,
) -> Result<Verified, AuthError> {
    let hash = TokenHash::from_link(token_hash);
    let as_code = may_code && hash.is_pkce();
    let come = Come { kind, hash, as_code, paid: None };
    verify(state, visit, &come).await
}

/// Takes a code typed by hand together with its address.
///
/// # Errors
/// [`OneTimeRefusal::Expired`] for whatever is wrong with the code.
#[tracing::instrument(name = "auth.verify_code", skip_all)]
pub async fn code(
    state: &State,
    visit: &Visit,
    kind: Kind,
    address: &Address,
    digits: &str,
) -> Result<Verified, AuthError> {
    let paid = guess::pay_alone(state, Guess::Code, address.as_str(), visit.ip).await?;
    let hash = TokenHash::of(address.as_str(), digits);
    let come = Come { kind, hash, as_code: false, paid: Some(&paid) };
    let tried = verify(state, visit, &come).await;
    if !matches!(tried, Ok(_) | Err(AuthError::OneTime(OneTimeRefusal::Expired { .. }))) {
        paid.refund(state).await;
    }
    tried
}

/// A token that came back.
struct Come<'a> {
    kind: Kind,
    hash: TokenHash,
    /// Whether a code is wanted instead of a session.
    as_code: bool,
    /// The guess, of a code typed by hand; a link is too long to be guessed.
    paid: Option<&'a Paid>,
}

impl Come<'_> {
    /// Whether this is the token in `column`. A link is what was mailed to the letter: without its
    /// mark it would open a session to whoever cannot prove to have started the flow. Whoever types
    /// a code knows nothing of the mark.
    fn is(&self, column: &str) -> bool {
        match self.paid {
            Some(_) => self.hash.is(column),
            None => self.hash.is_exactly(column),
        }
    }

    fn refusal(&self) -> AuthError {
        AuthError::OneTime(OneTimeRefusal::Expired { link: self.paid.is_none() })
    }

    async fn give_back(&self, tx: &mut Owner) -> Result<(), AuthError> {
        match self.paid {
            Some(paid) => paid.give_back(tx).await,
            None => Ok(()),
        }
    }
}

async fn verify(state: &State, visit: &Visit, come: &Come<'_>) -> Result<Verified, AuthError> {
    let mut turn = Turn::begin(state, visit).await?;
    let Some((user, token)) = find(&mut turn, come).await? else { return Err(come.refusal()) };
    if user.is_banned(state.now()) {
        return Err(AskerRefusal::Banned.into());
    }
    if is_over(state, come.kind, user.pending(token).1) {
        return Err(come.refusal());
    }
    come.give_back(&mut turn.tx).await?;
    if !apply(&mut turn, come.kind, &user, token).await? {
        turn.commit().await?;
        return Ok(Verified::HalfChanged);
    }
    let notice = match token {
        OneTime::EmailChangeNew | OneTime::EmailChangeCurrent | OneTime::PhoneChange => {
            Some(changed(&mut turn, &user).await?)
        }
        _ => None,
    };
    let answer = if come.as_code {
        let (flows, now) = (come.kind.flows(), turn.now());
        let code = store::flow_state::issue_latest(&mut turn.tx, user.id, flows, now).await?;
        let code = code.ok_or(OneTimeRefusal::FlowStateNotFound)?;
        turn.commit().await?;
        Verified::Code(code)
    } else {
        let opened = grant::open(&mut turn, user.id, "otp").await?;
        Verified::Session(Box::new(opened.hand_out(turn, None).await?))
    };
    outbox::send_notifications(state, notice).await;
    Ok(answer)
}

fn is_over(state: &State, kind: Kind, sent: Option<DateTime<Utc>>) -> bool {
    let life = match kind {
        Kind::Sms | Kind::PhoneChange => state.config.sms.otp_expiry,
        _ => state.config.email.otp_expiry,
    };
    sent.is_none_or(|sent| state.now() > sent + life)
}

/// Does what the token was mailed for; false when another token must come before it takes effect.
async fn apply(
    turn: &mut Turn<'_>,
    kind: Kind,
    user: &User,
    token: OneTime,
) -> Result<bool, AuthError> {
    match token {
        OneTime::Confirmation if kind == Kind::Sms => confirm_phone(turn, user).await?,
        OneTime::Confirmation => confirm_email(turn, user).await?,
        OneTime::Recovery => let_in(turn, user).await?,
        OneTime::PhoneChange => change_phone(turn, user).await?,
        OneTime::EmailChangeNew | OneTime::EmailChangeCurrent => {
            return agree(turn, user, token).await;
        }
        // No kind of link or code stands for it.
        OneTime::Reauthentication => {}
    }
    Ok(true)
}

/// Tells whoever reads the address that was; of a new number, the address that is.
async fn changed(turn: &mut Turn<'_>, before: &User) -> Result<PendingMessages, AuthError> {
    let after = turn.user(before.id).await?;
    let (state, tx) = (turn.state, &mut turn.tx);
    if before.email() != after.email() {
        let (facts, to) = ([("OldEmail", before.email())], before.email());
        return email::notice(state, tx, &after, MailKind::EmailChanged, to, &facts).await;
    }
    let facts = [("Phone", after.phone()), ("OldPhone", before.phone())];
    email::notice(state, tx, &after, MailKind::PhoneChanged, after.email(), &facts).await
}

/// The account of a pending hash, locked, and the column it stands in. The column decides, since a
/// token may have been replaced between the look-up and the lock.
async fn find(turn: &mut Turn<'_>, come: &Come<'_>) -> Result<Option<(User, OneTime)>, AuthError> {
    let (hash, kinds) = (&come.hash, come.kind.tokens());
    let marked = hash.clone().with_pkce(true);
    let other = if come.paid.is_some() { &marked } else { hash };
    let (tx, other) = (&mut turn.tx, other.as_str());
    let found = store::pending::find(tx, hash.as_str(), other, kinds).await?;
    let Some(id) = found else { return Ok(None) };
    store::user::lock(tx, id).await?;
    let Some(user) = store::user::load(tx, id).await? else { return Ok(None) };
    let is_pending = |token: &&OneTime| come.is(user.pending(**token).0);
    let token = kinds.iter().find(is_pending).copied();
    Ok(token.map(|token| (user, token)))
}

/// The address is the person's: notes it on the account and on its identity.
async fn confirm_email(turn: &mut Turn<'_>, user: &User) -> Result<(), AuthError> {
    turn.record(user, Action::UserSignedUp, None).await?;
    let email = Address::Email(Email::stored(user.email()));
    confirm::confirm(turn, user, &email).await?;
    identity::verify_email(turn, user).await
}

/// The number is the person's.
async fn confirm_phone(turn: &mut Turn<'_>, user: &User) -> Result<(), AuthError> {
    let action =
        if user.phone_confirmed_at.is_some() { Action::Login } else { Action::UserSignedUp };
    turn.record(user, action, Some(json!({"provider": "phone"}))).await?;
    let phone = Address::Phone(Phone::stored(user.phone()));
    confirm::confirm(turn, user, &phone).await?;
    identity::put(turn, user, &phone, true).await
}

/// The new number is the person's, and takes the old one's place.
async fn change_phone(turn: &mut Turn<'_>, user: &User) -> Result<(), AuthError> {
    turn.record(user, Action::UserModified, None).await?;
    let phone = Phone::stored(user.pending_phone());
    let now = turn.now();
    store::user::apply_phone_change(&mut turn.tx, user.id, phone.as_str(), now)
        .await
        .map_err(on_unique(AccountRefusal::PhoneExists))?;
    identity::put(turn, user, &Address::Phone(phone), true).await?;
    pending::void(&mut turn.tx, user.id).await
}

/// A recovery or magic link also proves the address.
async fn let_in(turn: &mut Turn<'_>, user: &User) -> Result<(), AuthError> {
    if user.is_confirmed() {
        turn.record(user, Action::Login, None).await?;
        return pending::void(&mut turn.tx, user.id).await;
    }
    unproven::shut_out(turn.state, &mut turn.tx, user).await?;
    confirm_email(turn, user).await
}

/// One side agrees to a change of address; true when that was all that was missing.
async fn agree(turn: &mut Turn<'_>, user: &User, token: OneTime) -> Result<bool, AuthError> {
    let email = &turn.state.config.email;
    let needs_both = email.secure_change_enabled && !email.autoconfirm && !user.email().is_empty();
    if needs_both && user.email_change_confirm_status.unwrap_or(0) == 0 {
        pending::agree(turn.state, &mut turn.tx, user, token).await?;
        return Ok(false);
    }
    turn.record(user, Action::UserModified, None).await?;
    change_email::apply(turn, user, user.pending_email()).await?;
    Ok(true)
}
