//! Endpoints that send a message and reveal nothing: `/recover`, `/resend`, `/otp` and
//! `/magiclink`.

use axum::extract::State as Extract;
use axum::response::Response;
use http::StatusCode;
use serde::Deserialize;
use serde_json::json;

use super::body::{Body, ChallengeFields};
use super::shape;
use crate::error::{AuthError, DisabledAction, DisabledFeature, InvalidRequest};
use crate::flow::passwordless::{PasswordlessRequest, by_text, passwordless};
use crate::flow::recover::recover;
use crate::flow::resend::{Resend, resend};
use crate::model::RequestContext;
use crate::model::metadata::Metadata;
use crate::state::State;

#[derive(Debug, Deserialize)]
pub struct RecoverBody {
    email: Option<String>,
    #[serde(flatten)]
    challenge: ChallengeFields,
}

/// `POST /recover`
pub async fn post_recover(
    Extract(state): Extract<State>,
    context: RequestContext,
    Body(body): Body<RecoverBody>,
) -> Result<Response, AuthError> {
    let challenge = body.challenge.parse()?;
    recover(&state, &context, body.email.as_deref().unwrap_or_default(), challenge).await?;
    Ok(shape::nothing())
}

#[derive(Debug, Deserialize)]
pub struct ResendBody {
    #[serde(rename = "type")]
    kind: Option<String>,
    email: Option<String>,
    phone: Option<String>,
    #[serde(flatten)]
    challenge: ChallengeFields,
}

/// `POST /resend`
pub async fn post_resend(
    Extract(state): Extract<State>,
    context: RequestContext,
    Body(body): Body<ResendBody>,
) -> Result<Response, AuthError> {
    let request = Resend {
        kind: body.kind.as_deref().unwrap_or_default(),
        email: body.email.as_deref().unwrap_or_default(),
        phone: body.phone.as_deref().unwrap_or_default(),
        challenge: body.challenge.parse()?,
    };
    Ok(message(resend(&state, &context, request).await?))
}

/// The response, with the provider's id of a text message if there is one.
pub(super) fn message(id: Option<String>) -> Response {
    match id {
        Some(id) => compat_http::json(StatusCode::OK, &json!({"message_id": id})),
        None => shape::nothing(),
    }
}

#[derive(Debug, Deserialize)]
pub struct OtpBody {
    email: Option<String>,
    phone: Option<String>,
    create_user: Option<bool>,
    data: Option<Metadata>,
    #[serde(flatten)]
    challenge: ChallengeFields,
}

/// `POST /otp`
pub async fn post_otp(
    Extract(state): Extract<State>,
    context: RequestContext,
    Body(body): Body<OtpBody>,
) -> Result<Response, AuthError> {
    let email = body.email.as_deref().unwrap_or_default();
    let phone = body.phone.as_deref().unwrap_or_default();
    match (email, phone) {
        ("", "") => return Err(InvalidRequest::AddressMissing.into()),
        ("", phone) => {
            let (data, create) = (body.data.unwrap_or_default(), body.create_user.unwrap_or(true));
            let id = by_text(&state, &context, phone, data, create).await?;
            return Ok(message(id));
        }
        (_, "") => {}
        _ => return Err(InvalidRequest::EmailAndPhone.into()),
    }
    if !state.config.email.enabled {
        return Err(DisabledFeature::Email(DisabledAction::Login).into());
    }
    let request = PasswordlessRequest {
        email,
        data: body.data.unwrap_or_default(),
        create_user: body.create_user.unwrap_or(true),
        challenge: body.challenge.parse()?,
    };
    passwordless(&state, &context, request).await?;
    Ok(shape::nothing())
}

/// `POST /magiclink`
pub async fn post_magiclink(
    Extract(state): Extract<State>,
    context: RequestContext,
    Body(body): Body<OtpBody>,
) -> Result<Response, AuthError> {
    let request = PasswordlessRequest {
        email: body.email.as_deref().unwrap_or_default(),
        data: body.data.unwrap_or_default(),
        create_user: true,
        challenge: body.challenge.parse()?,
    };
    passwordless(&state, &context, request).await?;
    Ok(shape::nothing())
}
