//! Whose account an outside one is.

use compat_pg::Owner;
use serde_json::json;
use uuid::Uuid;

use crate::error::{AccountRefusal, AskerRefusal, AuthError, Closed, OutsideRefusal, TooOften};
use crate::flow::audit::{self, Action};
use crate::flow::sign_up::object;
use crate::flow::{Visit, hook, providers};
use crate::mail::MailKind;
use crate::model::User;
use crate::model::metadata::{Metadata, merge};
use crate::post::Posted;
use crate::post::letter;
use crate::provider::Person;
use crate::state::State;
use crate::store;

/// The account, and whether its address must be confirmed before it may be used.
pub struct Settled {
    pub user: Uuid,
    pub unverified: Option<Unverified>,
    /// Tells the person that an account was added to theirs.
    pub notice: Posted,
}

/// The provider did not verify the address; what was written stays, and a mail goes out unless one just did.
pub struct Unverified {
    pub mail: Option<Posted>,
}

/// The account that `person` signs in to: their own, one with the same verified address, or a new one.
pub async fn sign_in(
    state: &State,
    tx: &mut Owner,
    visit: &Visit,
    provider: &str,
    person: &Person,
) -> Result<Settled, AuthError> {
    let email = person.email.as_ref().map(|(email, _)| email.as_str());
    store::user::lock_address(tx, email.unwrap_or(&person.sub)).await?;
    let user = match store::identity::find(tx, provider, &person.sub).await? {
        Some((identity, user)) => known(state, tx, identity, user, person).await?,
        None => match same_address(state, tx, person).await? {
            Some(user) => add(state, tx, provider, person, user).await?,
            None => create(state, tx, visit, provider, person).await?,
        },
    };
    if user.is_banned(state.now()) {
        return Err(AskerRefusal::Banned.into());
    }
    let verified = person.email.as_ref().is_none_or(|(_, verified)| *verified);
    if user.is_confirmed() || user.email().is_empty() {
        audit::record(state, tx, visit, &user, Action::Login, Some(json!({"provider": provider})))
            .await?;
        return Ok(Settled { user: user.id, unverified: None, notice: Posted::default() });
    }
    if verified || state.config.email.autoconfirm {
        confirm(state, tx, &user).await?;
        let traits = Some(json!({"provider": provider}));
        audit::record(state, tx, visit, &user, Action::UserSignedUp, traits).await?;
        return Ok(Settled { user: user.id, unverified: None, notice: Posted::default() });
    }
    if state.config.email.allow_unverified_sign_ins {
        return Ok(Settled { user: user.id, unverified: None, notice: Posted::default() });
    }
    let mail = match letter::confirmation(state, tx, visit, &user, None).await {
        Ok(mail) => Some(mail),
        Err(AuthError::Often(TooOften::TooSoon(_))) => None,
        Err(other) => return Err(other),
    };
    Ok(Settled { user: user.id, unverified: Some(Unverified { mail }), notice: Posted::default() })
}

async fn reload(tx: &mut Owner, user: Uuid) -> Result<User, AuthError> {
    store::user::load(tx, user).await?.ok_or(AuthError::Account(AccountRefusal::UserNotFound))
}

