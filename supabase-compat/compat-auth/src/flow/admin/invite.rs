//! An account made for somebody who is asked by mail to take it.

use crate::error::{AccountRefusal, AuthError, Invalid};
use crate::flow::audit::{Action, record_by_admin};
use crate::flow::recover::known;
use crate::flow::sign_up::{NewAccount, create_account};
use crate::flow::{Visit, unproven};
use crate::model::metadata::Metadata;
use crate::model::{Email, User};
use crate::post::{self, letter};
use crate::state::State;
use crate::store;

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
    let email = Email::parse(email)?;
    let mut tx = state.begin().await?;
    store::user::lock_address(&mut tx, email.as_str()).await?;
    let user = match known(&mut tx, visit, &email).await? {
        Some(user) if user.is_confirmed() => return Err(AccountRefusal::EmailExists.into()),
        Some(user) => {
            unproven::drop_password(state, &mut tx, &user).await?;
            user
        }
        None => {
            let new = NewAccount {
                email: Some(email.as_str()),
                phone: None,
                hash: None,
                data,
                provider: Some("email"),
                by_admin: true,
            };
            create_account(state, &mut tx, &visit.aud, new).await?
        }
    };
    let mail = letter::invitation(state, &mut tx, visit, &user).await?;
    record_by_admin(state, &mut tx, visit, &user, Action::UserInvited).await?;
    let user = store::user::load(&mut tx, user.id).await?.ok_or(AccountRefusal::UserNotFound)?;
    tx.commit().await?;
    post::send(state, [mail]).await?;
    Ok(user)
}
