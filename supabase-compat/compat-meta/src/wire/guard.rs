//! Admits only the service key.

use axum::extract::{Request, State as Extract};
use axum::middleware::Next;
use axum::response::{IntoResponse as _, Response};
use compat_token::TokenRefusal;
use http::HeaderMap;

use crate::{MetaError, State};

/// The role of the service key.
const SERVICE: &str = "service_role";

/// Runs before every route, including unknown paths.
pub(crate) async fn require_service_key(
    Extract(state): Extract<State>,
    request: Request,
    next: Next,
) -> Response {
    match admit(&state, request.headers()) {
        Ok(()) => next.run(request).await,
        Err(refusal) => refusal.into_response(),
    }
}

fn admit(state: &State, headers: &HeaderMap) -> Result<(), MetaError> {
    let caller = state.environment().caller(headers).map_err(|_: TokenRefusal| MetaError::Key)?;
    match caller.claims() {
        None => Err(MetaError::NoKey),
        Some(_) if caller.role() == SERVICE => Ok(()),
        Some(_) => Err(MetaError::NotServiceKey),
    }
}
