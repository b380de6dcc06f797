//! `GET /user`, `PUT /user` and `GET /reauthenticate`

use axum::extract::State as Extract;
use axum::response::Response;
use serde::Deserialize;

use super::asking::SignedIn;
use super::body::{Body, ChallengeFields};
use super::shape;
use crate::error::AuthError;
use crate::flow::reauthenticate::reauthenticate;
use crate::flow::update_user::{Changes, update_user};
use crate::model::Visit;
use crate::model::metadata::Metadata;
use crate::state::State;

/// `GET /user`
pub async fn get(SignedIn(who): SignedIn) -> Response {
    shape::user(&who.user)
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
    visit: Visit,
    SignedIn(who): SignedIn,
    Body(body): Body<UpdateBody>,
) -> Result<Response, AuthError> {
    let changes = Changes {
        email: body.email.as_deref().unwrap_or_default(),
        phone: body.phone.as_deref().unwrap_or_default(),
        password: body.password.as_deref(),
        current_password: body.current_password.as_deref().unwrap_or_default(),
        nonce: body.nonce.as_deref().unwrap_or_default(),
        data: body.data,
        has_app_metadata: body.app_metadata.is_some(),
        challenge: body.challenge.parse()?,
    };
    let user = update_user(&state, &visit, &who, changes).await?;
    Ok(shape::user(&user))
}

/// `GET /reauthenticate`
pub async fn get_reauthenticate(
    Extract(state): Extract<State>,
    visit: Visit,
    SignedIn(who): SignedIn,
) -> Result<Response, AuthError> {
    let message = reauthenticate(&state, &visit, &who).await?;
    Ok(super::mail_request::message(message))
}
