//! The nouns: a function and one call of it.

use std::net::IpAddr;

use axum::body::Body;
use axum::response::Response;
use bytes::Bytes;
use compat_token::Caller;
use futures_util::future::BoxFuture;
use http::{HeaderMap, Method};
use hyper::upgrade::OnUpgrade;

use crate::{CallRefusal, body};

/// Something that answers calls under one name.
pub trait Function: Send + Sync {
    /// The path segment it is called by: `[A-Za-z0-9_-]+`, unique within a service.
    fn name(&self) -> &str;

    /// Whether a call needs a valid bearer token. Settings may override it.
    fn verify_jwt(&self) -> bool {
        true
    }

    /// Answers one call. A panic is caught and told as `WORKER_ERROR`; a caller that goes away, or
    /// a deadline that passes, drops the future at its next await, so work that must be whole
    /// belongs in one transaction.
    fn call(&self, invocation: Invocation) -> BoxFuture<'_, Response>;
}

/// One call, as the client made it.
#[derive(Debug)]
pub struct Invocation {
    /// The method, unchanged.
    pub method: Method,
    /// What follows the name, still percent-encoded: empty, or beginning with `/`.
    pub path_rest: String,
    /// The query without its `?`, still percent-encoded; empty when there is none.
    pub query: String,
    /// All headers; `sb-api-key` is the service's own: the token that an opaque `apikey` stands for.
    pub headers: HeaderMap,
    /// The body as it arrives; it breaks off with an error where it grows longer than the service
    /// reads. [`Self::whole`] waits for all of it.
    pub body: Body,
    /// Who calls, as the gateway's rule reads `apikey` and `Authorization`. `None` when the token
    /// offered is not a valid one, which only a function that asks for no token gets to see.
    pub caller: Option<Caller>,
    /// The client's address, already freed of trusted proxies.
    pub client_ip: IpAddr,
    /// The connection, for a function that switches it to another protocol (RFC 9110 section 7.8).
    pub upgrade: Option<OnUpgrade>,
}

impl Invocation {
    /// Reads the body to its end and leaves an empty one. What the service would say of one that is
    /// too long or broken off is the refusal's own answer.
    ///
    /// # Errors
    /// [`CallRefusal::BodyTooLarge`] beyond `limit` bytes or the service's own limit,
    /// [`CallRefusal::BodyUnreadable`].
    pub async fn whole(&mut self, limit: usize) -> Result<Bytes, CallRefusal> {
        body::whole(std::mem::take(&mut self.body), limit).await
    }
}
