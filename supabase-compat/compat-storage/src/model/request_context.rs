//! The caller of a request, and the facts that policies and triggers can read.

use std::net::IpAddr;

use compat_http::RequestFacts;
use compat_token::Caller;
use secrecy::SecretString;

/// One request as the database sees it.
#[derive(Debug, Clone)]
pub struct RequestContext {
    /// The caller.
    pub caller: Caller,
    /// The caller's token, for `request.jwt`.
    pub token: Option<SecretString>,
    /// Method, path and headers.
    pub facts: RequestFacts,
    /// The client address for the fair distribution of database connections.
    pub client: Option<IpAddr>,
    /// `storage.operation`; see [`crate::model::operation`].
    pub operation: &'static str,
}

impl RequestContext {
    /// The subject of the token, of any form; it becomes the `owner_id` of new rows.
    pub fn subject(&self) -> Option<&str> {
        self.caller.claims()?.sub_text().filter(|sub| !sub.is_empty())
    }
}
