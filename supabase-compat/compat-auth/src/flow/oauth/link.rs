//! Whose account an outside one is.

use compat_pg::Owner;
use serde_json::json;
use uuid::Uuid;

use crate::account::{self, Announced, Made, Maker, NewAccount, confirm, names};
use crate::audit::Action;
use crate::error::{AccountRefusal, AskerRefusal, AuthError, Closed, OutsideRefusal, TooOften};
use crate::flow::unproven;
use crate::mail::MailKind;
use crate::model::metadata::{Metadata, merge};
use crate::model::{Address, Email, User, Visit};
use crate::outbox::{PendingMessages, email};
use crate::pending;
use crate::provider::Person;
use crate::state::State;
use crate::store;
use crate::turn::Turn;

/// The account, and whether its address must be confirmed before it may be used.
pub struct Settled {
    pub user: Uuid,
    pub unverified: Option<Unverified>,
    /// Tells the person that an account was added to theirs.
    pub notice: PendingMessages,
    /// The account, when it is new.
    pub made: Option<Made>,
}

/// The provider did not verify the address; what was written stays, and a mail goes out unless one
/// just did.
pub struct Unverified {
    pub mail: Option<PendingMessages>,
}

/// Asks an operator's hook about the account that `person` would get, if they have none.
pub async fn announce(
    state: &State,
    visit: &Visit,
    provider: &str,
    person: &Person,
) -> Result<Announced, AuthError> {
    let mut is_known = false;
    if account::has_asker(state) {
        let mut tx = state.begin().await?;
        is_known = store::identity::find(&mut tx, provider, &person.sub).await?.is_some()
            || same_address(state, &mut tx, person).await?.is_some();
    }
    let addresses = addresses(person);
    account::announce(state, visit, &new(visit, provider, person, &addresses), is_known).await
}

/// The account that `person` signs in to: their own, one with the same verified address, or a new
/// one.
pub async fn sign_in(
    turn: &mut Turn<'_>,
    provider: &str,
    person: &Person,
    announced: Announced,
) -> Result<Settled, AuthError> {
    let (state, visit) = (turn.state, turn.visit);
    let email = person.email.as_ref().map(|(email, _)| email.as_str());
    store::user::lock_address(&mut turn.tx, email.unwrap_or(&person.sub)).await?;
    let mut made = None;
    let user = match store::identity::find(&mut turn.tx, provider, &person.sub).await? {
        Some((identity, user)) => known(turn, identity, user, person).await?,
        None => match same_address(state, &mut turn.tx, person).await? {
            Some(user) => add(turn, provider, person, user).await?,
            None => made.insert(create(turn, provider, person, announced).await?).user.clone(),
        },
    };
    if user.is_banned(state.now()) {
        return Err(AskerRefusal::Banned.into());
    }
    let settled =
        Settled { user: user.id, unverified: None, notice: PendingMessages::default(), made };
    let verified = person.email.as_ref().is_none_or(|(_, verified)| *verified);
    let traits = Some(json!({"provider": provider}));
    if user.is_confirmed() || user.email().is_empty() {
        turn.record(&user, Action::Login, traits).await?;
        return Ok(settled);
    }
    if verified || state.config.email.autoconfirm {
        let email = Address::Email(Email::stored(user.email()));
        confirm::confirm(turn, &user, &email).await?;
        turn.record(&user, Action::UserSignedUp, traits).await?;
        return Ok(settled);
    }
    if state.config.email.allow_unverified_sign_ins {
        return Ok(settled);
    }
    let mail = match email::confirmation(state, &mut turn.tx, visit, &user, None).await {
        Ok(mail) => Some(mail),
        Err(AuthError::Often(TooOften::TooSoon(_))) => None,
        Err(other) => return Err(other),
    };
    Ok(Settled { unverified: Some(Unverified { mail }), ..settled })
}

/// The provider's facts are kept fresh at every sign-in.
async fn known(
    turn: &mut Turn<'_>,
    identity: Uuid,
    user: Uuid,
    person: &Person,
) -> Result<User, AuthError> {
    let now = turn.now();
    store::user::lock(&mut turn.tx, user).await?;
    store::identity::touch(&mut turn.tx, identity, &person.data, now).await?;
    let user = turn.user(user).await?;
    lay_over(turn, &user, &person.data).await?;
    names::recompute(turn, user.id).await?;
    turn.user(user.id).await
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
        _ => Err(OutsideRefusal::MultipleAccounts.into()),
    }
}

