//! The project's keys: what may be told of them, a secret one shown to its owner, those that sign changed.

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

/// What may be told of them.
pub(crate) async fn summary(state: &ConsoleState) -> Result<KeySummary, ConsoleError> {
    on_files(state, |keys| keys.summary()).await
}

/// A secret one, for whoever shows their password once more.
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

/// Changes those that sign; gives the names of the changed ones.
pub(crate) async fn change(
    state: &ConsoleState,
    change: SigningKeyChange,
) -> Result<Vec<String>, ConsoleError> {
    on_files(state, |keys| keys.change(change)).await
}

/// Another opaque key of a kind, for whoever shows their password once more: it is shown.
pub(crate) async fn replace(
    state: &ConsoleState,
    operator: &Operator,
    client: IpAddr,
    name: OpaqueKeyName,
    password: &str,
) -> Result<String, ConsoleError> {
    session::check_password(state, operator, client, password).await?;
    let made = on_files(state, move |keys| keys.replace(name)).await?;
    Ok(made.expose_secret().to_owned())
}

/// Takes the right from an opaque key that was replaced.
pub(crate) async fn revoke_opaque(state: &ConsoleState, id: String) -> Result<(), ConsoleError> {
    on_files(state, move |keys| keys.revoke_opaque(&id)).await
}

/// Keys lie in files, and whoever changes them may wait for another process.
async fn on_files<T: Send + 'static>(
    state: &ConsoleState,
    act: impl FnOnce(&dyn KeyMechanism) -> Result<T, KeyFailure> + Send + 'static,
) -> Result<T, ConsoleError> {
    let keys = Arc::clone(&state.config().keys);
    let done = tokio::task::spawn_blocking(move || act(&*keys)).await;
    Ok(done.map_err(|error| ConsoleError::Internal(error.to_string()))??)
}
