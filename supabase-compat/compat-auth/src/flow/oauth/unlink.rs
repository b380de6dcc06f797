//! Taking an outside account off one's own.

use uuid::Uuid;

use crate::error::{AccountRefusal, AskerRefusal, AuthError, Closed};
use crate::flow::audit::{self, Action};
use crate::flow::{Visit, providers};
use crate::guard::admit::Admitted;
use crate::mail::MailKind;
use crate::post;
use crate::post::letter;
use crate::state::State;
use crate::store;

/// Removes one identity; the account's address moves to one that is left.
///
/// # Errors
/// Linking is off, the identity is unknown or the last, or the address that would be left is taken.
#[tracing::instrument(name = "auth.unlink_identity", skip_all)]
pub async fn unlink(
    state: &State,
    visit: &Visit,
    who: &Admitted,
    identity: Uuid,
) -> Result<(), AuthError> {
    if !state.config.manual_linking_enabled {
        return Err(Closed::ManualLinking.into());
    }
    let mut tx = state.begin().await?;
    store::user::lock(&mut tx, who.user.id).await?;
    let user = store::user::load(&mut tx, who.user.id).await?.ok_or(AskerRefusal::SubjectGone)?;
    if user.identities.len() <= 1 {
        return Err(AccountRefusal::SingleIdentity.into());
    }
    let (gone, left): (Vec<_>, Vec<_>) = user.identities.iter().partition(|one| one.id == identity);
    let gone = gone.first().ok_or(AccountRefusal::IdentityNotFound)?;
    store::identity::delete(&mut tx, identity).await?;
    let keeps_address = left.iter().any(|one| one.email.as_deref() == Some(user.email()));
    if !keeps_address && gone.provider != "phone" {
        let next = left.iter().find_map(|one| one.email.as_deref());
        let moved = store::user::set_email(&mut tx, user.id, next, state.now()).await;
        moved.map_err(|error| match error.as_database_error() {
            Some(refused) if refused.is_unique_violation() => {
                AuthError::Account(AccountRefusal::EmailConflictIdentity)
            }
            _ => error.into(),
        })?;
        store::user::clear_tokens(&mut tx, user.id).await?;
        store::one_time_token::clear_all(&mut tx, user.id).await?;
    }
    if gone.provider == "phone" {
        store::user::set_phone(&mut tx, user.id, None, state.now()).await?;
    }
    providers::recompute(state, &mut tx, user.id).await?;
    let traits = serde_json::json!({
        "identity_id": identity,
        "provider": gone.provider,
        "provider_id": gone.provider_id,
    });
    audit::record(state, &mut tx, visit, &user, Action::IdentityUnlinked, Some(traits)).await?;
    let facts = [("Provider", gone.provider.as_str())];
    let kind = MailKind::IdentityUnlinked;
    let notice = letter::notice(state, &mut tx, &user, kind, user.email(), &facts).await?;
    tx.commit().await?;
    post::send_notices(state, [notice]).await;
    Ok(())
}