/// Adds the identity. Whoever made an account without confirming it may have been preparing to take
/// it over: nothing of theirs survives the true owner's arrival.
async fn add(
    turn: &mut Turn<'_>,
    provider: &str,
    person: &Person,
    user: Uuid,
) -> Result<User, AuthError> {
    store::user::lock(&mut turn.tx, user).await?;
    let user = turn.user(user).await?;
    let identity = insert_identity(turn, provider, person, user.id).await?;
    if user.is_unproven() {
        let (state, now) = (turn.state, turn.now());
        unproven::shut_out(state, &mut turn.tx, &user).await?;
        store::identity::delete_others(&mut turn.tx, user.id, identity).await?;
        pending::void(&mut turn.tx, user.id).await?;
        store::user::set_user_metadata(&mut turn.tx, user.id, &person.data, now).await?;
    } else {
        lay_over(turn, &user, &person.data).await?;
    }
    names::recompute(turn, user.id).await?;
    turn.user(user.id).await
}

async fn lay_over(turn: &mut Turn<'_>, user: &User, data: &Metadata) -> Result<(), AuthError> {
    let (mut metadata, now) = (user.user_metadata(), turn.now());
    merge(&mut metadata, data.clone());
    store::user::set_user_metadata(&mut turn.tx, user.id, &metadata, now).await?;
    Ok(())
}

async fn insert_identity(
    turn: &mut Turn<'_>,
    provider: &str,
    person: &Person,
    user: Uuid,
) -> Result<Uuid, AuthError> {
    let (id, now) = (turn.state.uuid(), turn.now());
    let row = store::identity::NewRow {
        id,
        user_id: user,
        provider,
        provider_id: &person.sub,
        data: &person.data,
        now,
    };
    store::identity::insert(&mut turn.tx, &row).await?;
    Ok(id)
}

fn addresses(person: &Person) -> Vec<Address> {
    person.email.iter().map(|(email, _)| Address::Email(Email::stored(email))).collect()
}

fn new<'a>(
    visit: &'a Visit,
    provider: &'a str,
    person: &'a Person,
    addresses: &'a [Address],
) -> NewAccount<'a> {
    let maker = Maker::Provider { name: provider, sub: &person.sub };
    NewAccount {
        user_metadata: person.data.clone(),
        ..NewAccount::of(&visit.aud, addresses, maker)
    }
}

/// A new account; an unverified address that somebody else has stays with them.
async fn create(
    turn: &mut Turn<'_>,
    provider: &str,
    person: &Person,
    announced: Announced,
) -> Result<Made, AuthError> {
    let visit = turn.visit;
    if turn.state.config.disable_signup {
        return Err(Closed::Signup.into());
    }
    let mut addresses = addresses(person);
    if let Some(wanted) = addresses.first()
        && store::user::id_by_address(&mut turn.tx, wanted, &visit.aud).await?.is_some()
    {
        addresses.clear();
    }
    account::make(turn, new(visit, provider, person, &addresses), announced).await
}

/// Adds `person` to the account that asked for it; an anonymous one becomes permanent with a
/// verified address.
pub async fn to_account(
    turn: &mut Turn<'_>,
    provider: &str,
    person: &Person,
    target: Uuid,
) -> Result<Settled, AuthError> {
    store::user::lock(&mut turn.tx, target).await?;
    let user = turn.user(target).await?;
    if let Some((_, owner)) = store::identity::find(&mut turn.tx, provider, &person.sub).await? {
        return Err(OutsideRefusal::IdentityExists { other: owner != user.id }.into());
    }
    insert_identity(turn, provider, person, user.id).await?;
    if let Some((email, true)) = &person.email
        && user.email().is_empty()
    {
        let email = email.as_str();
        let others = store::identity::users_of_email(&mut turn.tx, email).await?;
        if others.iter().any(|id| *id != user.id) {
            return Err(AccountRefusal::EmailExists.into());
        }
        let now = turn.now();
        store::user::apply_email_change(&mut turn.tx, user.id, email, now).await?;
    }
    lay_over(turn, &user, &person.data).await?;
    names::recompute(turn, user.id).await?;
    let traits = Some(json!({"provider": provider, "provider_id": person.sub}));
    turn.record(&user, Action::IdentityLinked, traits).await?;
    let facts = [("Provider", provider)];
    let kind = MailKind::IdentityLinked;
    let (state, tx) = (turn.state, &mut turn.tx);
    let notice = email::notice(state, tx, &user, kind, user.email(), &facts).await?;
    Ok(Settled { user: user.id, unverified: None, notice, made: None })
}