/// The provider's facts are kept fresh at every sign-in.
async fn known(
    state: &State,
    tx: &mut Owner,
    identity: Uuid,
    user: Uuid,
    person: &Person,
) -> Result<User, AuthError> {
    store::user::lock(tx, user).await?;
    store::identity::touch(tx, identity, &person.data, state.now()).await?;
    let user = reload(tx, user).await?;
    lay_over(state, tx, &user, &person.data).await?;
    providers::recompute(state, tx, user.id).await?;
    reload(tx, user.id).await
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

/// Adds the identity. Whoever made an account without confirming it may have been preparing to take it over: nothing
/// of theirs survives the true owner's arrival.
async fn add(
    state: &State,
    tx: &mut Owner,
    provider: &str,
    person: &Person,
    user: Uuid,
) -> Result<User, AuthError> {
    store::user::lock(tx, user).await?;
    let user = reload(tx, user).await?;
    let identity = insert_identity(state, tx, provider, person, user.id).await?;
    if user.is_confirmed() || user.phone_confirmed_at.is_some() {
        lay_over(state, tx, &user, &person.data).await?;
    } else {
        let now = state.now();
        store::user::clear_password(tx, user.id, now).await?;
        store::identity::delete_others(tx, user.id, identity).await?;
        store::session::delete_all(tx, user.id).await?;
        store::user::clear_tokens(tx, user.id).await?;
        store::one_time_token::clear_all(tx, user.id).await?;
        store::user::set_user_metadata(tx, user.id, &person.data, now).await?;
    }
    providers::recompute(state, tx, user.id).await?;
    reload(tx, user.id).await
}

async fn lay_over(
    state: &State,
    tx: &mut Owner,
    user: &User,
    data: &Metadata,
) -> Result<(), AuthError> {
    let mut metadata = user.user_metadata();
    merge(&mut metadata, data.clone());
    store::user::set_user_metadata(tx, user.id, &metadata, state.now()).await?;
    Ok(())
}

async fn insert_identity(
    state: &State,
    tx: &mut Owner,
    provider: &str,
    person: &Person,
    user: Uuid,
) -> Result<Uuid, AuthError> {
    let id = state.uuid();
    let row = store::identity::NewRow {
        id,
        user_id: user,
        provider,
        provider_id: &person.sub,
        data: &person.data,
        now: state.now(),
    };
    store::identity::insert(tx, &row).await?;
    Ok(id)
}

/// A new account; an unverified address that somebody else has stays with them.
async fn create(
    state: &State,
    tx: &mut Owner,
    visit: &Visit,
    provider: &str,
    person: &Person,
) -> Result<User, AuthError> {
    if state.config.disable_signup {
        return Err(Closed::Signup.into());
    }
    let saving = |error: sqlx::Error| AuthError::database("Database error saving new user", error);
    let mut email = person.email.as_ref().map(|(email, _)| email.as_str());
    if let Some(wanted) = email
        && store::user::id_by_email(tx, wanted, &visit.aud).await?.is_some()
    {
        email = None;
    }
    let (id, now) = (state.uuid(), state.now());
    let row = store::user::NewRow {
        id,
        aud: &visit.aud,
        email,
        phone: None,
        encrypted_password: None,
        app_metadata: &object(json!({"provider": provider, "providers": [provider]})),
        user_metadata: &person.data,
        is_anonymous: false,
        now,
    };
    let announced = crate::flow::sign_up::announced(&row, &state.config);
    hook::before_user_created(state, tx, Some(visit), &announced).await?;
    store::user::insert(tx, &row).await.map_err(saving)?;
    store::user::set_role(tx, id, &state.config.jwt_default_group_name, now)
        .await
        .map_err(saving)?;
    insert_identity(state, tx, provider, person, id).await?;
    let user = reload(tx, id).await?;
    hook::after_user_created(state, tx, Some(visit), &user).await?;
    Ok(user)
}

async fn confirm(state: &State, tx: &mut Owner, user: &User) -> Result<(), AuthError> {
    store::user::confirm_email(tx, user.id, state.now()).await?;
    store::one_time_token::clear_all(tx, user.id).await?;
    let mut metadata = user.user_metadata();
    metadata.insert("email_verified".to_owned(), json!(true));
    store::user::set_user_metadata(tx, user.id, &metadata, state.now()).await?;
    Ok(())
}

/// Adds `person` to the account that asked for it; an anonymous one becomes permanent with a verified address.
pub async fn to_account(
    state: &State,
    tx: &mut Owner,
    visit: &Visit,
    provider: &str,
    person: &Person,
    target: Uuid,
) -> Result<Settled, AuthError> {
    store::user::lock(tx, target).await?;
    let user = reload(tx, target).await?;
    if let Some((_, owner)) = store::identity::find(tx, provider, &person.sub).await? {
        return Err(OutsideRefusal::IdentityExists { other: owner != user.id }.into());
    }
    insert_identity(state, tx, provider, person, user.id).await?;
    if let Some((email, true)) = &person.email
        && user.email().is_empty()
    {
        if store::identity::users_of_email(tx, email).await?.iter().any(|id| *id != user.id) {
            return Err(AccountRefusal::EmailExists.into());
        }
        store::user::apply_email_change(tx, user.id, email, state.now()).await?;
    }
    lay_over(state, tx, &user, &person.data).await?;
    providers::recompute(state, tx, user.id).await?;
    let traits = Some(json!({"provider": provider, "provider_id": person.sub}));
    audit::record(state, tx, visit, &user, Action::IdentityLinked, traits).await?;
    let facts = [("Provider", provider)];
    let notice =
        letter::notice(state, tx, &user, MailKind::IdentityLinked, user.email(), &facts).await?;
    Ok(Settled { user: user.id, unverified: None, notice })
}
