//! Builds functions from a name and an async function over a shared state.

use std::sync::Arc;

use axum::response::{IntoResponse, Response, Result};
use futures_util::future::BoxFuture;
use http::Method;
use serde::de::DeserializeOwned;

use crate::{Function, Invocation};

/// Which calls a function accepts.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Access {
    /// Calls with a valid bearer token.
    Token,
    /// Every call.
    Public,
}

/// Why a body was not read.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum JsonBodyError {
    /// The function answers POST only.
    Method,
    /// The body does not have the expected shape, which the text describes.
    Shape(&'static str),
}

/// The longest body that [`posted`] and [`json_body`] read.
const MAX_BODY: usize = 16 << 10;

struct Handler<S, H> {
    name: &'static str,
    access: Access,
    state: S,
    handle: H,
}

/// A function that answers with `handle`, which gets a clone of the state.
pub fn function<S, H, F>(
    name: &'static str,
    access: Access,
    state: &S,
    handle: H,
) -> Arc<dyn Function>
where
    S: Clone + Send + Sync + 'static,
    H: Fn(S, Invocation) -> F + Send + Sync + 'static,
    F: Future<Output = Result<Response>> + Send + 'static,
{
    Arc::new(Handler { name, access, state: state.clone(), handle })
}

impl<S, H, F> Function for Handler<S, H>
where
    S: Clone + Send + Sync,
    H: Fn(S, Invocation) -> F + Send + Sync,
    F: Future<Output = Result<Response>> + Send + 'static,
{
    fn name(&self) -> &str {
        self.name
    }

    fn verify_jwt(&self) -> bool {
        self.access == Access::Token
    }

    fn call(&self, invocation: Invocation) -> BoxFuture<'_, Response> {
        let answer = (self.handle)(self.state.clone(), invocation);
        Box::pin(async move { answer.await.into_response() })
    }
}

/// Reads the JSON body of a POST; `shape` describes to the caller what the body has to be.
///
/// # Errors
/// `E` for another method or a body of another shape; the service's own refusal for a body that is
/// too long.
pub async fn posted<T, E>(call: &mut Invocation, shape: &'static str) -> Result<T>
where
    T: DeserializeOwned,
    E: From<JsonBodyError> + IntoResponse,
{
    if call.method != Method::POST {
        return Err(E::from(JsonBodyError::Method).into());
    }
    json_body::<T, E>(call, shape).await
}

/// Reads the JSON body of a call by any method.
///
/// # Errors
/// As [`posted`].
pub async fn json_body<T, E>(call: &mut Invocation, shape: &'static str) -> Result<T>
where
    T: DeserializeOwned,
    E: From<JsonBodyError> + IntoResponse,
{
    let body = call.read_body(MAX_BODY).await?;
    Ok(serde_json::from_slice(&body).map_err(|_| E::from(JsonBodyError::Shape(shape)))?)
}
