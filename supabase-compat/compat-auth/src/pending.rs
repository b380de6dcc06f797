//! Pending codes. Each is a column of its account, which shows what is pending, and a row that
//! finds it by its hash. Only this module writes and removes the two, always together.

use compat_pg::Owner;
use uuid::Uuid;

use crate::error::AuthError;
use crate::model::{OneTime, TokenHash, User};
use crate::state::State;
use crate::store;

/// A new code with its stored form.
pub struct Code {
    pub digits: String,
    pub hash: TokenHash,
}

/// Generates a code for a mail to `address`; `pkce` adds the PKCE prefix.
pub fn draw(state: &State, address: &str, pkce: bool) -> Code {
    let length = state.config.email.otp_length.clamp(6, 10);
    let digits = state.environment.entropy.digits(length);
    Code { hash: TokenHash::of(address, &digits).with_pkce(pkce), digits }
}

/// The purpose of a code. Recovery and magic link share theirs, and so their minimum interval.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Purpose {
    Confirmation,
    Invitation,
    Recovery,
    Reauthentication,
    PhoneChange,
}

impl Purpose {
    /// The kind of row for codes of this purpose.
    fn row(self) -> OneTime {
        match self {
            Self::Confirmation | Self::Invitation => OneTime::Confirmation,
            Self::Recovery => OneTime::Recovery,
            Self::Reauthentication => OneTime::Reauthentication,
            Self::PhoneChange => OneTime::PhoneChange,
        }
    }
}

/// Stores a code for `address`, replacing the previous one.
pub async fn note(
    state: &State,
    tx: &mut Owner,
    (user, purpose): (Uuid, Purpose),
    address: &str,
    hash: &TokenHash,
) -> Result<(), AuthError> {
    let (hash, now) = (hash.as_str(), state.now());
    match purpose {
        Purpose::Confirmation => store::pending::set_confirmation(tx, user, hash, now).await?,
        Purpose::Invitation => store::pending::set_invitation(tx, user, hash, now).await?,
        Purpose::Recovery => store::pending::set_recovery(tx, user, hash, now).await?,
        Purpose::Reauthentication => {
            store::pending::set_reauthentication(tx, user, hash, now).await?;
        }
        Purpose::PhoneChange => {
            store::pending::set_phone_change(tx, user, address, hash, now).await?;
        }
    }
    store::pending::put(tx, state.uuid(), user, purpose.row(), hash, address, now).await?;
    Ok(())
}

/// A requested change of address and the codes of both addresses; empty for an address that need
/// not confirm.
pub struct EmailChange<'a> {
    pub to: &'a str,
    pub new: &'a str,
    pub current: &'a str,
}

/// Stores the requested change, replacing the previous one.
pub async fn note_change(
    state: &State,
    tx: &mut Owner,
    user: &User,
    change: &EmailChange<'_>,
) -> Result<(), AuthError> {
    let EmailChange { to, new, current } = *change;
    let now = state.now();
    store::pending::set_email_change(tx, user.id, to, new, current, now).await?;
    let sides =
        [(OneTime::EmailChangeNew, new, to), (OneTime::EmailChangeCurrent, current, user.email())];
    for (kind, hash, address) in sides {
        if hash.is_empty() {
            store::pending::clear(tx, user.id, kind).await?;
        } else {
            store::pending::put(tx, state.uuid(), user.id, kind, hash, address, now).await?;
        }
    }
    Ok(())
}

/// Records that one address confirmed the change: its code is removed, the other one stays pending.
pub async fn agree(
    state: &State,
    tx: &mut Owner,
    user: &User,
    side: OneTime,
) -> Result<(), AuthError> {
    let token_of = |kind: OneTime| if kind == side { "" } else { user.pending(kind).0 };
    let (new, current) = (token_of(OneTime::EmailChangeNew), token_of(OneTime::EmailChangeCurrent));
    store::pending::half_confirm_email_change(tx, user.id, new, current, state.now()).await?;
    store::pending::clear(tx, user.id, side).await?;
    Ok(())
}

/// Deletes every pending code of an account.
pub async fn void(tx: &mut Owner, user: Uuid) -> Result<(), AuthError> {
    store::pending::clear_columns(tx, user).await?;
    store::pending::clear_all(tx, user).await?;
    Ok(())
}
