//! What all orders have in common: the buyer, and the language.

use compat_functions::{Caller, Invocation};
use page_registry::Language;
use serde::Deserialize;

use crate::Refusal;
use crate::buyer::Buyer;
use crate::state::State;

/// The buyer, who has to be signed in.
///
/// # Errors
/// [`Refusal::Unauthenticated`] for a caller who is not signed in.
pub(crate) fn buyer<'a>(state: &'a State, call: &'a Invocation) -> Result<Buyer<'a>, Refusal> {
    let has_account = |caller: &&Caller| {
        caller.role() == "authenticated"
            && caller.claims().and_then(|claims| claims.sub()).is_some()
    };
    let caller = call.caller.as_ref().filter(has_account).ok_or(Refusal::Unauthenticated)?;
    Ok(Buyer { acting: state.acting(), caller, client: call.client_ip })
}

/// The buyer's language; French where the site does not have the requested one.
#[derive(Debug, Clone, Copy)]
pub(crate) struct RequestLanguage(pub Language);

impl Default for RequestLanguage {
    fn default() -> Self {
        Self(Language::Fr)
    }
}

impl<'de> Deserialize<'de> for RequestLanguage {
    fn deserialize<D: serde::Deserializer<'de>>(reader: D) -> Result<Self, D::Error> {
        let code = Option::<String>::deserialize(reader)?;
        Ok(Self(code.and_then(|code| Language::parse(&code)).unwrap_or(Language::Fr)))
    }
}
