//! Accounts that the program itself creates, without a request.

use std::net::{IpAddr, Ipv4Addr};

use secrecy::{ExposeSecret as _, SecretString};
use uuid::Uuid;

use super::{AccountOrigin, NewAccount, announce_address, confirm, create};
use crate::audit::{Action, record_by_admin};
use crate::error::AuthError;
use crate::model::metadata::Metadata;
use crate::model::{Address, Email, RequestContext};
use crate::state::State;
use crate::store;
use crate::unit_of_work::UnitOfWork;

/// An account to create.
#[derive(Debug)]
pub struct NewUser {
    pub email: String,
    pub password: InitialPassword,
    /// The user's own metadata; triggers see it.
    pub user_metadata: Metadata,
    /// The installation's metadata of the user, without the providers.
    pub app_metadata: Metadata,
    /// Whether the address is confirmed at once; no mail is sent in either case.
    pub confirmed: bool,
}

/// The first password of an account.
#[derive(Debug)]
pub enum InitialPassword {
    /// The password in plain text.
    Plain(SecretString),
    /// A hash from [`Passwords::hash`](crate::Passwords::hash), for callers that compute it in
    /// advance.
    Hash(SecretString),
}

impl From<&str> for InitialPassword {
    fn from(password: &str) -> Self {
        Self::Plain(password.into())
    }
}

/// Creates the account unless its address has one already, and returns the account's id. An
/// existing account is not changed.
///
/// # Errors
/// A malformed address, or an error of the database.
pub async fn ensure_user(state: &State, new: NewUser) -> Result<Uuid, AuthError> {
    let email = Email::parse(&new.email)?;
    let aud = state.config.jwt_aud.clone();
    let hash = match &new.password {
        InitialPassword::Plain(password) => state.hash(password.expose_secret()).await?,
        InitialPassword::Hash(hash) => hash.expose_secret().to_owned(),
    };
    let here = RequestContext {
        ip: IpAddr::from(Ipv4Addr::LOCALHOST),
        user_agent: String::new(),
        aud,
        redirect_to: String::new(),
        mail_base: None,
    };
    let address = Address::Email(email);
    let account = NewAccount {
        hash: Some(&hash),
        user_metadata: new.user_metadata,
        app_metadata: new.app_metadata,
        ..NewAccount::of(&here.aud, std::slice::from_ref(&address), AccountOrigin::Person)
    };
    let announced = announce_address(state, &here, &account).await?;
    let mut work = UnitOfWork::begin(state, &here).await?;
    store::user::contact::lock_address(&mut work.tx, address.as_str()).await?;
    if let Some(id) = store::user::contact::id_by_address(&mut work.tx, &address, &here.aud).await?
    {
        // Nothing was written; dropping the transaction releases the lock on the address.
        return Ok(id);
    }
    let account_created = create(&mut work, account, announced).await?;
    let id = account_created.user.id;
    if new.confirmed {
        confirm::note(&mut work, &account_created.user, &address).await?;
    }
    record_by_admin(state, &mut work.tx, &here, &account_created.user, Action::UserSignedUp)
        .await?;
    work.commit().await?;
    account_created.notify_hooks(state, &here).await?;
    Ok(id)
}
