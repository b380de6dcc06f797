//! Creating an account, whoever creates it.
//!
//! An operator's hooks run at three moments. *Before* the transaction, while no connection is held,
//! an HTTP hook may refuse the account ([`announce`]). *Within* the transaction only database
//! functions run, and their writes are committed or rolled back with the account ([`create`]).
//! *After* the commit an HTTP hook is notified, which can then read the row
//! ([`CreatedAccount::notify_hooks`]).

use serde_json::{Value, json};
use uuid::Uuid;

use super::identity;
use crate::error::{AccountRefusal, AuthError};
use crate::hook;
use crate::model::metadata::{Metadata, merge};
use crate::model::{Address, RequestContext, User};
use crate::state::State;
use crate::store;
use crate::unit_of_work::UnitOfWork;

/// An account to create.
pub struct NewAccount<'a> {
    pub aud: &'a str,
    /// Empty for an anonymous account. An administrator may give one address of each kind.
    pub addresses: &'a [Address],
    pub hash: Option<&'a str>,
    /// `None` is the installation's default role.
    pub role: Option<&'a str>,
    pub user_metadata: Metadata,
    /// Without `provider` and `providers`, which are derived from the origin.
    pub app_metadata: Metadata,
    pub maker: AccountOrigin<'a>,
}

/// Who creates an account; decides what its identities contain.
#[derive(Debug, Clone, Copy)]
pub enum AccountOrigin<'a> {
    /// A person with an address. Their metadata goes into the identity, and the identity's data
    /// into their metadata.
    Person,
    /// An administrator. The identity contains the address alone, and the metadata stays as given.
    Admin,
    /// A provider that identifies the person by `sub`. The provider's claims become the metadata.
    Provider { name: &'a str, sub: &'a str },
}

impl<'a> NewAccount<'a> {
    /// An account without password, role and metadata.
    pub fn of(aud: &'a str, addresses: &'a [Address], maker: AccountOrigin<'a>) -> Self {
        Self {
            aud,
            addresses,
            hash: None,
            role: None,
            user_metadata: Metadata::new(),
            app_metadata: Metadata::new(),
            maker,
        }
    }

    /// The providers of the account's identities, in the order of the identities.
    fn providers(&self) -> Vec<&'a str> {
        match self.maker {
            AccountOrigin::Provider { name, .. } => vec![name],
            _ => self.addresses.iter().map(Address::provider).collect(),
        }
    }

    fn app_metadata(&self) -> Metadata {
        let mut metadata = self.app_metadata.clone();
        let providers = self.providers();
        if let Some(first) = providers.first() {
            metadata.insert("provider".to_owned(), json!(first));
            metadata.insert("providers".to_owned(), json!(providers));
        }
        metadata
    }

    fn email(&self) -> Option<&'a str> {
        self.addresses.iter().find_map(Address::email)
    }

    fn phone(&self) -> Option<&'a str> {
        self.addresses.iter().find_map(Address::phone)
    }

    fn role<'b>(&'b self, state: &'b State) -> &'b str {
        self.role.unwrap_or(&state.config.jwt_default_group_name)
    }

    /// The account as a hook receives it before it is written.
    fn preview(&self, state: &State, id: Uuid) -> User {
        let now = Some(state.now());
        User {
            id,
            aud: Some(self.aud.to_owned()),
            role: Some(self.role(state).to_owned()),
            email: self.email().map(str::to_owned),
            phone: self.phone().map(str::to_owned),
            raw_app_meta_data: Some(Value::Object(self.app_metadata())),
            raw_user_meta_data: Some(Value::Object(self.user_metadata.clone())),
            created_at: now,
            updated_at: now,
            is_anonymous: self.providers().is_empty(),
            ..User::blank()
        }
    }
}

