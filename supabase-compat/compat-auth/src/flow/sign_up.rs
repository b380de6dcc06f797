//! Signing up. The result is a session, a user that must confirm, or a made-up user that hides that
//! the address is taken.

use serde_json::{Value, json};
use uuid::Uuid;

use super::decoy::{self, DecoyMessage};
use super::grant::{self, Grant};
use super::{password, unverified};
use crate::account::{self, AccountOrigin, CreatedAccount, NewAccount, confirm};
use crate::audit::Action;
use crate::error::{AccountRefusal, AuthError, DisabledAction, DisabledFeature, InvalidRequest};
use crate::guard::attempt_limit::{self, AttemptKind};
use crate::guard::limit::{self, LimitKind};
use crate::hashing::PasswordMatch;
use crate::model::metadata::{self, Metadata};
use crate::model::{Address, Challenge, Email, Phone, RequestContext, User};
use crate::outbox::{self, PendingMessages, email, text};
use crate::pending::Purpose;
use crate::state::State;
use crate::store;
use crate::unit_of_work::UnitOfWork;

/// The request as received.
#[derive(Debug, Default)]
pub struct SignUp<'a> {
    pub email: &'a str,
    pub phone: &'a str,
    pub password: &'a str,
    pub data: Metadata,
    pub channel: &'a str,
    pub code_challenge: Option<&'a str>,
    pub code_challenge_method: Option<&'a str>,
}

/// The result of a sign-up.
pub enum SignUpOutcome {
    Session(Box<Grant>),
    /// A user that must confirm first, or one made up because the address is taken.
    User(Box<User>),
}

/// Signs a person up by e-mail address or telephone number.
///
/// # Errors
/// Checked in this order: sign-up disabled, impossible combination, weak password, provider
/// disabled, malformed address; then the state of the account.
#[tracing::instrument(name = "auth.sign_up", skip_all)]
pub async fn sign_up(
    state: &State,
    context: &RequestContext,
    request: SignUp<'_>,
) -> Result<SignUpOutcome, AuthError> {
    let challenge = check(state, &request)?;
    password::check(state, request.password).await?;
    let address = address(state, &request)?;
    let hash = state.hash(request.password).await?;
    let new = NewAccount {
        hash: Some(&hash),
        user_metadata: request.data.clone(),
        ..NewAccount::of(&context.aud, std::slice::from_ref(&address), AccountOrigin::Person)
    };
    let announced = account::announce_address(state, context, &new).await?;
    let mut work = UnitOfWork::begin(state, context).await?;
    // Of two concurrent sign-ups for one address, the later finds the account of the earlier.
    store::user::contact::lock_address(&mut work.tx, address.as_str()).await?;
    if let Some(user) = existing(&mut work, &address).await? {
        return match (&address, is_confirmed(&user, &address)) {
            (_, true) => existing_account(work, &request, user, &address).await,
            (_, false) if is_confirmed_at_once(state, &address) => {
                claim(work, &request, user, &address).await
            }
            (Address::Email(_), false) => {
                unverified::replace_password(state, &mut work.tx, &user, &hash).await?;
                ask_again(work, user, challenge.as_ref()).await
            }
            (Address::Phone(_), false) => {
                unverified::replace_password(state, &mut work.tx, &user, &hash).await?;
                ask_by_text(work, user, None).await
            }
        };
    }
    let new_account = account::create(&mut work, new, announced).await?;
    let provider = Some(json!({"provider": address.provider()}));
    if is_confirmed_at_once(state, &address) {
        work.record(&new_account.user, Action::UserSignedUp, provider).await?;
        confirm::note(&mut work, &new_account.user, &address).await?;
        let opened = grant::open(&mut work, new_account.user.id, "password").await?;
        let grant = opened.issue_grant(work, Some(new_account)).await?;
        return Ok(SignUpOutcome::Session(Box::new(grant)));
    }
    work.record(&new_account.user, Action::ConfirmationRequested, provider).await?;
    if let Address::Phone(_) = address {
        return ask_by_text(work, new_account.user.clone(), Some(new_account)).await;
    }
    let mail =
        email::confirmation(state, &mut work.tx, context, &new_account.user, challenge.as_ref())
            .await?;
    pending(work, new_account.user.id, mail, Some(new_account)).await
}

