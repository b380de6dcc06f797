//! Whose account a call is made with.

use compat_functions::{Caller, Invocation};
use http::header;
use uuid::Uuid;

use crate::Refusal;

/// The account of a signed-in caller; keys and other roles are guests. Whoever offers a token means
/// to be somebody: with one that is not valid they are not taken for a guest.
///
/// # Errors
/// The refusal of a token that is not valid.
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
