//! Changing an account's e-mail address: the request, the confirmation by one or both addresses,
//! and the change itself.

use compat_pg::Owner;

use crate::account::{identity, names};
use crate::error::{AccountRefusal, AuthError, on_unique};
use crate::guard::limit;
use crate::model::{Address, Challenge, Email, RequestContext, User};
use crate::outbox::PendingMessages;
use crate::outbox::email::{self, check_frequency};
use crate::pending::{self, EmailChange};
use crate::state::State;
use crate::store;
use crate::unit_of_work::UnitOfWork;

/// Stores the requested address and enqueues the mails: to the new address, and to the old one if
/// both must confirm.
pub async fn ask(
    state: &State,
    tx: &mut Owner,
    context: &RequestContext,
    user: &User,
    new_email: &str,
    challenge: Option<&Challenge>,
) -> Result<PendingMessages, AuthError> {
    check_frequency(state, user.email_change_sent_at)?;
    email::check_authorized(state, new_email)?;
    limit::take_mail(state, tx).await?;
    let pkce = challenge.is_some();
    let new = pending::draw(state, new_email, pkce);
    let both = state.config.email.secure_change_enabled && !user.email().is_empty();
    let current = both.then(|| pending::draw(state, user.email(), pkce));
    let change = EmailChange {
        to: new_email,
        new: new.hash.as_str(),
        current: current.as_ref().map_or("", |code| code.hash.as_str()),
    };
    pending::note_change(state, tx, user, &change).await?;
    email::begin_flow(state, tx, context, user, challenge, "email_change").await?;
    email::email_change(state, tx, context, user, new_email, &new, current.as_ref()).await
}

/// Makes the pending address the account's address, and updates its identity.
pub async fn apply(
    work: &mut UnitOfWork<'_>,
    user: &User,
    new_email: &str,
) -> Result<(), AuthError> {
    let now = work.now();
    store::user::contact::apply_email_change(&mut work.tx, user.id, new_email, now)
        .await
        .map_err(on_unique(AccountRefusal::EmailExists))?;
    pending::void(&mut work.tx, user.id).await?;
    identity::put(work, user, &Address::Email(Email::stored(new_email)), true).await?;
    names::recompute(work, user.id).await
}
