//! Removing an external account from one's own account.

use uuid::Uuid;

use crate::account::names;
use crate::audit::Action;
use crate::error::{AccountRefusal, AuthError, CallerRefusal, DisabledFeature, on_unique};
use crate::guard::authenticate::AuthenticatedUser;
use crate::mail::MailKind;
use crate::model::RequestContext;
use crate::outbox::{self, email};
use crate::pending;
use crate::state::State;
use crate::store;
use crate::unit_of_work::UnitOfWork;

/// Removes one identity; the account's address becomes that of a remaining identity.
///
/// # Errors
/// Linking is disabled, the identity is unknown or the last one, or the remaining address is taken.
#[tracing::instrument(name = "auth.unlink_identity", skip_all)]
pub async fn unlink(
    state: &State,
    context: &RequestContext,
    caller: &AuthenticatedUser,
    identity: Uuid,
) -> Result<(), AuthError> {
    if !state.config.manual_linking_enabled {
        return Err(DisabledFeature::ManualLinking.into());
    }
    let mut work = UnitOfWork::begin(state, context).await?;
    store::user::lock(&mut work.tx, caller.user.id).await?;
    let user =
        store::user::load(&mut work.tx, caller.user.id).await?.ok_or(CallerRefusal::SubjectGone)?;
    // Checked under the lock: two concurrent requests could remove the last two identities.
    if user.identities.len() <= 1 {
        return Err(AccountRefusal::SingleIdentity.into());
    }
    let (unlinked, remaining): (Vec<_>, Vec<_>) =
        user.identities.iter().partition(|one| one.id == identity);
    let unlinked = unlinked.first().ok_or(AccountRefusal::IdentityNotFound)?;
    store::identity::delete(&mut work.tx, identity).await?;
    let keeps_address = remaining.iter().any(|one| one.email.as_deref() == Some(user.email()));
    if !keeps_address && unlinked.provider != "phone" {
        let next = remaining.iter().find_map(|one| one.email.as_deref());
        store::user::contact::set_email(&mut work.tx, user.id, next, state.now())
            .await
            .map_err(on_unique(AccountRefusal::EmailConflictIdentity))?;
        // Pending codes were issued for the removed address.
        pending::void(&mut work.tx, user.id).await?;
    }
    if unlinked.provider == "phone" {
        store::user::contact::set_phone(&mut work.tx, user.id, None, state.now()).await?;
    }
    names::recompute(&mut work, user.id).await?;
    let traits = serde_json::json!({
        "identity_id": identity,
        "provider": unlinked.provider,
        "provider_id": unlinked.provider_id,
    });
    work.record(&user, Action::IdentityUnlinked, Some(traits)).await?;
    let facts = [("Provider", unlinked.provider.as_str())];
    let kind = MailKind::IdentityUnlinked;
    let notice = email::notice(state, &mut work.tx, &user, kind, user.email(), &facts).await?;
    work.commit().await?;
    outbox::send_notifications(state, [notice]).await;
    Ok(())
}
