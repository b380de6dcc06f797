//! An account made for somebody who is asked by mail to take it.

use crate::account::{self, Maker, NewAccount};
use crate::audit::{Action, record_by_admin};
use crate::error::{AccountRefusal, AuthError, Invalid};
use crate::flow::recover::known;
use crate::flow::unproven;
use crate::model::metadata::Metadata;
use crate::model::{Address, Email, User, Visit};
use crate::outbox::{self, email};
use crate::state::State;
use crate::store;
use crate::turn::Turn;

/// Makes the account, unless it waits for its confirmation already, and mails the invitation.
///
/// # Errors
/// [`AccountRefusal::EmailExists`] when the address is confirmed.
#[tracing::instrument(name = "auth.invite", skip_all)]
pub async fn invite(
    state: &State,
    visit: &Visit,
    email: &str,
    data: Metadata,
) -> Result<User, AuthError> {
    if email.is_empty() {
        return Err(Invalid::EmailMissing.into());
    }
    let address = Address::Email(Email::parse(email)?);
    let new = NewAccount {
        user_metadata: data,
        ..NewAccount::of(&visit.aud, std::slice::from_ref(&address), Maker::Admin)
    };
    let announced = account::announce_address(state, visit, &new).await?;
    let mut turn = Turn::begin(state, visit).await?;
    store::user::lock_address(&mut turn.tx, address.as_str()).await?;
    let (user, made) = match known(&mut turn.tx, visit, &address).await? {
        Some(user) if user.is_confirmed() => return Err(AccountRefusal::EmailExists.into()),
        Some(user) => {
            unproven::drop_password(state, &mut turn.tx, &user).await?;
            (user, None)
        }
        None => {
            let made = account::make(&mut turn, new, announced).await?;
            (made.user.clone(), Some(made))
        }
    };
    let mail = email::invitation(state, &mut turn.tx, visit, &user).await?;
    record_by_admin(state, &mut turn.tx, visit, &user, Action::UserInvited).await?;
    let user = turn.user(user.id).await?;
    turn.commit().await?;
    account::tell(state, visit, made).await?;
    outbox::send(state, [mail]).await?;
    Ok(user)
}
