//! Mailed links and codes come back.

use chrono::{DateTime, Utc};
use compat_pg::Owner;
use serde_json::json;

use super::admin::create_user::put_identity;
use super::audit::{self, Action};
use super::grant::{self, Grant};
use super::{Visit, change_email, unproven};
use crate::error::{AccountRefusal, AskerRefusal, AuthError, Invalid, OneTimeRefusal};
use crate::guard::guess::{self, Guess, Paid};
use crate::mail::MailKind;
use crate::model::{Address, OneTime, TokenHash, User};
use crate::post::{self, Posted, letter};
use crate::state::State;
use crate::store;

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
    let kind = come.kind;
    let mut tx = state.begin().await?;
    let Some((user, token)) = find(&mut tx, come).await? else { return Err(come.refusal()) };
    if user.is_banned(state.now()) {
        return Err(AskerRefusal::Banned.into());
    }
    let sent = sent_at(&user, token);
    let life = match kind {
        Kind::Sms | Kind::PhoneChange => state.config.sms.otp_expiry,
        _ => state.config.email.otp_expiry,
    };
    if sent.is_none_or(|sent| state.now() > sent + life) {
        return Err(come.refusal());
    }
    come.give_back(&mut tx).await?;
    match token {
        OneTime::Confirmation if kind == Kind::Sms => {
            confirm_phone(state, &mut tx, visit, &user).await?
        }
        OneTime::PhoneChange => change_phone(state, &mut tx, visit, &user).await?,
        OneTime::Confirmation => confirm(state, &mut tx, visit, &user).await?,
        OneTime::Recovery => let_in(state, &mut tx, visit, &user).await?,
        _ => {
            if !agree(state, &mut tx, visit, &user, token).await? {
                tx.commit().await?;
                return Ok(Verified::HalfChanged);
            }
        }
    }
    let answer = if come.as_code {
        let code =
            store::flow_state::issue_latest(&mut tx, user.id, kind.flows(), state.now()).await?;
        Verified::Code(code.ok_or(OneTimeRefusal::FlowStateNotFound)?)
    } else {
        Verified::Session(Box::new(grant::open(state, &mut tx, visit, user.id, "otp").await?))
    };
    let notice = match token {
        OneTime::EmailChangeNew | OneTime::EmailChangeCurrent | OneTime::PhoneChange => {
            Some(changed(state, &mut tx, &user).await?)
        }
        _ => None,
    };
    tx.commit().await?;
    post::send_notices(state, notice).await;
    Ok(answer)
}

/// Tells whoever reads the address that was; of a new number, the address that is.
async fn changed(state: &State, tx: &mut Owner, before: &User) -> Result<Posted, AuthError> {
    let Some(after) = store::user::load(tx, before.id).await? else { return Ok(Posted::default()) };
    if before.email() != after.email() {
        let (facts, to) = ([("OldEmail", before.email())], before.email());
        return letter::notice(state, tx, &after, MailKind::EmailChanged, to, &facts).await;
    }
    let facts = [("Phone", after.phone()), ("OldPhone", before.phone())];
    letter::notice(state, tx, &after, MailKind::PhoneChanged, after.email(), &facts).await
}

/// The account of a pending hash, locked, and the column it stands in. The column decides, since a token may have
/// been replaced between the look-up and the lock.
async fn find(tx: &mut Owner, come: &Come<'_>) -> Result<Option<(User, OneTime)>, AuthError> {
    let (hash, kinds) = (&come.hash, come.kind.tokens());
    let marked = hash.clone().with_pkce(true);
    let other = if come.paid.is_some() { &marked } else { hash };
    let found = store::one_time_token::find(tx, hash.as_str(), other.as_str(), kinds).await?;
    let Some(id) = found else { return Ok(None) };
    store::user::lock(tx, id).await?;
    let Some(user) = store::user::load(tx, id).await? else { return Ok(None) };
    let is_pending = |token: &&OneTime| come.is(column(&user, **token));
    let token = kinds.iter().find(is_pending).copied();
    Ok(token.map(|token| (user, token)))
}

fn column(user: &User, token: OneTime) -> &str {
    let column = match token {
        OneTime::Confirmation => &user.confirmation_token,
        OneTime::Recovery => &user.recovery_token,
        OneTime::EmailChangeNew => &user.email_change_token_new,
        OneTime::EmailChangeCurrent => &user.email_change_token_current,
        OneTime::Reauthentication => &user.reauthentication_token,
        OneTime::PhoneChange => &user.phone_change_token,
    };
    column.as_deref().unwrap_or_default()
}

fn sent_at(user: &User, token: OneTime) -> Option<DateTime<Utc>> {
    match token {
        OneTime::Confirmation => user.confirmation_sent_at,
        OneTime::Recovery => user.recovery_sent_at,
        OneTime::EmailChangeNew | OneTime::EmailChangeCurrent => user.email_change_sent_at,
        OneTime::Reauthentication => user.reauthentication_sent_at,
        OneTime::PhoneChange => user.phone_change_sent_at,
    }
}

