//! Finding or creating the account that an external account belongs to.

use compat_pg::Owner;
use serde_json::json;
use uuid::Uuid;

use crate::account::{
    self, AccountOrigin, AnnouncedAccount, CreatedAccount, NewAccount, confirm, names,
};
use crate::audit::Action;
use crate::error::{
    AccountRefusal, AuthError, CallerRefusal, DisabledFeature, ExternalAccountRefusal,
    RateLimitRefusal,
};
use crate::flow::unverified;
use crate::mail::MailKind;
use crate::model::metadata::{Metadata, merge};
use crate::model::{Address, Email, RequestContext, User};
use crate::outbox::{PendingMessages, email};
use crate::pending;
use crate::provider::Person;
use crate::state::State;
use crate::store;
use crate::unit_of_work::UnitOfWork;

/// The account, and whether its address must be confirmed before it may be used.
pub struct LinkedAccount {
    pub user: Uuid,
    pub unverified: Option<UnverifiedEmail>,
    /// The notice that an identity was added to the account.
    pub notice: PendingMessages,
    /// The account, if it was created.
    pub new_account: Option<CreatedAccount>,
}

/// The provider did not verify the address. The writes are committed, and a confirmation mail is
/// sent unless one was sent a moment ago.
pub struct UnverifiedEmail {
    pub mail: Option<PendingMessages>,
}

/// Calls an operator's hook about the account that would be created for `person`, if they have
/// none.
pub async fn announce(
    state: &State,
    context: &RequestContext,
    provider: &str,
    person: &Person,
) -> Result<AnnouncedAccount, AuthError> {
    let mut is_known = false;
    if account::has_asker(state) {
        let mut tx = state.begin().await?;
        is_known = store::identity::find(&mut tx, provider, &person.sub).await?.is_some()
            || same_address(state, &mut tx, person).await?.is_some();
    }
    let addresses = addresses(person);
    account::announce(state, context, &new(context, provider, person, &addresses), is_known).await
}

/// Signs `person` in to their own account, to one with the same verified address, or to a new one.
pub async fn sign_in(
    work: &mut UnitOfWork<'_>,
    provider: &str,
    person: &Person,
    announced: AnnouncedAccount,
) -> Result<LinkedAccount, AuthError> {
    let (state, context) = (work.state, work.context);
    let email = person.email.as_ref().map(|(email, _)| email.as_str());
    // Without an address the lock is on the subject, so that two concurrent first sign-ins create
    // one account.
    store::user::contact::lock_address(&mut work.tx, email.unwrap_or(&person.sub)).await?;
    let mut new_account = None;
    let user = match store::identity::find(&mut work.tx, provider, &person.sub).await? {
        Some((identity, user)) => known(work, identity, user, person).await?,
        None => match same_address(state, &mut work.tx, person).await? {
            Some(user) => add(work, provider, person, user).await?,
            None => {
                new_account.insert(create(work, provider, person, announced).await?).user.clone()
            }
        },
    };
    if user.is_banned(state.now()) {
        return Err(CallerRefusal::Banned.into());
    }
    let settled = LinkedAccount {
        user: user.id,
        unverified: None,
        notice: PendingMessages::default(),
        new_account,
    };
    let verified = person.email.as_ref().is_none_or(|(_, verified)| *verified);
    let traits = Some(json!({"provider": provider}));
    if user.is_confirmed() || user.email().is_empty() {
        work.record(&user, Action::Login, traits).await?;
        return Ok(settled);
    }
    if verified || state.config.email.autoconfirm {
        let email = Address::Email(Email::stored(user.email()));
        confirm::confirm(work, &user, &email).await?;
        work.record(&user, Action::UserSignedUp, traits).await?;
        return Ok(settled);
    }
    if state.config.email.allow_unverified_sign_ins {
        return Ok(settled);
    }
    let mail = match email::confirmation(state, &mut work.tx, context, &user, None).await {
        Ok(mail) => Some(mail),
        // The mail that was sent a moment ago confirms the address as well.
        Err(AuthError::RateLimit(RateLimitRefusal::TooSoon(_))) => None,
        Err(other) => return Err(other),
    };
    Ok(LinkedAccount { unverified: Some(UnverifiedEmail { mail }), ..settled })
}

/// Updates the identity with the provider's current data at every sign-in.
async fn known(
    work: &mut UnitOfWork<'_>,
    identity: Uuid,
    user: Uuid,
    person: &Person,
) -> Result<User, AuthError> {
    let now = work.now();
    store::user::lock(&mut work.tx, user).await?;
    store::identity::touch(&mut work.tx, identity, &person.data, now).await?;
    let user = work.user(user).await?;
    merge_metadata(work, &user, &person.data).await?;
    names::recompute(work, user.id).await?;
    work.user(user.id).await
}

