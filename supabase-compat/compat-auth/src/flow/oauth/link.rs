//! Whose account an outside one is.

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
    /// Tells the person that an account was added to theirs.
    pub notice: PendingMessages,
    /// The account, when it is new.
    pub made: Option<CreatedAccount>,
}

/// The provider did not verify the address; what was written stays, and a mail goes out unless one
/// just did.
pub struct UnverifiedEmail {
    pub mail: Option<PendingMessages>,
}

/// Asks an operator's hook about the account that `person` would get, if they have none.
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

/// The account that `person` signs in to: their own, one with the same verified address, or a new
/// one.
pub async fn sign_in(
    work: &mut UnitOfWork<'_>,
    provider: &str,
    person: &Person,
    announced: AnnouncedAccount,
) -> Result<LinkedAccount, AuthError> {
    let (state, context) = (work.state, work.context);
    let email = person.email.as_ref().map(|(email, _)| email.as_str());
    // Without an address the subject stands for it: two first sign-ins at once make one account.
    store::user::contact::lock_address(&mut work.tx, email.unwrap_or(&person.sub)).await?;
    let mut made = None;
    let user = match store::identity::find(&mut work.tx, provider, &person.sub).await? {
        Some((identity, user)) => known(work, identity, user, person).await?,
        None => match same_address(state, &mut work.tx, person).await? {
            Some(user) => add(work, provider, person, user).await?,
            None => made.insert(create(work, provider, person, announced).await?).user.clone(),
        },
    };
    if user.is_banned(state.now()) {
        return Err(CallerRefusal::Banned.into());
    }
    let settled =
        LinkedAccount { user: user.id, unverified: None, notice: PendingMessages::default(), made };
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
        // A mail that just went out confirms the address as well.
        Err(AuthError::RateLimit(RateLimitRefusal::TooSoon(_))) => None,
        Err(other) => return Err(other),
    };
    Ok(LinkedAccount { unverified: Some(UnverifiedEmail { mail }), ..settled })
}

/// The provider's facts are kept fresh at every sign-in.
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
    lay_over(work, &user, &person.data).await?;
    names::recompute(work, user.id).await?;
    work.user(user.id).await
}

/// Only an address that the provider verified proves anything.
async fn same_address(
    state: &State,
    tx: &mut Owner,
    person: &Person,
) -> Result<Option<Uuid>, AuthError> {
    let Some((email, verified)) = &person.email else { return Ok(None) };
    if !verified && !state.config.email.autoconfirm {
        return Ok(None);
    }
    let found = store::identity::users_of_email(tx, email).await?;
    match found.as_slice() {
        [] => Ok(None),
        [one] => Ok(Some(*one)),
        _ => Err(ExternalAccountRefusal::MultipleAccounts.into()),
    }
}

/// Adds the identity. Whoever made an account without confirming it may have been preparing to take
/// it over: nothing of theirs survives the true owner's arrival.
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
        lay_over(work, &user, &person.data).await?;
    }
    names::recompute(work, user.id).await?;
    work.user(user.id).await
}

async fn lay_over(
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

/// A new account; an unverified address that somebody else has stays with them.
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
    if let Some(wanted) = addresses.first()
        && store::user::contact::id_by_address(&mut work.tx, wanted, &context.aud).await?.is_some()
    {
        addresses.clear();
    }
    account::create(work, new(context, provider, person, &addresses), announced).await
}

/// Adds `person` to the account that asked for it; an anonymous one becomes permanent with a
/// verified address.
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
    lay_over(work, &user, &person.data).await?;
    names::recompute(work, user.id).await?;
    let traits = Some(json!({"provider": provider, "provider_id": person.sub}));
    work.record(&user, Action::IdentityLinked, traits).await?;
    let facts = [("Provider", provider)];
    let kind = MailKind::IdentityLinked;
    let (state, tx) = (work.state, &mut work.tx);
    let notice = email::notice(state, tx, &user, kind, user.email(), &facts).await?;
    Ok(LinkedAccount { user: user.id, unverified: None, notice, made: None })
}
