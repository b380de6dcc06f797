//! `GET /user`, `PUT /user` and `GET /reauthenticate`

use axum::extract::State as Extract;
use axum::response::Response;
use serde::Deserialize;

use super::body::{Body, ChallengeFields};
use super::extract::SignedInUser;
use super::shape;
use crate::error::AuthError;
use crate::flow::reauthenticate::reauthenticate;
use crate::flow::update_user::{UserChanges, update_user};
use crate::model::RequestContext;
use crate::model::metadata::Metadata;
use crate::state::State;

/// `GET /user`
pub async fn get(SignedInUser(caller): SignedInUser) -> Response {
    shape::user(&caller.user)
}

#[derive(Debug, Deserialize)]
pub struct UpdateBody {
    email: Option<String>,
    phone: Option<String>,
    password: Option<String>,
    current_password: Option<String>,
    nonce: Option<String>,
    data: Option<Metadata>,
    app_metadata: Option<Metadata>,
    #[serde(flatten)]
    challenge: ChallengeFields,
}

/// `PUT /user`
pub async fn put(
    Extract(state): Extract<State>,
    context: RequestContext,
    SignedInUser(caller): SignedInUser,
    Body(body): Body<UpdateBody>,
) -> Result<Response, AuthError> {
    let changes = UserChanges {
        email: body.email.as_deref().unwrap_or_default(),
        phone: body.phone.as_deref().unwrap_or_default(),
        password: body.password.as_deref(),
        current_password: body.current_password.as_deref().unwrap_or_default(),
        nonce: body.nonce.as_deref().unwrap_or_default(),
        data: body.data,
        has_app_metadata: body.app_metadata.is_some(),
        challenge: body.challenge.parse()?,
    };
    let user = update_user(&state, &context, &caller, changes).await?;
    Ok(shape::user(&user))
}

/// `GET /reauthenticate`
pub async fn get_reauthenticate(
    Extract(state): Extract<State>,
    context: RequestContext,
    SignedInUser(caller): SignedInUser,
) -> Result<Response, AuthError> {
    let message = reauthenticate(&state, &context, &caller).await?;
    Ok(super::mail_request::message(message))
}