/// The id of an account to create, and whether its hooks were called.
pub struct AnnouncedAccount {
    id: Uuid,
    consultation: HookConsultation,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum HookConsultation {
    /// The hooks that run before the transaction were called and accepted the account.
    Asked,
    /// No hook was called, because the account existed already.
    Known,
    /// No hook is called for this account.
    Nothing,
}

impl AnnouncedAccount {
    /// An account for which no hook is called: an administrator creates it.
    pub fn silent(id: Uuid) -> Self {
        Self { id, consultation: HookConsultation::Nothing }
    }
}

/// Whether [`announce`] calls a hook; only then is it worth looking up the account first.
pub fn has_asker(state: &State) -> bool {
    hook::is_outside(state.config.hooks.before_user_created.as_ref())
}

/// Calls the hook before anything is locked or written. With `is_known` the account exists already
/// and no hook is called.
///
/// # Errors
/// The hook refuses or fails.
pub async fn announce(
    state: &State,
    context: &RequestContext,
    new: &NewAccount<'_>,
    is_known: bool,
) -> Result<AnnouncedAccount, AuthError> {
    let id = state.uuid();
    if is_known {
        return Ok(AnnouncedAccount { id, consultation: HookConsultation::Known });
    }
    hook::before_user_created(state, context, &new.preview(state, id)).await?;
    Ok(AnnouncedAccount { id, consultation: HookConsultation::Asked })
}

/// Like [`announce`], for an account with one address; looks the account up if there is a hook to
/// call.
///
/// # Errors
/// As [`announce`].
pub async fn announce_address(
    state: &State,
    context: &RequestContext,
    new: &NewAccount<'_>,
) -> Result<AnnouncedAccount, AuthError> {
    let is_known = match new.addresses.first().filter(|_| has_asker(state)) {
        Some(address) => {
            let mut tx = state.begin().await?;
            store::user::contact::id_by_address(&mut tx, address, new.aud).await?.is_some()
        }
        None => false,
    };
    announce(state, context, new, is_known).await
}

/// A created account of which the hooks are not notified yet.
#[must_use = "an operator's hook is told after the commit"]
pub struct CreatedAccount {
    pub user: User,
    skips_hooks: bool,
}

impl CreatedAccount {
    /// Notifies the hook; call this after the commit.
    ///
    /// # Errors
    /// The hook refuses or fails; the account stays.
    pub async fn notify_hooks(
        self,
        state: &State,
        context: &RequestContext,
    ) -> Result<(), AuthError> {
        if self.skips_hooks {
            return Ok(());
        }
        hook::after_user_created(state, context, &self.user).await
    }
}

/// Like [`CreatedAccount::notify_hooks`], for flows that may have created no account.
///
/// # Errors
/// As [`CreatedAccount::notify_hooks`].
pub async fn notify_hooks(
    state: &State,
    context: &RequestContext,
    account: Option<CreatedAccount>,
) -> Result<(), AuthError> {
    match account {
        Some(account) => account.notify_hooks(state, context).await,
        None => Ok(()),
    }
}

/// Writes the account, its role, its identities and the merged metadata, in the order that the
/// original's triggers observe. An error of a trigger ends the transaction.
///
/// # Errors
/// The error of a hook or of a trigger, or [`AccountRefusal::Vanished`].
pub async fn create(
    work: &mut UnitOfWork<'_>,
    new: NewAccount<'_>,
    announced: AnnouncedAccount,
) -> Result<CreatedAccount, AuthError> {
    let AnnouncedAccount { id, consultation } = announced;
    if consultation == HookConsultation::Known && has_asker(work.state) {
        return Err(AccountRefusal::Vanished.into());
    }
    let skips_hooks = consultation == HookConsultation::Nothing;
    if !skips_hooks {
        hook::before_user_created_within(work, &new.preview(work.state, id)).await?;
    }
    let saving = |error: sqlx::Error| AuthError::database("Database error saving new user", error);
    insert(work, id, &new).await.map_err(saving)?;
    let mut known = Metadata::new();
    for provider in new.providers() {
        known = identity_of(id, &new, provider);
        let (provider_id, now) = (id.to_string(), work.now());
        let row = store::identity::NewRow {
            id: work.state.uuid(),
            user_id: id,
            provider,
            provider_id: match new.maker {
                AccountOrigin::Provider { sub, .. } => sub,
                _ => &provider_id,
            },
            data: &known,
            now,
        };
        store::identity::insert(&mut work.tx, &row).await.map_err(saving)?;
    }
    // Read again, because triggers may have changed the row.
    let mut user = work.user(id).await?;
    if matches!(new.maker, AccountOrigin::Person) && !known.is_empty() {
        let mut metadata = user.user_metadata();
        merge(&mut metadata, known);
        let now = work.now();
        let merged = store::user::replace_user_metadata(&mut work.tx, id, &metadata, now).await;
        user = merged.map_err(saving)?.ok_or(AccountRefusal::UserNotFound)?;
    }
    if !skips_hooks {
        hook::after_user_created_within(work, &user).await?;
    }
    Ok(CreatedAccount { user, skips_hooks })
}

async fn insert(work: &mut UnitOfWork<'_>, id: Uuid, new: &NewAccount<'_>) -> sqlx::Result<()> {
    let now = work.now();
    let row = store::user::NewRow {
        id,
        aud: new.aud,
        email: new.email(),
        phone: new.phone(),
        encrypted_password: new.hash,
        app_metadata: &new.app_metadata(),
        user_metadata: &new.user_metadata,
        is_anonymous: new.providers().is_empty(),
        now,
    };
    store::user::insert(&mut work.tx, &row).await?;
    store::user::admin::set_role(&mut work.tx, id, new.role(work.state), now).await
}

fn identity_of(id: Uuid, new: &NewAccount<'_>, provider: &str) -> Metadata {
    let user_metadata = |maker| match maker {
        AccountOrigin::Admin => Metadata::new(),
        _ => new.user_metadata.clone(),
    };
    match (new.maker, new.addresses.iter().find(|address| address.provider() == provider)) {
        (AccountOrigin::Provider { .. }, _) | (_, None) => new.user_metadata.clone(),
        (maker, Some(address)) => identity::data_of(id, address, user_metadata(maker)),
    }
}
