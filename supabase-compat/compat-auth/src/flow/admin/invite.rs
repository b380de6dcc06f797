//! Inviting a person: an account is created, and a mail invites the person to use it.

use crate::account::{self, AccountOrigin, NewAccount};
use crate::audit::{Action, record_by_admin};
use crate::error::{AccountRefusal, AuthError, InvalidRequest};
use crate::flow::recover::known;
use crate::flow::unverified;
use crate::model::metadata::Metadata;
use crate::model::{Address, Email, RequestContext, User};
use crate::outbox::{self, email};
use crate::state::State;
use crate::store;
use crate::unit_of_work::UnitOfWork;

/// Creates the account, unless an unconfirmed one exists, and sends the invitation.
///
/// # Errors
/// [`AccountRefusal::EmailExists`] when the address is confirmed.
#[tracing::instrument(name = "auth.invite", skip_all)]
pub async fn invite(
    state: &State,
    context: &RequestContext,
    email: &str,
    data: Metadata,
) -> Result<User, AuthError> {
    if email.is_empty() {
        return Err(InvalidRequest::EmailMissing.into());
    }
    let address = Address::Email(Email::parse(email)?);
    let new = NewAccount {
        user_metadata: data,
        ..NewAccount::of(&context.aud, std::slice::from_ref(&address), AccountOrigin::Admin)
    };
    let announced = account::announce_address(state, context, &new).await?;
    let mut work = UnitOfWork::begin(state, context).await?;
    store::user::contact::lock_address(&mut work.tx, address.as_str()).await?;
    let (user, new_account) = match known(&mut work.tx, context, &address).await? {
        Some(user) if user.is_confirmed() => return Err(AccountRefusal::EmailExists.into()),
        Some(user) => {
            unverified::drop_password(state, &mut work.tx, &user).await?;
            (user, None)
        }
        None => {
            let new_account = account::create(&mut work, new, announced).await?;
            (new_account.user.clone(), Some(new_account))
        }
    };
    let mail = email::invitation(state, &mut work.tx, context, &user).await?;
    record_by_admin(state, &mut work.tx, context, &user, Action::UserInvited).await?;
    let user = work.user(user.id).await?;
    work.commit().await?;
    account::notify_hooks(state, context, new_account).await?;
    // The mail is sent after the commit, so that its link finds the code.
    outbox::send(state, [mail]).await?;
    Ok(user)
}
