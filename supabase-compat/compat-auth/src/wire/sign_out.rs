//! `POST /logout?scope=…`

use axum::extract::{Query, State as Extract};
use http::StatusCode;
use serde::Deserialize;

use super::extract::SignedInUser;
use crate::error::AuthError;
use crate::flow::sign_out::{Scope, sign_out};
use crate::model::RequestContext;
use crate::state::State;

#[derive(Debug, Deserialize)]
pub struct SignOutQuery {
    scope: Option<String>,
}

/// Answers 204 without a body.
pub async fn post(
    Extract(state): Extract<State>,
    context: RequestContext,
    SignedInUser(caller): SignedInUser,
    Query(query): Query<SignOutQuery>,
) -> Result<StatusCode, AuthError> {
    let scope = Scope::parse(query.scope.as_deref())?;
    sign_out(&state, &context, &caller, scope).await?;
    Ok(StatusCode::NO_CONTENT)
}
