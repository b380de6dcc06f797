//! A new address for an account: asked for, agreed to once or twice, applied.

use compat_pg::Owner;

use super::Visit;
use crate::account::{identity, names};
use crate::error::{AccountRefusal, AuthError, on_unique};
use crate::guard::limit;
use crate::model::{Address, Challenge, Email, OneTime, User};
use crate::post::Posted;
use crate::post::letter;
use crate::post::letter::{check_frequency, code};
use crate::state::State;
use crate::store;
use crate::turn::Turn;

/// Notes the wish and writes the mails: to the new address, and to the old one when both must agree.
pub async fn ask(
    state: &State,
    tx: &mut Owner,
    visit: &Visit,
    user: &User,
    new_email: &str,
    challenge: Option<&Challenge>,
) -> Result<Posted, AuthError> {
    check_frequency(state, user.email_change_sent_at)?;
    letter::check_authorized(state, new_email)?;
    limit::take_mail(state, tx).await?;
    let (now, pkce) = (state.now(), challenge.is_some());
    let new = code(state, new_email, pkce);
    let both = state.config.email.secure_change_enabled && !user.email().is_empty();
    let current = both.then(|| code(state, user.email(), pkce));
    let current_hash = current.as_ref().map_or("", |code| code.hash.as_str());
    let new_hash = new.hash.as_str();
    store::user::set_email_change(tx, user.id, new_email, new_hash, current_hash, now).await?;
    let kind = OneTime::EmailChangeNew;
    store::one_time_token::put(tx, state.uuid(), user.id, kind, new_hash, new_email, now).await?;
    let kind = OneTime::EmailChangeCurrent;
    if both {
        store::one_time_token::put(
            tx,
            state.uuid(),
            user.id,
            kind,
            current_hash,
            user.email(),
            now,
        )
        .await?;
    } else {
        store::one_time_token::clear(tx, user.id, kind).await?;
    }
    letter::begin_flow(state, tx, visit, user, challenge, "email_change").await?;
    letter::email_change(state, tx, visit, user, new_email, &new, current.as_ref()).await
}

/// Makes the pending address the account's own, with its identity.
pub async fn apply(turn: &mut Turn<'_>, user: &User, new_email: &str) -> Result<(), AuthError> {
    let now = turn.now();
    store::user::apply_email_change(&mut turn.tx, user.id, new_email, now)
        .await
        .map_err(on_unique(AccountRefusal::EmailExists))?;
    store::one_time_token::clear_all(&mut turn.tx, user.id).await?;
    identity::put(turn, user, &Address::Email(Email::stored(new_email)), true).await?;
    names::recompute(turn, user.id).await
}
