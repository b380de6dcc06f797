//! Who asks, and what policies and triggers may know of the request.

use std::net::IpAddr;

use compat_http::RequestFacts;
use compat_token::Caller;
use secrecy::SecretString;

/// One request as the database shall see it.
#[derive(Debug, Clone)]
pub struct RequestContext {
    /// Who asks.
    pub caller: Caller,
    /// The token that says so, for `request.jwt`.
    pub token: Option<SecretString>,
    /// Method, path and headers.
    pub facts: RequestFacts,
    /// Whose share of the connections it is.
    pub client: Option<IpAddr>,
    /// `storage.operation`; see [`crate::model::operation`].
    pub operation: &'static str,
}

impl RequestContext {
    /// The subject of the token, whatever it looks like: the `owner_id` of what is made.
    pub fn subject(&self) -> Option<&str> {
        self.caller.claims()?.sub_text().filter(|sub| !sub.is_empty())
    }
}
