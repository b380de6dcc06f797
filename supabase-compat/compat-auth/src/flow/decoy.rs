//! Messages that are not sent because the address has no account or nothing is pending. They use up
//! the same budgets and are subject to the same minimum interval as sent messages, so that
//! responses do not reveal which addresses have accounts.

use compat_pg::Owner;

use crate::error::AuthError;
use crate::guard::limit;
use crate::model::{Address, Email, Phone, TokenHash};
use crate::outbox::{email, text};
use crate::state::State;
use crate::store;

/// The kind of message that would have been sent. Like an account, a decoy records the time of the
/// last message of each kind.
#[derive(Debug, Clone, Copy)]
pub enum DecoyMessage {
    Confirmation,
    Recovery,
    Change,
}

impl DecoyMessage {
    fn name(self) -> &'static str {
        match self {
            Self::Confirmation => "unsent confirmation",
            Self::Recovery => "unsent recovery",
            Self::Change => "unsent change",
        }
    }
}

/// Records a decoy message and commits.
///
/// # Errors
/// The refusal that a sent message would get.
pub async fn note(
    state: &State,
    tx: Owner,
    message: DecoyMessage,
    address: &Address,
) -> Result<(), AuthError> {
    match address {
        Address::Email(email) => mail(state, tx, message, email).await,
        Address::Phone(phone) => text(state, tx, message, phone).await,
    }
}

async fn mail(
    state: &State,
    mut tx: Owner,
    message: DecoyMessage,
    email: &Email,
) -> Result<(), AuthError> {
    let now = state.now();
    let before = now - state.config.email.max_frequency;
    let subject = TokenHash::of(email.as_str(), "");
    store::user::contact::lock_address(&mut tx, email.as_str()).await?;
    let last =
        store::allowance::space(&mut tx, message.name(), subject.as_str(), before, now).await?;
    email::check_frequency(state, last)?;
    email::check_authorized(state, email.as_str())?;
    limit::take_mail(state, &mut tx).await?;
    Ok(tx.commit().await?)
}

async fn text(
    state: &State,
    mut tx: Owner,
    message: DecoyMessage,
    phone: &Phone,
) -> Result<(), AuthError> {
    let (now, frequency) = (state.now(), state.config.sms.max_frequency);
    let subject = TokenHash::of(phone.as_str(), "");
    store::user::contact::lock_address(&mut tx, phone.as_str()).await?;
    let last =
        store::allowance::space(&mut tx, message.name(), subject.as_str(), now - frequency, now)
            .await?;
    text::check_frequency(state, last, frequency)?;
    text::check_reachable(state, phone.as_str())?;
    limit::take_text(state, &mut tx).await?;
    Ok(tx.commit().await?)
}
