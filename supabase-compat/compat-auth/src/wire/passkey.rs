//! `/passkeys`, and an administrator's view of them

use axum::extract::{FromRequestParts, Path, State as Extract};
use axum::response::{IntoResponse as _, Response};
use chrono::{DateTime, Utc};
use http::StatusCode;
use http::request::Parts;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};
use uuid::Uuid;

use super::admin::users::id;
use super::body::Body;
use super::extract::{Admin, SignedInUser};
use super::shape;
use crate::error::{AuthError, DeviceRefusal, InvalidRequest};
use crate::flow::admin::change_user::find;
use crate::flow::passkey::{self, CeremonyStart};
use crate::model::{Passkey, RequestContext};
use crate::state::State;

#[derive(Serialize)]
struct PasskeyBody<'a> {
    id: Uuid,
    #[serde(skip_serializing_if = "str::is_empty")]
    friendly_name: &'a str,
    created_at: DateTime<Utc>,
    #[serde(skip_serializing_if = "Option::is_none")]
    last_used_at: Option<DateTime<Utc>>,
}

impl<'a> From<&'a Passkey> for PasskeyBody<'a> {
    fn from(passkey: &'a Passkey) -> Self {
        Self {
            id: passkey.id,
            friendly_name: &passkey.friendly_name,
            created_at: passkey.created_at,
            last_used_at: passkey.last_used_at,
        }
    }
}

/// Checks first that passkeys are enabled.
pub struct PasskeysEnabled;

impl FromRequestParts<State> for PasskeysEnabled {
    type Rejection = AuthError;

    async fn from_request_parts(_: &mut Parts, state: &State) -> Result<Self, AuthError> {
        passkey::check_enabled(state).map(|()| Self)
    }
}

fn start_response(start: &CeremonyStart) -> Response {
    let answer = json!({
        "challenge_id": start.challenge_id,
        "options": start.options,
        "expires_at": start.expires_at,
    });
    compat_http::json(StatusCode::OK, &answer)
}

fn listed(passkeys: &[Passkey]) -> Response {
    let bodies: Vec<PasskeyBody<'_>> = passkeys.iter().map(PasskeyBody::from).collect();
    compat_http::json(StatusCode::OK, &bodies)
}

/// The browser's response to a ceremony.
#[derive(Debug, Deserialize)]
pub struct AnswerBody {
    challenge_id: Option<String>,
    credential: Option<Value>,
}

impl AnswerBody {
    /// The id and the credential; an invalid id is treated as that of an unknown ceremony.
    fn parts(self) -> Result<(Uuid, Value), AuthError> {
        let credential = self.credential.ok_or(InvalidRequest::CredentialMissing)?;
        let id = self.challenge_id.and_then(|id| id.parse().ok());
        Ok((id.ok_or(DeviceRefusal::ChallengeNotFound)?, credential))
    }
}

/// `POST /passkeys/registration/options`
pub async fn begin_registration(
    Extract(state): Extract<State>,
    _: PasskeysEnabled,
    SignedInUser(caller): SignedInUser,
) -> Result<Response, AuthError> {
    Ok(start_response(&passkey::begin_registration(&state, &caller).await?))
}

/// `POST /passkeys/registration/verify`
pub async fn finish_registration(
    Extract(state): Extract<State>,
    _: PasskeysEnabled,
    context: RequestContext,
    SignedInUser(caller): SignedInUser,
    Body(body): Body<AnswerBody>,
) -> Result<Response, AuthError> {
    let (challenge, credential) = body.parts()?;
    let new_passkey =
        passkey::finish_registration(&state, &context, &caller, challenge, credential).await?;
    Ok(compat_http::json(StatusCode::OK, &PasskeyBody::from(&new_passkey)))
}

/// `POST /passkeys/authentication/options`
pub async fn begin_sign_in(
    Extract(state): Extract<State>,
    _: PasskeysEnabled,
) -> Result<Response, AuthError> {
    Ok(start_response(&passkey::begin_sign_in(&state).await?))
}

/// `POST /passkeys/authentication/verify`
pub async fn finish_sign_in(
    Extract(state): Extract<State>,
    _: PasskeysEnabled,
    context: RequestContext,
    Body(body): Body<AnswerBody>,
) -> Result<Response, AuthError> {
    let (challenge, credential) = body.parts()?;
    let grant = passkey::finish_sign_in(&state, &context, challenge, credential).await?;
    Ok(shape::session(&grant))
}

/// `GET /passkeys`: a bare array.
pub async fn list(
    Extract(state): Extract<State>,
    _: PasskeysEnabled,
    SignedInUser(caller): SignedInUser,
) -> Result<Response, AuthError> {
    Ok(listed(&passkey::list(&state, caller.user.id).await?))
}

#[derive(Debug, Deserialize)]
pub struct RenameBody {
    friendly_name: Option<String>,
}

/// `PATCH /passkeys/{id}`
pub async fn rename(
    Extract(state): Extract<State>,
    _: PasskeysEnabled,
    context: RequestContext,
    SignedInUser(caller): SignedInUser,
    Path(passkey_id): Path<String>,
    Body(body): Body<RenameBody>,
) -> Result<Response, AuthError> {
    let (id, name) = (id("passkey_id", &passkey_id)?, body.friendly_name.unwrap_or_default());
    let renamed = passkey::rename(&state, &context, &caller, id, &name).await?;
    Ok(compat_http::json(StatusCode::OK, &PasskeyBody::from(&renamed)))
}

/// `DELETE /passkeys/{id}`
pub async fn delete(
    Extract(state): Extract<State>,
    _: PasskeysEnabled,
    context: RequestContext,
    SignedInUser(caller): SignedInUser,
    Path(passkey_id): Path<String>,
) -> Result<Response, AuthError> {
    passkey::delete(&state, &context, &caller, id("passkey_id", &passkey_id)?).await?;
    Ok(StatusCode::NO_CONTENT.into_response())
}

/// `GET /admin/users/{id}/passkeys`: a bare array.
pub async fn list_of_user(
    Extract(state): Extract<State>,
    _: PasskeysEnabled,
    _: Admin,
    Path(user_id): Path<String>,
) -> Result<Response, AuthError> {
    let user = find(&state, id("user_id", &user_id)?).await?;
    Ok(listed(&passkey::list(&state, user.id).await?))
}

/// `DELETE /admin/users/{id}/passkeys/{passkey_id}`
pub async fn delete_of_user(
    Extract(state): Extract<State>,
    _: PasskeysEnabled,
    context: RequestContext,
    _: Admin,
    Path((user_id, passkey_id)): Path<(String, String)>,
) -> Result<Response, AuthError> {
    let user = find(&state, id("user_id", &user_id)?).await?;
    passkey::delete_of(&state, &context, &user, id("passkey_id", &passkey_id)?).await?;
    Ok(StatusCode::NO_CONTENT.into_response())
}
