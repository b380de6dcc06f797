//! The project's keys for operators: their overview, secret keys for owners, and changes of signing
//! keys.

use std::net::IpAddr;
use std::sync::Arc;

use secrecy::ExposeSecret as _;

use crate::error::ConsoleError;
use crate::flow::session;
use crate::keys::{
    KeyFailure, KeyMechanism, KeySummary, OpaqueKeyName, SecretKeyName, SigningKeyChange,
};
use crate::model::Operator;
use crate::state::ConsoleState;

/// The overview of the keys, without secrets.
pub(crate) async fn summary(state: &ConsoleState) -> Result<KeySummary, ConsoleError> {
    on_files(state, |keys| keys.summary()).await
}

/// A secret key, for an operator who enters the password again.
pub(crate) async fn secret(
    state: &ConsoleState,
    operator: &Operator,
    client: IpAddr,
    name: SecretKeyName,
    password: &str,
) -> Result<String, ConsoleError> {
    session::check_password(state, operator, client, password).await?;
    let secret = state.config().keys.secret(name).ok_or(ConsoleError::NoKey)?;
    Ok(secret.expose_secret().to_owned())
}

/// Changes the signing keys; returns the ids of the changed ones.
pub(crate) async fn change(
    state: &ConsoleState,
    change: SigningKeyChange,
) -> Result<Vec<String>, ConsoleError> {
    on_files(state, |keys| keys.change(change)).await
}

/// Creates and returns a new opaque key, for an operator who enters the password again.
pub(crate) async fn replace(
    state: &ConsoleState,
    operator: &Operator,
    client: IpAddr,
    name: OpaqueKeyName,
    password: &str,
) -> Result<String, ConsoleError> {
    session::check_password(state, operator, client, password).await?;
    let new_key = on_files(state, move |keys| keys.replace(name)).await?;
    Ok(new_key.expose_secret().to_owned())
}

/// Revokes an opaque key that was replaced.
pub(crate) async fn revoke_opaque(state: &ConsoleState, id: String) -> Result<(), ConsoleError> {
    on_files(state, move |keys| keys.revoke_opaque(&id)).await
}

/// Runs an action on the keys on a thread for blocking work, because it reads files and may wait
/// for a lock.
async fn on_files<T: Send + 'static>(
    state: &ConsoleState,
    act: impl FnOnce(&dyn KeyMechanism) -> Result<T, KeyFailure> + Send + 'static,
) -> Result<T, ConsoleError> {
    let keys = Arc::clone(&state.config().keys);
    let done = tokio::task::spawn_blocking(move || act(&*keys)).await;
    Ok(done.map_err(|error| ConsoleError::Internal(error.to_string()))??)
}