fn check(state: &State, request: &SignUp<'_>) -> Result<Option<Challenge>, AuthError> {
    if state.config.disable_signup {
        return Err(DisabledFeature::Signup.into());
    }
    if request.password.is_empty() {
        return Err(InvalidRequest::PasswordMissing.into());
    }
    if !request.email.is_empty() && !request.phone.is_empty() {
        return Err(InvalidRequest::SignupEmailAndPhone.into());
    }
    if !matches!(request.channel, "" | "sms" | "whatsapp") {
        return Err(InvalidRequest::Channel.into());
    }
    metadata::check_size(&request.data)?;
    let challenge = Challenge::parse(request.code_challenge, request.code_challenge_method)?;
    if challenge.is_some() && !request.phone.is_empty() {
        return Err(InvalidRequest::PkceWithPhone.into());
    }
    Ok(challenge)
}

fn address(state: &State, request: &SignUp<'_>) -> Result<Address, AuthError> {
    if request.phone.is_empty() {
        if !state.config.email.enabled {
            return Err(DisabledFeature::Email(DisabledAction::Signup).into());
        }
        return Ok(Address::Email(Email::parse(request.email)?));
    }
    if !state.config.phone_enabled {
        return Err(DisabledFeature::Phone(DisabledAction::Signup).into());
    }
    let phone = Phone::parse(request.phone)?;
    if !state.config.sms_autoconfirm {
        text::check_reachable(state, phone.as_str())?;
    }
    Ok(Address::Phone(phone))
}

fn is_confirmed_at_once(state: &State, address: &Address) -> bool {
    match address {
        Address::Email(_) => state.config.email.autoconfirm,
        Address::Phone(_) => state.config.sms_autoconfirm,
    }
}

async fn existing(work: &mut UnitOfWork<'_>, address: &Address) -> Result<Option<User>, AuthError> {
    match store::user::contact::id_by_address(&mut work.tx, address, &work.context.aud).await? {
        Some(id) => Ok(store::user::load(&mut work.tx, id).await?),
        None => Ok(None),
    }
}

fn is_confirmed(user: &User, address: &Address) -> bool {
    match address {
        Address::Email(_) => user.email_confirmed_at.is_some(),
        Address::Phone(_) => user.phone_confirmed_at.is_some(),
    }
}

/// The address is confirmed already. The response says so only where sign-up needs no confirmation.
async fn existing_account(
    mut work: UnitOfWork<'_>,
    request: &SignUp<'_>,
    user: User,
    address: &Address,
) -> Result<SignUpOutcome, AuthError> {
    let (state, context) = (work.state, work.context);
    work.record(&user, Action::RepeatedSignup, None).await?;
    if state.config.email.autoconfirm || state.config.sms_autoconfirm {
        work.commit().await?;
        return Err(AccountRefusal::UserAlreadyExists.into());
    }
    decoy::note(state, work.tx, DecoyMessage::Confirmation, address).await?;
    Ok(SignUpOutcome::User(Box::new(invented_user(state, context, request, &user))))
}

/// A made-up user that looks like a new one and is not stored.
fn invented_user(
    state: &State,
    context: &RequestContext,
    request: &SignUp<'_>,
    existing_account: &User,
) -> User {
    let now = Some(state.now());
    let provider = if request.phone.is_empty() { "email" } else { "phone" };
    User {
        id: state.uuid(),
        aud: Some(context.aud.clone()),
        role: Some(String::new()),
        email: existing_account.email.clone().filter(|_| !request.email.is_empty()),
        phone: existing_account.phone.clone().filter(|_| !request.phone.is_empty()),
        created_at: now,
        updated_at: now,
        confirmation_sent_at: now,
        raw_app_meta_data: Some(json!({"provider": provider, "providers": [provider]})),
        raw_user_meta_data: Some(Value::Object(request.data.clone())),
        ..User::blank()
    }
}

/// The address is not confirmed yet: sends another mail, and keeps the metadata of the first
/// sign-up.
async fn ask_again(
    mut work: UnitOfWork<'_>,
    user: User,
    challenge: Option<&Challenge>,
) -> Result<SignUpOutcome, AuthError> {
    let (state, context) = (work.state, work.context);
    store::user::lock(&mut work.tx, user.id).await?;
    let mail = email::confirmation(state, &mut work.tx, context, &user, challenge).await?;
    let invited = user.invited_at.is_some();
    let mut answer = pending(work, user.id, mail, None).await?;
    if let (SignUpOutcome::User(user), true) = (&mut answer, invited) {
        user.raw_user_meta_data = Some(json!({}));
        user.identities.clear();
    }
    Ok(answer)
}

