//! Creating an account: a session, a user who must confirm, or a user made up to give nothing away.

use serde_json::{Value, json};
use uuid::Uuid;

use super::grant::{self, Grant};
use super::unsent::{self, Unsent};
use super::{password, unproven};
use crate::account::{self, Made, Maker, NewAccount, confirm};
use crate::audit::Action;
use crate::error::{AccountRefusal, AuthError, Closed, Disabled, Invalid};
use crate::guard::guess::{self, Guess};
use crate::guard::limit::{self, Bucket};
use crate::hashing::Verdict;
use crate::model::metadata::{self, Metadata};
use crate::model::{Address, Challenge, Email, Phone, User, Visit};
use crate::outbox::{self, PendingMessages, email, text};
use crate::pending::Purpose;
use crate::state::State;
use crate::store;
use crate::turn::Turn;

/// What was asked, as it came.
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

/// What comes of it.
pub enum SignedUp {
    Session(Box<Grant>),
    /// Must confirm first, or was made up because the address is taken.
    User(Box<User>),
}

/// Signs a person up by e-mail address or telephone number.
///
/// # Errors
/// In this order: closed, impossible, weak, provider closed, malformed; then what the account's
/// state says.
#[tracing::instrument(name = "auth.sign_up", skip_all)]
pub async fn sign_up(
    state: &State,
    visit: &Visit,
    asked: SignUp<'_>,
) -> Result<SignedUp, AuthError> {
    let challenge = check(state, &asked)?;
    password::check(state, asked.password).await?;
    let address = address(state, &asked)?;
    let hash = state.hash(asked.password).await?;
    let new = NewAccount {
        hash: Some(&hash),
        user_metadata: asked.data.clone(),
        ..NewAccount::of(&visit.aud, std::slice::from_ref(&address), Maker::Person)
    };
    let announced = account::announce_address(state, visit, &new).await?;
    let mut turn = Turn::begin(state, visit).await?;
    // Two at once for one address: the later finds the account of the earlier.
    store::user::lock_address(&mut turn.tx, address.as_str()).await?;
    if let Some(user) = existing(&mut turn, &address).await? {
        return match (&address, is_confirmed(&user, &address)) {
            (_, true) => taken(turn, &asked, user, &address).await,
            (_, false) if is_confirmed_at_once(state, &address) => {
                claim(turn, &asked, user, &address).await
            }
            (Address::Email(_), false) => {
                unproven::replace_password(state, &mut turn.tx, &user, &hash).await?;
                ask_again(turn, user, challenge.as_ref()).await
            }
            (Address::Phone(_), false) => {
                unproven::replace_password(state, &mut turn.tx, &user, &hash).await?;
                ask_by_text(turn, user, None).await
            }
        };
    }
    let made = account::make(&mut turn, new, announced).await?;
    let provider = Some(json!({"provider": address.provider()}));
    if is_confirmed_at_once(state, &address) {
        turn.record(&made.user, Action::UserSignedUp, provider).await?;
        confirm::note(&mut turn, &made.user, &address).await?;
        let opened = grant::open(&mut turn, made.user.id, "password").await?;
        let grant = opened.hand_out(turn, Some(made)).await?;
        return Ok(SignedUp::Session(Box::new(grant)));
    }
    turn.record(&made.user, Action::ConfirmationRequested, provider).await?;
    if let Address::Phone(_) = address {
        return ask_by_text(turn, made.user.clone(), Some(made)).await;
    }
    let mail =
        email::confirmation(state, &mut turn.tx, visit, &made.user, challenge.as_ref()).await?;
    pending(turn, made.user.id, mail, Some(made)).await
}

