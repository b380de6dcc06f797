//! The nouns: a function and one call of it.

use std::{net::IpAddr, pin::Pin};

use axum::response::Response;
use bytes::Bytes;
use compat_token::Caller;
use http::{HeaderMap, Method};

/// A boxed future that may move between threads.
pub type BoxFuture<'a, T> = Pin<Box<dyn Future<Output = T> + Send + 'a>>;

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
    /// All headers but `sb-api-key`, which only a gateway may write.
    pub headers: HeaderMap,
    /// The whole body.
    pub body: Bytes,
    /// Who calls, as the gateway's rule reads `apikey` and `Authorization`. `None` when the token
    /// offered is not a valid one, which only a function that asks for no token gets to see.
    pub caller: Option<Caller>,
    /// The client's address, already freed of trusted proxies.
    pub client_ip: IpAddr,
}