/// The account with the same address; only an address that the provider verified counts.
async fn same_address(
    state: &State,
    tx: &mut Owner,
    person: &Person,
) -> Result<Option<Uuid>, AuthError> {
    let Some((email, verified)) = &person.email else { return Ok(None) };
    if !verified && !state.config.email.autoconfirm {
        return Ok(None);
    }
    let users = store::identity::users_of_email(tx, email).await?;
    match users.as_slice() {
        [] => Ok(None),
        [one] => Ok(Some(*one)),
        _ => Err(ExternalAccountRefusal::MultipleAccounts.into()),
    }
}

/// Adds the identity. An unconfirmed account may have been created to take it over later, so
/// everything that its creator set is removed.
async fn add(
    work: &mut UnitOfWork<'_>,
    provider: &str,
    person: &Person,
    user: Uuid,
) -> Result<User, AuthError> {
    store::user::lock(&mut work.tx, user).await?;
    let user = work.user(user).await?;
    let identity = insert_identity(work, provider, person, user.id).await?;
    if user.is_unproven() {
        let (state, now) = (work.state, work.now());
        unverified::shut_out(state, &mut work.tx, &user).await?;
        store::identity::delete_others(&mut work.tx, user.id, identity).await?;
        pending::void(&mut work.tx, user.id).await?;
        store::user::set_user_metadata(&mut work.tx, user.id, &person.data, now).await?;
    } else {
        merge_metadata(work, &user, &person.data).await?;
    }
    names::recompute(work, user.id).await?;
    work.user(user.id).await
}

async fn merge_metadata(
    work: &mut UnitOfWork<'_>,
    user: &User,
    data: &Metadata,
) -> Result<(), AuthError> {
    let (mut metadata, now) = (user.user_metadata(), work.now());
    merge(&mut metadata, data.clone());
    store::user::set_user_metadata(&mut work.tx, user.id, &metadata, now).await?;
    Ok(())
}

async fn insert_identity(
    work: &mut UnitOfWork<'_>,
    provider: &str,
    person: &Person,
    user: Uuid,
) -> Result<Uuid, AuthError> {
    let (id, now) = (work.state.uuid(), work.now());
    let row = store::identity::NewRow {
        id,
        user_id: user,
        provider,
        provider_id: &person.sub,
        data: &person.data,
        now,
    };
    store::identity::insert(&mut work.tx, &row).await?;
    Ok(id)
}

fn addresses(person: &Person) -> Vec<Address> {
    person.email.iter().map(|(email, _)| Address::Email(Email::stored(email))).collect()
}

fn new<'a>(
    context: &'a RequestContext,
    provider: &'a str,
    person: &'a Person,
    addresses: &'a [Address],
) -> NewAccount<'a> {
    let maker = AccountOrigin::Provider { name: provider, sub: &person.sub };
    NewAccount {
        user_metadata: person.data.clone(),
        ..NewAccount::of(&context.aud, addresses, maker)
    }
}

/// Creates an account. An unverified address that belongs to another account stays with that
/// account.
async fn create(
    work: &mut UnitOfWork<'_>,
    provider: &str,
    person: &Person,
    announced: AnnouncedAccount,
) -> Result<CreatedAccount, AuthError> {
    let context = work.context;
    if work.state.config.disable_signup {
        return Err(DisabledFeature::Signup.into());
    }
    let mut addresses = addresses(person);
    if let Some(address) = addresses.first()
        && store::user::contact::id_by_address(&mut work.tx, address, &context.aud).await?.is_some()
    {
        addresses.clear();
    }
    account::create(work, new(context, provider, person, &addresses), announced).await
}

/// Adds the identity to the account that requested it. An anonymous account becomes permanent if
/// the address is verified.
pub async fn to_account(
    work: &mut UnitOfWork<'_>,
    provider: &str,
    person: &Person,
    target: Uuid,
) -> Result<LinkedAccount, AuthError> {
    store::user::lock(&mut work.tx, target).await?;
    let user = work.user(target).await?;
    if let Some((_, owner)) = store::identity::find(&mut work.tx, provider, &person.sub).await? {
        return Err(ExternalAccountRefusal::IdentityExists { other: owner != user.id }.into());
    }
    insert_identity(work, provider, person, user.id).await?;
    if let Some((email, true)) = &person.email
        && user.email().is_empty()
    {
        let email = email.as_str();
        let others = store::identity::users_of_email(&mut work.tx, email).await?;
        if others.iter().any(|id| *id != user.id) {
            return Err(AccountRefusal::EmailExists.into());
        }
        let now = work.now();
        store::user::contact::apply_email_change(&mut work.tx, user.id, email, now).await?;
    }
    merge_metadata(work, &user, &person.data).await?;
    names::recompute(work, user.id).await?;
    let traits = Some(json!({"provider": provider, "provider_id": person.sub}));
    work.record(&user, Action::IdentityLinked, traits).await?;
    let facts = [("Provider", provider)];
    let kind = MailKind::IdentityLinked;
    let (state, tx) = (work.state, &mut work.tx);
    let notice = email::notice(state, tx, &user, kind, user.email(), &facts).await?;
    Ok(LinkedAccount { user: user.id, unverified: None, notice, new_account: None })
}
