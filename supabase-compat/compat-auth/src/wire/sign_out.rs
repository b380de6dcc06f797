//! `POST /logout?scope=…`

use axum::extract::{Query, State as Extract};
use http::StatusCode;
use serde::Deserialize;

use super::asking::SignedIn;
use crate::error::AuthError;
use crate::flow::sign_out::{Scope, sign_out};
use crate::model::Visit;
use crate::state::State;

#[derive(Debug, Deserialize)]
pub struct Asked {
    scope: Option<String>,
}

/// Answers 204 without a body.
pub async fn post(
    Extract(state): Extract<State>,
    visit: Visit,
    SignedIn(who): SignedIn,
    Query(asked): Query<Asked>,
) -> Result<StatusCode, AuthError> {
    let scope = Scope::parse(asked.scope.as_deref())?;
    sign_out(&state, &visit, &who, scope).await?;
    Ok(StatusCode::NO_CONTENT)
}
