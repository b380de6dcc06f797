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

    /// Answers one call. A panic is caught and answered as `WORKER_ERROR`. When the caller
    /// disconnects or the deadline passes, the future is dropped at its next await, so work that
    /// must be atomic belongs in one transaction.
    fn call(&self, invocation: Invocation) -> BoxFuture<'_, Response>;
}

/// One call, as the client made it.
#[derive(Debug)]
pub struct Invocation {
    /// The method, unchanged.
    pub method: Method,
    /// The path after the name, still percent-encoded: empty, or beginning with `/`.
    pub path_rest: String,
    /// The query without its `?`, still percent-encoded; empty when there is none.
    pub query: String,
    /// All headers; `sb-api-key` is the service's own: the token that an opaque `apikey` stands for.
    pub headers: HeaderMap,
    /// The body as it arrives; it ends with an error when it exceeds the service's limit.
    /// [`Self::read_body`] waits for all of it.
    pub body: Body,
    /// The caller that `apikey` and `Authorization` identify by the gateway's rule. `None` when the
    /// token is not valid; only a function that needs no token receives such a call.
    pub caller: Option<Caller>,
    /// The client's address; those of trusted proxies are already removed.
    pub client_ip: IpAddr,
    /// The connection, for a function that switches it to another protocol (RFC 9110 section 7.8).
    pub upgrade: Option<OnUpgrade>,
}

impl Invocation {
    /// Reads the body to its end and leaves an empty one. The refusal is the service's own answer
    /// to a body that is too long or breaks off.
    ///
    /// # Errors
    /// [`CallRefusal::BodyTooLarge`] beyond `limit` bytes or the service's own limit,
    /// [`CallRefusal::BodyUnreadable`].
    pub async fn read_body(&mut self, limit: usize) -> Result<Bytes, CallRefusal> {
        body::read_all(std::mem::take(&mut self.body), limit).await
    }
}
