//! Asking for a way back in. Unknown addresses hear what known ones hear.

use super::unsent::{self, Unsent};
use crate::audit::{self, Action};
use crate::error::{AuthError, Closed, Disabled, Invalid};
use crate::mail::MailKind;
use crate::model::{Address, Challenge, Email, User, Visit};
use crate::outbox::{self, email};
use crate::state::State;
use crate::store;

/// Mails a link that leads to choosing a new password.
///
/// # Errors
/// Malformed requests and too frequent ones only.
#[tracing::instrument(name = "auth.recover", skip_all)]
pub async fn recover(
    state: &State,
    visit: &Visit,
    email: &str,
    challenge: Option<Challenge>,
) -> Result<(), AuthError> {
    if !state.config.email.enabled {
        return Err(Closed::Email(Disabled::Recovery).into());
    }
    if email.is_empty() {
        return Err(Invalid::EmailMissing.into());
    }
    let address = Address::Email(Email::parse(email)?);
    let mut tx = state.begin().await?;
    let Some(user) = known(&mut tx, visit, &address).await? else {
        return unsent::note(state, tx, Unsent::Recovery, &address).await;
    };
    let mail =
        email::way_in(state, &mut tx, visit, &user, MailKind::Recovery, challenge.as_ref()).await?;
    audit::record(state, &mut tx, visit, &user, Action::RecoveryRequested, None).await?;
    tx.commit().await?;
    outbox::send(state, [mail]).await
}

/// The account of an address, locked so that two requests at once send one mail.
pub async fn known(
    tx: &mut compat_pg::Owner,
    visit: &Visit,
    address: &Address,
) -> Result<Option<User>, AuthError> {
    match store::user::id_by_address(tx, address, &visit.aud).await? {
        Some(id) => {
            store::user::lock(tx, id).await?;
            Ok(store::user::load(tx, id).await?)
        }
        None => Ok(None),
    }
}
