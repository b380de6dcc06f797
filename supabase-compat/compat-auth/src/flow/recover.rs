//! Password recovery. The response is the same for known and unknown addresses.

use super::decoy::{self, DecoyMessage};
use crate::audit::{self, Action};
use crate::error::{AuthError, DisabledAction, DisabledFeature, InvalidRequest};
use crate::mail::MailKind;
use crate::model::{Address, Challenge, Email, RequestContext, User};
use crate::outbox::{self, email};
use crate::state::State;
use crate::store;

/// Mails a link to the page where a new password is chosen.
///
/// # Errors
/// Only malformed and too frequent requests are refused.
#[tracing::instrument(name = "auth.recover", skip_all)]
pub async fn recover(
    state: &State,
    context: &RequestContext,
    email: &str,
    challenge: Option<Challenge>,
) -> Result<(), AuthError> {
    if !state.config.email.enabled {
        return Err(DisabledFeature::Email(DisabledAction::Recovery).into());
    }
    if email.is_empty() {
        return Err(InvalidRequest::EmailMissing.into());
    }
    let address = Address::Email(Email::parse(email)?);
    let mut tx = state.begin().await?;
    let Some(user) = known(&mut tx, context, &address).await? else {
        return decoy::note(state, tx, DecoyMessage::Recovery, &address).await;
    };
    let mail = email::enqueue_sign_in_link(
        state,
        &mut tx,
        context,
        &user,
        MailKind::Recovery,
        challenge.as_ref(),
    )
    .await?;
    audit::record(state, &mut tx, context, &user, Action::RecoveryRequested, None).await?;
    tx.commit().await?;
    outbox::send(state, [mail]).await
}

/// The account of an address, locked so that two concurrent requests send one mail.
pub async fn known(
    tx: &mut compat_pg::Owner,
    context: &RequestContext,
    address: &Address,
) -> Result<Option<User>, AuthError> {
    match store::user::contact::id_by_address(tx, address, &context.aud).await? {
        Some(id) => {
            store::user::lock(tx, id).await?;
            Ok(store::user::load(tx, id).await?)
        }
        None => Ok(None),
    }
}