/// The address is the person's: notes it on the account and on its identity, and voids everything pending.
async fn confirm(
    state: &State,
    tx: &mut Owner,
    visit: &Visit,
    user: &User,
) -> Result<(), AuthError> {
    let now = state.now();
    audit::record(state, tx, visit, user, Action::UserSignedUp, None).await?;
    let saving = |error: sqlx::Error| AuthError::database("Database error updating user", error);
    store::user::confirm_email(tx, user.id, now).await.map_err(saving)?;
    let mut metadata = user.user_metadata();
    metadata.insert("email_verified".to_owned(), json!(true));
    store::user::set_user_metadata(tx, user.id, &metadata, now).await.map_err(saving)?;
    let same = |identity: &&crate::model::Identity| {
        !user.email().is_empty() && identity.email.as_deref() == Some(user.email())
    };
    for identity in user.identities.iter().filter(same) {
        let mut data = identity.identity_data.clone();
        data.insert("email_verified".to_owned(), json!(true));
        store::identity::set_data(tx, identity.id, &data, now).await?;
    }
    void_tokens(tx, user).await
}

/// The number is the person's.
async fn confirm_phone(
    state: &State,
    tx: &mut Owner,
    visit: &Visit,
    user: &User,
) -> Result<(), AuthError> {
    let action =
        if user.phone_confirmed_at.is_some() { Action::Login } else { Action::UserSignedUp };
    audit::record(state, tx, visit, user, action, Some(json!({"provider": "phone"}))).await?;
    store::user::confirm_phone(tx, user.id, state.now()).await?;
    note_phone(state, tx, user, user.phone()).await?;
    void_tokens(tx, user).await
}

/// The new number is the person's, and takes the old one's place.
async fn change_phone(
    state: &State,
    tx: &mut Owner,
    visit: &Visit,
    user: &User,
) -> Result<(), AuthError> {
    let phone = user.phone_change.clone().unwrap_or_default();
    audit::record(state, tx, visit, user, Action::UserModified, None).await?;
    let applied = store::user::apply_phone_change(tx, user.id, &phone, state.now()).await;
    applied.map_err(|error| match error.as_database_error() {
        Some(refused) if refused.is_unique_violation() => {
            AuthError::Account(AccountRefusal::PhoneExists)
        }
        _ => error.into(),
    })?;
    note_phone(state, tx, user, &phone).await?;
    void_tokens(tx, user).await
}

/// Writes a confirmed number into the metadata and into the identity, which is made where there is none.
async fn note_phone(
    state: &State,
    tx: &mut Owner,
    user: &User,
    phone: &str,
) -> Result<(), AuthError> {
    put_identity(state, tx, user.id, "phone", None, Some(phone)).await?;
    let user = store::user::load(tx, user.id).await?.ok_or(AccountRefusal::UserNotFound)?;
    if let Some(identity) = user.identity("phone") {
        let mut data = identity.identity_data.clone();
        data.insert("phone_verified".to_owned(), json!(true));
        store::identity::set_data(tx, identity.id, &data, state.now()).await?;
    }
    let mut metadata = user.user_metadata();
    metadata.insert("phone_verified".to_owned(), json!(true));
    store::user::set_user_metadata(tx, user.id, &metadata, state.now()).await?;
    Ok(())
}

/// A recovery or magic link also proves the address.
async fn let_in(
    state: &State,
    tx: &mut Owner,
    visit: &Visit,
    user: &User,
) -> Result<(), AuthError> {
    if user.is_confirmed() {
        audit::record(state, tx, visit, user, Action::Login, None).await?;
        void_tokens(tx, user).await
    } else {
        unproven::shut_out(state, tx, user).await?;
        confirm(state, tx, visit, user).await
    }
}

async fn void_tokens(tx: &mut Owner, user: &User) -> Result<(), AuthError> {
    store::user::clear_tokens(tx, user.id).await?;
    store::one_time_token::clear_all(tx, user.id).await?;
    Ok(())
}

/// One side agrees to a change of address; true when that was all that was missing.
async fn agree(
    state: &State,
    tx: &mut Owner,
    visit: &Visit,
    user: &User,
    token: OneTime,
) -> Result<bool, AuthError> {
    let email = &state.config.email;
    let needs_both = email.secure_change_enabled && !email.autoconfirm && !user.email().is_empty();
    if needs_both && user.email_change_confirm_status.unwrap_or(0) == 0 {
        let kept = |kind: OneTime| if kind == token { "" } else { column(user, kind) };
        let (new, current) = (kept(OneTime::EmailChangeNew), kept(OneTime::EmailChangeCurrent));
        store::user::half_confirm_email_change(tx, user.id, new, current, state.now()).await?;
        store::one_time_token::clear(tx, user.id, token).await?;
        return Ok(false);
    }
    let pending = user.email_change.clone().unwrap_or_default();
    audit::record(state, tx, visit, user, Action::UserModified, None).await?;
    change_email::apply(state, tx, user, &pending).await?;
    Ok(true)
}
