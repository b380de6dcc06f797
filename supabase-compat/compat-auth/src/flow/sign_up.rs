//! Creating an account: a session, a user who must confirm, or a user made up to give nothing away.

use compat_pg::Owner;
use serde_json::{Value, json};
use uuid::Uuid;

use super::audit::{self, Action};
use super::grant::{self, Grant};
use super::unsent::{self, Unsent};
use super::{Visit, hook, password, unproven};
use crate::error::{AccountRefusal, AuthError, Closed, Disabled, Invalid};
use crate::guard::guess::{self, Guess};
use crate::guard::limit::{self, Bucket};
use crate::hashing::Verdict;
use crate::model::metadata::{self, Metadata, merge};
use crate::model::{Address, Challenge, Email, OneTime, Phone, User};
use crate::post::{self, Posted, letter, text};
use crate::state::State;
use crate::store;

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
/// In this order: closed, impossible, weak, provider closed, malformed; then what the account's state says.
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
    let mut tx = state.begin().await?;
    store::user::lock_address(&mut tx, address.as_str()).await?;
    if let Some(user) = existing(&mut tx, visit, &address).await? {
        return match (&address, is_confirmed(&user, &address)) {
            (_, true) => taken(state, tx, visit, &asked, user, address).await,
            (Address::Email(_), false) if !state.config.email.autoconfirm => {
                unproven::replace_password(state, &mut tx, &user, &hash).await?;
                ask_again(state, tx, visit, user, challenge.as_ref()).await
            }
            (Address::Phone(_), false) if !state.config.sms_autoconfirm => {
                unproven::replace_password(state, &mut tx, &user, &hash).await?;
                ask_by_text(state, tx, user).await
            }
            (_, false) => claim(state, tx, visit, &asked, user, &address).await,
        };
    }
    let user = create(state, &mut tx, visit, &address, Some(&hash), asked.data).await?;
    if is_confirmed_at_once(state, &address) {
        confirm(state, &mut tx, visit, &user, &address).await?;
        let grant = grant::open(state, &mut tx, visit, user.id, "password").await?;
        tx.commit().await?;
        return Ok(SignedUp::Session(Box::new(grant)));
    }
    let provider = Some(json!({"provider": address.provider()}));
    audit::record(state, &mut tx, visit, &user, Action::ConfirmationRequested, provider).await?;
    if let Address::Phone(_) = address {
        return ask_by_text(state, tx, user).await;
    }
    let mail = letter::confirmation(state, &mut tx, visit, &user, challenge.as_ref()).await?;
    pending(state, tx, user.id, mail).await
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

async fn existing(
    tx: &mut Owner,
    visit: &Visit,
    address: &Address,
) -> Result<Option<User>, AuthError> {
    match store::user::id_by_address(tx, address, &visit.aud).await? {
        Some(id) => Ok(store::user::load(tx, id).await?),
        None => Ok(None),
    }
}

fn is_confirmed(user: &User, address: &Address) -> bool {
    match address {
        Address::Email(_) => user.email_confirmed_at.is_some(),
        Address::Phone(_) => user.phone_confirmed_at.is_some(),
    }
}

/// The address is confirmed already: said openly only where sign-up would have answered at once anyway.
async fn taken(
    state: &State,
    mut tx: Owner,
    visit: &Visit,
    asked: &SignUp<'_>,
    user: User,
    address: Address,
) -> Result<SignedUp, AuthError> {
    audit::record(state, &mut tx, visit, &user, Action::RepeatedSignup, None).await?;
    if state.config.email.autoconfirm || state.config.sms_autoconfirm {
        tx.commit().await?;
        return Err(AccountRefusal::UserAlreadyExists.into());
    }
    unsent::note(state, tx, Unsent::Confirmation, &address).await?;
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
    state: &State,
    mut tx: Owner,
    visit: &Visit,
    user: User,
    challenge: Option<&Challenge>,
) -> Result<SignedUp, AuthError> {
    store::user::lock(&mut tx, user.id).await?;
    let mail = letter::confirmation(state, &mut tx, visit, &user, challenge).await?;
    let invited = user.invited_at.is_some();
    let mut answer = pending(state, tx, user.id, mail).await?;
    if let (SignedUp::User(user), true) = (&mut answer, invited) {
        user.raw_user_meta_data = Some(json!({}));
        user.identities.clear();
    }
    Ok(answer)
}

