//! Creating an account as an administrator: without mail, password rules or the check that sign-up
//! is enabled.

use chrono::{DateTime, Utc};
use uuid::Uuid;

use crate::account::{self, AccountOrigin, AnnouncedAccount, CreatedAccount, NewAccount, confirm};
use crate::audit::{Action, record_by_admin};
use crate::error::{AccountRefusal, AuthError, InvalidRequest};
use crate::hashing::is_known;
use crate::model::metadata::Metadata;
use crate::model::{Address, Email, Phone, RequestContext, User, duration};
use crate::state::State;
use crate::store;
use crate::unit_of_work::UnitOfWork;

/// The fields with which an administrator creates or changes an account.
#[derive(Debug, Default)]
pub struct UserAttributes<'a> {
    pub id: Option<Uuid>,
    pub aud: Option<&'a str>,
    pub role: Option<&'a str>,
    pub email: Option<&'a str>,
    pub phone: Option<&'a str>,
    pub password: Option<&'a str>,
    pub password_hash: Option<&'a str>,
    pub email_confirm: bool,
    pub phone_confirm: bool,
    pub user_metadata: Option<Metadata>,
    pub app_metadata: Option<Metadata>,
    pub ban_duration: Option<&'a str>,
}

/// The end of a ban; `None` lifts it.
pub type Ban = Option<DateTime<Utc>>;

impl UserAttributes<'_> {
    /// Parses the addresses; an empty address counts as absent.
    pub fn addresses(&self) -> Result<(Option<Email>, Option<Phone>), InvalidRequest> {
        let is_filled = |text: &&str| !text.is_empty();
        let email = self.email.filter(is_filled).map(Email::parse).transpose()?;
        let phone = self.phone.filter(is_filled).map(Phone::parse).transpose()?;
        Ok((email, phone))
    }

    /// Whether the address is confirmed at once.
    pub fn confirms(&self, address: &Address) -> bool {
        match address {
            Address::Email(_) => self.email_confirm,
            Address::Phone(_) => self.phone_confirm,
        }
    }

    /// The new end of a ban; `None` leaves the ban unchanged.
    pub fn ban(&self, state: &State) -> Result<Option<Ban>, InvalidRequest> {
        match self.ban_duration {
            None | Some("") => Ok(None),
            Some("none") => Ok(Some(None)),
            Some(text) => {
                let length = duration::parse(text);
                let end = length.and_then(|length| state.now().checked_add_signed(length));
                end.map(|end| Some(Some(end))).ok_or(InvalidRequest::BanDuration(text.to_owned()))
            }
        }
    }

    /// The password hash to store: the given hash, or that of the given password.
    pub async fn hash(&self, state: &State) -> Result<Option<String>, AuthError> {
        match (self.password.filter(|text| !text.is_empty()), self.password_hash) {
            (Some(_), Some(hash)) if !hash.is_empty() => {
                Err(InvalidRequest::PasswordAndHash.into())
            }
            (Some(password), _) if password.len() > 72 => {
                Err(InvalidRequest::PasswordTooLong.into())
            }
            (Some(password), _) => Ok(Some(state.hash(password).await?)),
            (None, Some(hash)) if is_known(hash) => Ok(Some(hash.to_owned())),
            (None, Some(hash)) if !hash.is_empty() => Err(InvalidRequest::PasswordHash.into()),
            _ => Ok(None),
        }
    }
}

/// Creates the account.
///
/// # Errors
/// Malformed fields, or [`AccountRefusal::EmailExists`] and [`AccountRefusal::PhoneExists`].
#[tracing::instrument(name = "auth.admin_create_user", skip_all)]
pub async fn create_user(
    state: &State,
    context: &RequestContext,
    fields: UserAttributes<'_>,
) -> Result<User, AuthError> {
    let (email, phone) = fields.addresses()?;
    let addresses: Vec<Address> =
        email.map(Address::Email).into_iter().chain(phone.map(Address::Phone)).collect();
    if addresses.is_empty() {
        return Err(InvalidRequest::AdminAddressMissing.into());
    }
    let ban = fields.ban(state)?;
    // No connection is held while the password is hashed.
    let hash = fields.hash(state).await?;
    let mut work = UnitOfWork::begin(state, context).await?;
    let aud = fields.aud.filter(|aud| !aud.is_empty()).unwrap_or(&context.aud);
    check_free(&mut work, &addresses, aud).await?;
    let new = NewAccount {
        hash: hash.as_deref(),
        role: fields.role.filter(|role| !role.is_empty()),
        user_metadata: fields.user_metadata.clone().unwrap_or_default(),
        app_metadata: fields.app_metadata.clone().unwrap_or_default(),
        ..NewAccount::of(aud, &addresses, AccountOrigin::Admin)
    };
    let announced = AnnouncedAccount::silent(fields.id.unwrap_or_else(|| state.uuid()));
    let CreatedAccount { user, .. } = account::create(&mut work, new, announced).await?;
    if let Some(until) = ban {
        let now = work.now();
        store::user::admin::set_banned_until(&mut work.tx, user.id, until, now).await?;
    }
    for address in &addresses {
        if fields.confirms(address) {
            confirm::note(&mut work, &user, address).await?;
        }
    }
    let user = work.user(user.id).await?;
    record_by_admin(state, &mut work.tx, context, &user, Action::UserSignedUp).await?;
    work.commit().await?;
    Ok(user)
}

async fn check_free(
    work: &mut UnitOfWork<'_>,
    addresses: &[Address],
    aud: &str,
) -> Result<(), AuthError> {
    for address in addresses {
        store::user::contact::lock_address(&mut work.tx, address.as_str()).await?;
        if store::user::contact::id_by_address(&mut work.tx, address, aud).await?.is_some() {
            return Err(match address {
                Address::Email(_) => AccountRefusal::EmailExists.into(),
                Address::Phone(_) => AccountRefusal::PhoneExists.into(),
            });
        }
    }
    Ok(())
}
