//! The account of a call's caller.

use compat_functions::{Caller, Invocation};
use http::header;
use uuid::Uuid;

use crate::Refusal;

/// The account of a signed-in caller; `None` for keys and other roles, which are guests. A caller
/// with an invalid token is refused and not treated as a guest.
///
/// # Errors
/// [`Refusal::InvalidToken`] for an invalid token.
pub(crate) fn account(call: &Invocation) -> Result<Option<Uuid>, Refusal> {
    match &call.caller {
        Some(caller) => Ok(account_of(caller)),
        None if call.headers.contains_key(header::AUTHORIZATION) => Err(Refusal::InvalidToken),
        None => Ok(None),
    }
}

fn account_of(caller: &Caller) -> Option<Uuid> {
    let is_user = caller.role() == "authenticated";
    caller.claims().filter(|_| is_user).and_then(|claims| claims.sub())
}