/// The number waits for its confirmation: a code goes out.
async fn ask_by_text(state: &State, mut tx: Owner, user: User) -> Result<SignedUp, AuthError> {
    store::user::lock(&mut tx, user.id).await?;
    let kind = OneTime::Confirmation;
    let code = text::code(state, &mut tx, &user, user.phone(), kind).await?;
    let user = store::user::load(&mut tx, user.id).await?.ok_or(AccountRefusal::UserNotFound)?;
    tx.commit().await?;
    text::send(state, code).await?;
    Ok(SignedUp::User(Box::new(user)))
}

/// An unconfirmed account where confirmation is off now: who knows its password may have it.
async fn claim(
    state: &State,
    mut tx: Owner,
    visit: &Visit,
    asked: &SignUp<'_>,
    user: User,
    address: &Address,
) -> Result<SignedUp, AuthError> {
    let paid = guess::pay(state, &mut tx, Guess::Password, address.as_str(), visit.ip).await?;
    // No connection and no lock is held while passwords are hashed.
    tx.commit().await?;
    let hash = user.encrypted_password.clone().unwrap_or_default();
    if state.passwords.verify(asked.password, &hash).await? == Verdict::Wrong {
        return Err(AccountRefusal::UserAlreadyExists.into());
    }
    let mut tx = state.begin().await?;
    store::user::lock(&mut tx, user.id).await?;
    let user =
        store::user::load(&mut tx, user.id).await?.ok_or(AccountRefusal::UserAlreadyExists)?;
    if user.encrypted_password.as_deref() != Some(hash.as_str()) || user.is_banned(state.now()) {
        return Err(AccountRefusal::UserAlreadyExists.into());
    }
    if !is_confirmed(&user, address) {
        confirm(state, &mut tx, visit, &user, address).await?;
    }
    let grant = grant::open(state, &mut tx, visit, user.id, "password").await?;
    paid.give_back(&mut tx).await?;
    tx.commit().await?;
    Ok(SignedUp::Session(Box::new(grant)))
}

async fn pending(
    state: &State,
    mut tx: Owner,
    user: Uuid,
    mail: Posted,
) -> Result<SignedUp, AuthError> {
    let user = store::user::load(&mut tx, user).await?.ok_or(AccountRefusal::UserNotFound)?;
    tx.commit().await?;
    post::send(state, [mail]).await?;
    Ok(SignedUp::User(Box::new(user)))
}

/// Writes the account, its role, its identity and the merged metadata, in the order in which the original's
/// triggers see them. Whatever a trigger raises ends the whole.
async fn create(
    state: &State,
    tx: &mut Owner,
    visit: &Visit,
    address: &Address,
    hash: Option<&str>,
    data: Metadata,
) -> Result<User, AuthError> {
    let (email, phone) = match address {
        Address::Email(email) => (Some(email.as_str()), None),
        Address::Phone(phone) => (None, Some(phone.as_str())),
    };
    let new = NewAccount {
        email,
        phone,
        hash,
        data,
        provider: Some(address.provider()),
        by_admin: false,
    };
    create_account(state, tx, &visit.aud, new).await
}

/// An account to be written.
pub struct NewAccount<'a> {
    pub email: Option<&'a str>,
    pub phone: Option<&'a str>,
    pub hash: Option<&'a str>,
    pub data: Metadata,
    /// `email` or `phone`; none for an anonymous account.
    pub provider: Option<&'static str>,
    /// By an administrator: the identity then holds the address alone, and the metadata stay as
    /// they were given.
    pub by_admin: bool,
}

