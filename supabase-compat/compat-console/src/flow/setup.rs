//! Setup links, each of which creates one operator: the first owner's link and invitations.

use chrono::{DateTime, TimeDelta, Utc};
use compat_http::{Clock, Entropy};
use compat_pg::{OwnerDb, PgError};

use crate::error::ConsoleError;
use crate::flow::{password, session, token};
use crate::model::{AuditEntry, Operator, Role};
use crate::state::ConsoleState;
use crate::store;

/// How long a link is valid.
const LIFETIME: TimeDelta = TimeDelta::hours(24);

/// The token of the link for the first owner; see [`ConsoleState::first_link`].
pub(crate) async fn first_link(state: &ConsoleState) -> Result<Option<String>, PgError> {
    let mut work = state.config().owner.begin().await?;
    store::operator::lock(&mut work).await?;
    if store::operator::exists(&mut work).await? {
        return Ok(None);
    }
    let (token, now) = (token::new(&state.config().environment.entropy), state.now());
    let role = Role::Owner.name();
    store::setup_link::delete_first(&mut work).await?;
    store::setup_link::insert(&mut work, &token::hash(&token), role, true, now, now + LIFETIME)
        .await?;
    work.commit().await?;
    Ok(Some(token))
}

/// Creates the token of a setup link for another owner, for an administrator of the database when
/// no owner can sign in. The link is recorded in the audit log. None if the database has no
/// console.
///
/// # Errors
/// A statement failed.
pub async fn owner_link(
    owner: &OwnerDb,
    clock: &Clock,
    entropy: &Entropy,
) -> Result<Option<String>, PgError> {
    let mut work = owner.begin().await?;
    if !store::setup_link::is_kept(&mut work).await? {
        return Ok(None);
    }
    let (token, now) = (token::new(entropy), clock.now());
    let (hash, role) = (token::hash(&token), Role::Owner.name());
    store::setup_link::insert(&mut work, &hash, role, false, now, now + LIFETIME).await?;
    let entry = AuditEntry {
        id: 0,
        at: now,
        operator: "command line".to_owned(),
        method: "COMMAND".to_owned(),
        path: "console owner-link".to_owned(),
        summary: "link for an owner".to_owned(),
        status: 201,
        address: "this machine".to_owned(),
    };
    store::audit::insert(&mut work, &entry).await?;
    work.commit().await?;
    Ok(Some(token))
}

/// Creates an invitation for another operator.
pub(crate) async fn invite(
    state: &ConsoleState,
    role: Role,
) -> Result<(String, DateTime<Utc>), ConsoleError> {
    let (token, now) = (token::new(&state.config().environment.entropy), state.now());
    let expires_at = now + LIFETIME;
    let mut work = state.config().owner.begin().await?;
    store::setup_link::insert(&mut work, &token::hash(&token), role.name(), false, now, expires_at)
        .await?;
    work.commit().await?;
    Ok((token, expires_at))
}

/// The role that a link grants.
pub(crate) async fn role_of(state: &ConsoleState, token: &str) -> Result<Role, ConsoleError> {
    let mut connection = state.config().owner.connection().await?;
    let link = store::setup_link::find(&mut connection, &token::hash(token), state.now()).await?;
    Ok(Role::from_name(&link.ok_or(ConsoleError::LinkExpired)?))
}

/// Creates the operator of a link and signs them in; returns the session's token.
pub(crate) async fn accept(
    state: &ConsoleState,
    link: &str,
    email: &str,
    password: &str,
) -> Result<(Operator, String), ConsoleError> {
    // Checked before the password is hashed, which is expensive, because the caller is not
    // authenticated.
    role_of(state, link).await?;
    let id = state.config().environment.entropy.uuid();
    let email = session::email_of(email)?;
    let sealed = password::sealed_hash(state, id, password).await?;
    let now = state.now();
    let mut work = state.config().owner.begin().await?;
    store::operator::lock(&mut work).await?;
    let hash = token::hash(link);
    let known = store::setup_link::find(&mut work, &hash, now).await?;
    let role = Role::from_name(&known.ok_or(ConsoleError::LinkExpired)?);
    if !store::setup_link::delete(&mut work, &hash).await? {
        return Err(ConsoleError::LinkExpired);
    }
    if !store::operator::insert(&mut work, id, &email, role.name(), &sealed, now).await? {
        return Err(ConsoleError::EmailTaken);
    }
    store::setup_link::delete_first(&mut work).await?;
    work.commit().await?;
    let operator = Operator { id, email, role };
    let token = session::open(state, &operator).await?;
    Ok((operator, token))
}