fn check(state: &State, asked: &SignUp<'_>) -> Result<Option<Challenge>, AuthError> {
    if state.config.disable_signup {
        return Err(Closed::Signup.into());
    }
    if asked.password.is_empty() {
        return Err(Invalid::PasswordMissing.into());
    }
    if !asked.email.is_empty() && !asked.phone.is_empty() {
        return Err(Invalid::SignupEmailAndPhone.into());
    }
    if !matches!(asked.channel, "" | "sms" | "whatsapp") {
        return Err(Invalid::Channel.into());
    }
    metadata::check_size(&asked.data)?;
    let challenge = Challenge::parse(asked.code_challenge, asked.code_challenge_method)?;
    if challenge.is_some() && !asked.phone.is_empty() {
        return Err(Invalid::PkceWithPhone.into());
    }
    Ok(challenge)
}

fn address(state: &State, asked: &SignUp<'_>) -> Result<Address, AuthError> {
    if asked.phone.is_empty() {
        if !state.config.email.enabled {
            return Err(Closed::Email(Disabled::Signup).into());
        }
        return Ok(Address::Email(Email::parse(asked.email)?));
    }
    if !state.config.phone_enabled {
        return Err(Closed::Phone(Disabled::Signup).into());
    }
    let phone = Phone::parse(asked.phone)?;
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

async fn existing(turn: &mut Turn<'_>, address: &Address) -> Result<Option<User>, AuthError> {
    match store::user::id_by_address(&mut turn.tx, address, &turn.visit.aud).await? {
        Some(id) => Ok(store::user::load(&mut turn.tx, id).await?),
        None => Ok(None),
    }
}

fn is_confirmed(user: &User, address: &Address) -> bool {
    match address {
        Address::Email(_) => user.email_confirmed_at.is_some(),
        Address::Phone(_) => user.phone_confirmed_at.is_some(),
    }
}

/// The address is confirmed already: said openly only where sign-up would have answered at once
/// anyway.
async fn taken(
    mut turn: Turn<'_>,
    asked: &SignUp<'_>,
    user: User,
    address: &Address,
) -> Result<SignedUp, AuthError> {
    let (state, visit) = (turn.state, turn.visit);
    turn.record(&user, Action::RepeatedSignup, None).await?;
    if state.config.email.autoconfirm || state.config.sms_autoconfirm {
        turn.commit().await?;
        return Err(AccountRefusal::UserAlreadyExists.into());
    }
    unsent::note(state, turn.tx, Unsent::Confirmation, address).await?;
    Ok(SignedUp::User(Box::new(made_up(state, visit, asked, &user))))
}

/// A user that looks like a new one and is in no table.
fn made_up(state: &State, visit: &Visit, asked: &SignUp<'_>, taken: &User) -> User {
    let now = Some(state.now());
    let provider = if asked.phone.is_empty() { "email" } else { "phone" };
    User {
        id: state.uuid(),
        aud: Some(visit.aud.clone()),
        role: Some(String::new()),
        email: taken.email.clone().filter(|_| !asked.email.is_empty()),
        phone: taken.phone.clone().filter(|_| !asked.phone.is_empty()),
        created_at: now,
        updated_at: now,
        confirmation_sent_at: now,
        raw_app_meta_data: Some(json!({"provider": provider, "providers": [provider]})),
        raw_user_meta_data: Some(Value::Object(asked.data.clone())),
        ..User::blank()
    }
}

/// The address waits for its confirmation: a new mail goes out, and what the row says of the person
/// stays as its first maker wrote it.
async fn ask_again(
    mut turn: Turn<'_>,
    user: User,
    challenge: Option<&Challenge>,
) -> Result<SignedUp, AuthError> {
    let (state, visit) = (turn.state, turn.visit);
    store::user::lock(&mut turn.tx, user.id).await?;
    let mail = email::confirmation(state, &mut turn.tx, visit, &user, challenge).await?;
    let invited = user.invited_at.is_some();
    let mut answer = pending(turn, user.id, mail, None).await?;
    if let (SignedUp::User(user), true) = (&mut answer, invited) {
        user.raw_user_meta_data = Some(json!({}));
        user.identities.clear();
    }
    Ok(answer)
}

/// The number waits for its confirmation: a code goes out.
async fn ask_by_text(
    mut turn: Turn<'_>,
    user: User,
    made: Option<Made>,
) -> Result<SignedUp, AuthError> {
    let (state, visit) = (turn.state, turn.visit);
    store::user::lock(&mut turn.tx, user.id).await?;
    let purpose = Purpose::Confirmation;
    let code = text::code(state, &mut turn.tx, &user, user.phone(), purpose).await?;
    let user = turn.user(user.id).await?;
    turn.commit().await?;
    account::tell(state, visit, made).await?;
    text::send(state, code).await?;
    Ok(SignedUp::User(Box::new(user)))
}

/// An unconfirmed account where confirmation is off now: who knows its password may have it.
async fn claim(
    mut turn: Turn<'_>,
    asked: &SignUp<'_>,
    user: User,
    address: &Address,
) -> Result<SignedUp, AuthError> {
    let (state, visit) = (turn.state, turn.visit);
    let (account, ip) = (address.as_str(), visit.ip);
    let paid = guess::pay(state, &mut turn.tx, Guess::Password, account, ip).await?;
    // No connection and no lock is held while passwords are hashed.
    turn.commit().await?;
    let hash = user.encrypted_password.clone().unwrap_or_default();
    if state.passwords.verify(asked.password, &hash).await? == Verdict::Wrong {
        return Err(AccountRefusal::UserAlreadyExists.into());
    }
    let mut turn = Turn::begin(state, visit).await?;
    store::user::lock(&mut turn.tx, user.id).await?;
    let user = turn.user(user.id).await?;
    if user.encrypted_password.as_deref() != Some(hash.as_str()) || user.is_banned(state.now()) {
        return Err(AccountRefusal::UserAlreadyExists.into());
    }
    if !is_confirmed(&user, address) {
        let provider = Some(json!({"provider": address.provider()}));
        turn.record(&user, Action::UserSignedUp, provider).await?;
        confirm::confirm(&mut turn, &user, address).await?;
    }
    let opened = grant::open(&mut turn, user.id, "password").await?;
    paid.give_back(&mut turn.tx).await?;
    let grant = opened.hand_out(turn, None).await?;
    Ok(SignedUp::Session(Box::new(grant)))
}

async fn pending(
    mut turn: Turn<'_>,
    user: Uuid,
    mail: PendingMessages,
    made: Option<Made>,
) -> Result<SignedUp, AuthError> {
    let (state, visit) = (turn.state, turn.visit);
    let user = turn.user(user).await?;
    turn.commit().await?;
    account::tell(state, visit, made).await?;
    outbox::send(state, [mail]).await?;
    Ok(SignedUp::User(Box::new(user)))
}

/// Opens an account without any address.
///
/// # Errors
/// [`Closed::Signup`] or [`Closed::Anonymous`].
#[tracing::instrument(name = "auth.sign_up_anonymously", skip_all)]
pub async fn sign_up_anonymously(
    state: &State,
    visit: &Visit,
    data: Metadata,
) -> Result<Grant, AuthError> {
    if state.config.disable_signup {
        return Err(Closed::Signup.into());
    }
    if !state.config.anonymous_users_enabled {
        return Err(Closed::Anonymous.into());
    }
    metadata::check_size(&data)?;
    limit::take(state, Bucket::Anonymous, visit.ip).await?;
    let new = NewAccount { user_metadata: data, ..NewAccount::of(&visit.aud, &[], Maker::Person) };
    let announced = account::announce_address(state, visit, &new).await?;
    let mut turn = Turn::begin(state, visit).await?;
    let made = account::make(&mut turn, new, announced).await?;
    let opened = grant::open(&mut turn, made.user.id, "anonymous").await?;
    opened.hand_out(turn, Some(made)).await
}