/// See [`create`]; also used for accounts that links and codes create.
pub async fn create_account(
    state: &State,
    tx: &mut Owner,
    aud: &str,
    new: NewAccount<'_>,
) -> Result<User, AuthError> {
    let saving = |error: sqlx::Error| AuthError::database("Database error saving new user", error);
    let (id, now) = (state.uuid(), state.now());
    let app_metadata = match new.provider {
        Some(provider) => object(json!({"provider": provider, "providers": [provider]})),
        None => Metadata::new(),
    };
    let row = store::user::NewRow {
        id,
        aud,
        email: new.email,
        phone: new.phone,
        encrypted_password: new.hash,
        app_metadata: &app_metadata,
        user_metadata: &new.data,
        is_anonymous: new.provider.is_none(),
        now,
    };
    hook::before_user_created(state, tx, None, &announced(&row, &state.config)).await?;
    store::user::insert(tx, &row).await.map_err(saving)?;
    store::user::set_role(tx, id, &state.config.jwt_default_group_name, now)
        .await
        .map_err(saving)?;
    if let Some(provider) = new.provider {
        let data = if new.by_admin { Metadata::new() } else { new.data };
        let identity = identity_data(id, new.email, new.phone, data);
        let row = store::identity::NewRow {
            id: state.uuid(),
            user_id: id,
            provider,
            provider_id: &id.to_string(),
            data: &identity,
            now,
        };
        store::identity::insert(tx, &row).await.map_err(saving)?;
        if !new.by_admin {
            // Triggers may have changed the row meanwhile, so what is merged into is read again.
            let fresh = store::user::load(tx, id).await?.ok_or(AccountRefusal::UserNotFound)?;
            let mut metadata = fresh.user_metadata();
            merge(&mut metadata, identity);
            store::user::set_user_metadata(tx, id, &metadata, now).await.map_err(saving)?;
        }
    }
    let user = store::user::load(tx, id).await?.ok_or(AccountRefusal::UserNotFound)?;
    hook::after_user_created(state, tx, None, &user).await?;
    Ok(user)
}

/// The account as a hook sees it before it is written.
pub(super) fn announced(row: &store::user::NewRow<'_>, config: &crate::config::Config) -> User {
    User {
        id: row.id,
        aud: Some(row.aud.to_owned()),
        role: Some(config.jwt_default_group_name.clone()),
        email: row.email.map(str::to_owned),
        phone: row.phone.map(str::to_owned),
        raw_app_meta_data: Some(Value::Object(row.app_metadata.clone())),
        raw_user_meta_data: Some(Value::Object(row.user_metadata.clone())),
        created_at: Some(row.now),
        updated_at: Some(row.now),
        is_anonymous: row.is_anonymous,
        ..User::blank()
    }
}

/// What the identity of an address says; the account's own facts win over what the person gave.
pub fn identity_data(
    id: Uuid,
    email: Option<&str>,
    phone: Option<&str>,
    data: Metadata,
) -> Metadata {
    let mut identity = object(json!({"sub": id}));
    if let Some(email) = email {
        identity.insert("email".to_owned(), json!(email));
    }
    if let Some(phone) = phone {
        identity.insert("phone".to_owned(), json!(phone));
    }
    identity.insert("email_verified".to_owned(), json!(false));
    identity.insert("phone_verified".to_owned(), json!(false));
    for (key, value) in data {
        identity.entry(key).or_insert(value);
    }
    identity
}

/// Confirms at once, as the settings want it.
async fn confirm(
    state: &State,
    tx: &mut Owner,
    visit: &Visit,
    user: &User,
    address: &Address,
) -> Result<(), AuthError> {
    let saving = |error: sqlx::Error| AuthError::database("Database error updating user", error);
    let provider = Some(json!({"provider": address.provider()}));
    audit::record(state, tx, visit, user, Action::UserSignedUp, provider).await?;
    let now = state.now();
    let mut metadata = user.user_metadata();
    match address {
        Address::Email(_) => {
            store::user::confirm_email(tx, user.id, now).await.map_err(saving)?;
            metadata.insert("email_verified".to_owned(), json!(true));
        }
        Address::Phone(_) => {
            store::user::confirm_phone(tx, user.id, now).await.map_err(saving)?;
            metadata.insert("phone_verified".to_owned(), json!(true));
        }
    }
    store::user::set_user_metadata(tx, user.id, &metadata, now).await.map_err(saving)?;
    store::one_time_token::clear_all(tx, user.id).await?;
    Ok(())
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
    let mut tx = state.begin().await?;
    let new =
        NewAccount { email: None, phone: None, hash: None, data, provider: None, by_admin: false };
    let user = create_account(state, &mut tx, &visit.aud, new).await?;
    let grant = grant::open(state, &mut tx, visit, user.id, "anonymous").await?;
    tx.commit().await?;
    Ok(grant)
}

/// A JSON object literal as metadata.
pub fn object(value: Value) -> Metadata {
    match value {
        Value::Object(object) => object,
        _ => Metadata::new(),
    }
}
