//! Password rules, stored hashes, and password changes.

use crate::error::ConsoleError;
use crate::flow::{session, token};
use crate::model::Operator;
use crate::state::ConsoleState;
use crate::store;
use compat_auth::PasswordMatch;
use uuid::Uuid;

/// The shortest password, in characters.
pub(crate) const SHORTEST: usize = 12;
/// The longest password, in characters, because hashing time grows with its length.
pub(crate) const LONGEST: usize = 1024;

/// The sealed hash of a new password.
pub(crate) async fn sealed_hash(
    state: &ConsoleState,
    owner: Uuid,
    password: &str,
) -> Result<Vec<u8>, ConsoleError> {
    if !(SHORTEST..=LONGEST).contains(&password.chars().count()) {
        return Err(ConsoleError::WeakPassword);
    }
    let entropy = &state.config().environment.entropy;
    let hash = state.passwords().hash(password, entropy.bytes()).await?;
    Ok(state.seal().close(entropy, owner, &hash))
}

/// Whether a password matches a sealed hash.
pub(crate) async fn is_right(
    state: &ConsoleState,
    owner: Uuid,
    password: &str,
    sealed: &[u8],
) -> Result<bool, ConsoleError> {
    if password.chars().count() > LONGEST {
        return Ok(false);
    }
    let Some(hash) = state.seal().open(owner, sealed) else {
        tracing::warn!(operator = %owner, "cannot read a password hash: APP_SECRET has changed");
        return Ok(false);
    };
    Ok(state.passwords().verify(password, &hash).await? != PasswordMatch::Wrong)
}

/// Changes a password, if the current one is right, and ends the operator's other sessions.
pub(crate) async fn change(
    state: &ConsoleState,
    operator: &Operator,
    client: std::net::IpAddr,
    session_token: &str,
    (current, new): (&str, &str),
) -> Result<(), ConsoleError> {
    session::check_password(state, operator, client, current).await?;
    let sealed = sealed_hash(state, operator.id, new).await?;
    let mut work = state.config().owner.begin().await?;
    store::operator::set_password(&mut work, operator.id, &sealed).await?;
    store::session::delete_others(&mut work, operator.id, &token::hash(session_token)).await?;
    Ok(work.commit().await?)
}
