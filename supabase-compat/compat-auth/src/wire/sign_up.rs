//! `POST /signup`

use axum::extract::State as Extract;
use axum::response::Response;
use serde::Deserialize;

use super::body::{Body, ChallengeFields};
use super::shape;
use crate::error::AuthError;
use crate::flow::sign_up::{SignUp, SignUpOutcome, sign_up, sign_up_anonymously};
use crate::model::RequestContext;
use crate::model::metadata::Metadata;
use crate::state::State;

#[derive(Debug, Deserialize)]
pub struct SignUpBody {
    email: Option<String>,
    phone: Option<String>,
    password: Option<String>,
    data: Option<Metadata>,
    channel: Option<String>,
    #[serde(flatten)]
    challenge: ChallengeFields,
}

/// Returns a session, or only the user if it must confirm first.
pub async fn post(
    Extract(state): Extract<State>,
    context: RequestContext,
    Body(body): Body<SignUpBody>,
) -> Result<Response, AuthError> {
    let email = body.email.as_deref().unwrap_or_default();
    let phone = body.phone.as_deref().unwrap_or_default();
    let data = body.data.unwrap_or_default();
    // As in the original, a body without address and password requests an anonymous account.
    if email.is_empty()
        && phone.is_empty()
        && body.password.as_deref().unwrap_or_default().is_empty()
    {
        let grant = sign_up_anonymously(&state, &context, data).await?;
        return Ok(shape::session(&grant));
    }
    let request = SignUp {
        email,
        phone,
        password: body.password.as_deref().unwrap_or_default(),
        data,
        channel: body.channel.as_deref().unwrap_or_default(),
        code_challenge: body.challenge.code_challenge.as_deref(),
        code_challenge_method: body.challenge.code_challenge_method.as_deref(),
    };
    Ok(match sign_up(&state, &context, request).await? {
        SignUpOutcome::Session(grant) => shape::session(&grant),
        SignUpOutcome::User(user) => shape::user(&user),
    })
}
