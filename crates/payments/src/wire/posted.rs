//! What functions that are posted to share: a short JSON body, and who sends it.

use axum::response::Result;
use compat_functions::{Caller, Invocation};
use http::Method;
use letters::Language;
use serde::Deserialize;
use serde::de::DeserializeOwned;

use crate::Refusal;
use crate::buyer::Buyer;
use crate::state::State;

/// The longest body that is read: two addresses and a few words.
const MAX_BODY: usize = 16 << 10;

/// Reads the body of a POST; `shape` tells the caller what it has to be.
///
/// # Errors
/// The answer to another method, a longer body, or one of another shape.
pub(crate) async fn posted<T: DeserializeOwned>(
    call: &mut Invocation,
    shape: &'static str,
) -> Result<T> {
    if call.method != Method::POST {
        return Err(Refusal::MethodNotAllowed("POST").into());
    }
    let body = call.whole(MAX_BODY).await?;
    Ok(serde_json::from_slice(&body).map_err(|_| Refusal::BadRequest(shape))?)
}

/// Who buys: somebody who is signed in.
///
/// # Errors
/// [`Refusal::SignedOut`] for anybody else.
pub(crate) fn buyer<'a>(state: &'a State, call: &'a Invocation) -> Result<Buyer<'a>, Refusal> {
    let is_somebody = |caller: &&Caller| {
        caller.role() == "authenticated"
            && caller.claims().and_then(|claims| claims.sub()).is_some()
    };
    let caller = call.caller.as_ref().filter(is_somebody).ok_or(Refusal::SignedOut)?;
    Ok(Buyer { acting: state.acting(), caller, client: call.client_ip })
}

/// The language somebody is told in; French where it is none of the site's.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Told(pub Language);

impl Default for Told {
    fn default() -> Self {
        Self(Language::Fr)
    }
}

impl<'de> Deserialize<'de> for Told {
    fn deserialize<D: serde::Deserializer<'de>>(reader: D) -> Result<Self, D::Error> {
        let code = Option::<String>::deserialize(reader)?;
        Ok(Self(code.and_then(|code| Language::parse(&code)).unwrap_or(Language::Fr)))
    }
}
