//! A new address for an account: asked for, agreed to once or twice, applied.

use compat_pg::Owner;
use serde_json::json;

use super::sign_up::identity_data;
use super::{Visit, providers};
use crate::error::{AccountRefusal, AuthError};
use crate::guard::limit;
use crate::model::metadata::Metadata;
use crate::model::{Challenge, OneTime, User};
use crate::post::Posted;
use crate::post::letter::{self, check_frequency, code};
use crate::state::State;
use crate::store;

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
pub async fn apply(
    state: &State,
    tx: &mut Owner,
    user: &User,
    new_email: &str,
) -> Result<(), AuthError> {
    let now = state.now();
    let applied = store::user::apply_email_change(tx, user.id, new_email, now).await;
    applied.map_err(|error| match error.as_database_error() {
        Some(refused) if refused.is_unique_violation() => {
            AuthError::Account(AccountRefusal::EmailExists)
        }
        _ => error.into(),
    })?;
    store::one_time_token::clear_all(tx, user.id).await?;
    let verified = [("email", json!(new_email)), ("email_verified", json!(true))];
    match user.identity("email") {
        Some(identity) => {
            let mut data = identity.identity_data.clone();
            data.extend(verified.iter().map(|(key, value)| ((*key).to_owned(), value.clone())));
            store::identity::set_data(tx, identity.id, &data, now).await?;
        }
        None => {
            let mut data = identity_data(user.id, Some(new_email), None, Metadata::new());
            data.insert("email_verified".to_owned(), json!(true));
            let row = store::identity::NewRow {
                id: state.uuid(),
                user_id: user.id,
                provider: "email",
                provider_id: &user.id.to_string(),
                data: &data,
                now,
            };
            store::identity::insert(tx, &row).await?;
        }
    }
    let mut metadata = user.user_metadata();
    metadata.extend(verified.map(|(key, value)| (key.to_owned(), value)));
    store::user::set_user_metadata(tx, user.id, &metadata, now).await?;
    providers::recompute(state, tx, user.id).await
}