/// The number is not confirmed yet: sends a code.
async fn ask_by_text(
    mut work: UnitOfWork<'_>,
    user: User,
    new_account: Option<CreatedAccount>,
) -> Result<SignUpOutcome, AuthError> {
    let (state, context) = (work.state, work.context);
    store::user::lock(&mut work.tx, user.id).await?;
    let purpose = Purpose::Confirmation;
    let code = text::code(state, &mut work.tx, &user, user.phone(), purpose).await?;
    let user = work.user(user.id).await?;
    work.commit().await?;
    account::notify_hooks(state, context, new_account).await?;
    text::send(state, code).await?;
    Ok(SignUpOutcome::User(Box::new(user)))
}

/// Takes over an unconfirmed account where confirmation is switched off now: the caller must know
/// its password.
async fn claim(
    mut work: UnitOfWork<'_>,
    request: &SignUp<'_>,
    user: User,
    address: &Address,
) -> Result<SignUpOutcome, AuthError> {
    let (state, context) = (work.state, work.context);
    let (account, ip) = (address.as_str(), context.ip);
    let attempt =
        attempt_limit::reserve(state, &mut work.tx, AttemptKind::Password, account, ip).await?;
    // No connection and no lock is held while passwords are hashed.
    work.commit().await?;
    let hash = user.encrypted_password.clone().unwrap_or_default();
    if state.passwords.verify(request.password, &hash).await? == PasswordMatch::Wrong {
        return Err(AccountRefusal::UserAlreadyExists.into());
    }
    let mut work = UnitOfWork::begin(state, context).await?;
    store::user::lock(&mut work.tx, user.id).await?;
    let user = work.user(user.id).await?;
    if user.encrypted_password.as_deref() != Some(hash.as_str()) || user.is_banned(state.now()) {
        return Err(AccountRefusal::UserAlreadyExists.into());
    }
    if !is_confirmed(&user, address) {
        let provider = Some(json!({"provider": address.provider()}));
        work.record(&user, Action::UserSignedUp, provider).await?;
        confirm::confirm(&mut work, &user, address).await?;
    }
    let opened = grant::open(&mut work, user.id, "password").await?;
    attempt.release(&mut work.tx).await?;
    let grant = opened.issue_grant(work, None).await?;
    Ok(SignUpOutcome::Session(Box::new(grant)))
}

async fn pending(
    mut work: UnitOfWork<'_>,
    user: Uuid,
    mail: PendingMessages,
    new_account: Option<CreatedAccount>,
) -> Result<SignUpOutcome, AuthError> {
    let (state, context) = (work.state, work.context);
    let user = work.user(user).await?;
    work.commit().await?;
    account::notify_hooks(state, context, new_account).await?;
    outbox::send(state, [mail]).await?;
    Ok(SignUpOutcome::User(Box::new(user)))
}

/// Creates an account without an address.
///
/// # Errors
/// [`DisabledFeature::Signup`] or [`DisabledFeature::Anonymous`].
#[tracing::instrument(name = "auth.sign_up_anonymously", skip_all)]
pub async fn sign_up_anonymously(
    state: &State,
    context: &RequestContext,
    data: Metadata,
) -> Result<Grant, AuthError> {
    if state.config.disable_signup {
        return Err(DisabledFeature::Signup.into());
    }
    if !state.config.anonymous_users_enabled {
        return Err(DisabledFeature::Anonymous.into());
    }
    metadata::check_size(&data)?;
    limit::take(state, LimitKind::Anonymous, context.ip).await?;
    let new = NewAccount {
        user_metadata: data,
        ..NewAccount::of(&context.aud, &[], AccountOrigin::Person)
    };
    let announced = account::announce_address(state, context, &new).await?;
    let mut work = UnitOfWork::begin(state, context).await?;
    let new_account = account::create(&mut work, new, announced).await?;
    let opened = grant::open(&mut work, new_account.user.id, "anonymous").await?;
    opened.issue_grant(work, Some(new_account)).await
}
