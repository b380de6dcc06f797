//! `/factors`, and an administrator's view of them

use axum::extract::{Path, State as Extract};
use axum::response::Response;
use http::StatusCode;
use serde::Deserialize;
use serde_json::{Value, json};
use uuid::Uuid;

use super::admin::users::id;
use super::asking::{Admin, SignedIn};
use super::body::{Body, OptionalBody};
use super::shape;
use crate::error::{AuthError, Invalid};
use crate::flow::Visit;
use crate::flow::admin::change_user::find;
use crate::flow::factor::{self, Enrol};
use crate::model::User;
use crate::model::user_body::FactorBody;
use crate::state::State;

#[derive(Debug, Deserialize)]
pub struct EnrolBody {
    factor_type: Option<String>,
    friendly_name: Option<String>,
    issuer: Option<String>,
}

/// `POST /factors`
pub async fn post(
    Extract(state): Extract<State>,
    visit: Visit,
    SignedIn(who): SignedIn,
    Body(body): Body<EnrolBody>,
) -> Result<Response, AuthError> {
    let asked = Enrol {
        factor_type: body.factor_type.as_deref().unwrap_or_default(),
        friendly_name: body.friendly_name.as_deref().unwrap_or_default(),
        issuer: body.issuer.as_deref().unwrap_or_default(),
    };
    let (id, enrolment) = factor::enrol(&state, &visit, &who, asked).await?;
    let mut answer = json!({
        "id": id,
        "type": "totp",
        "totp": {
            "qr_code": enrolment.qr_code,
            "secret": enrolment.secret,
            "uri": enrolment.uri,
        },
    });
    if let Some(name) = body.friendly_name.filter(|name| !name.is_empty()) {
        answer["friendly_name"] = Value::String(name);
    }
    Ok(compat_http::json(StatusCode::OK, &answer))
}

/// `POST /factors/{id}/challenge`
pub async fn post_challenge(
    Extract(state): Extract<State>,
    visit: Visit,
    SignedIn(who): SignedIn,
    Path(factor_id): Path<String>,
) -> Result<Response, AuthError> {
    let factor = id("factor_id", &factor_id)?;
    let (id, expires_at) = factor::challenge(&state, &visit, &who, factor).await?;
    let answer = json!({"id": id, "type": "totp", "expires_at": expires_at.timestamp()});
    Ok(compat_http::json(StatusCode::OK, &answer))
}

#[derive(Debug, Deserialize)]
pub struct VerifyBody {
    challenge_id: Option<Uuid>,
    code: Option<String>,
}

/// `POST /factors/{id}/verify`
pub async fn post_verify(
    Extract(state): Extract<State>,
    visit: Visit,
    SignedIn(who): SignedIn,
    Path(factor_id): Path<String>,
    Body(body): Body<VerifyBody>,
) -> Result<Response, AuthError> {
    let factor = id("factor_id", &factor_id)?;
    let challenge = body.challenge_id.ok_or(AuthError::ChallengeNotFound)?;
    let code = body.code.as_deref().unwrap_or_default();
    let grant = factor::verify(&state, &visit, &who, factor, challenge, code).await?;
    Ok(shape::session(&grant))
}

/// `DELETE /factors/{id}`
pub async fn delete(
    Extract(state): Extract<State>,
    visit: Visit,
    SignedIn(who): SignedIn,
    Path(factor_id): Path<String>,
) -> Result<Response, AuthError> {
    let factor = id("factor_id", &factor_id)?;
    factor::unenrol(&state, &visit, &who, factor).await?;
    Ok(compat_http::json(StatusCode::OK, &json!({"id": factor})))
}

/// `GET /admin/users/{id}/factors`: a bare array.
pub async fn list_of_user(
    Extract(state): Extract<State>,
    _: Admin,
    Path(user_id): Path<String>,
) -> Result<Response, AuthError> {
    let user = find(&state, id("user_id", &user_id)?).await?;
    let factors: Vec<FactorBody<'_>> = user.factors.iter().map(FactorBody::from).collect();
    Ok(compat_http::json(StatusCode::OK, &factors))
}

#[derive(Debug, Default, Deserialize)]
pub struct ChangeBody {
    friendly_name: Option<String>,
}

/// `PUT /admin/users/{id}/factors/{factor_id}`
pub async fn put_of_user(
    Extract(state): Extract<State>,
    visit: Visit,
    _: Admin,
    Path((user_id, factor_id)): Path<(String, String)>,
    OptionalBody(body): OptionalBody<ChangeBody>,
) -> Result<Response, AuthError> {
    let (user, factor) = ids(&user_id, &factor_id)?;
    let name = body.friendly_name.as_deref();
    let user = factor::administer(&state, &visit, user, factor, name, false).await?;
    one(&user, factor)
}

/// `DELETE /admin/users/{id}/factors/{factor_id}`
pub async fn delete_of_user(
    Extract(state): Extract<State>,
    visit: Visit,
    _: Admin,
    Path((user_id, factor_id)): Path<(String, String)>,
) -> Result<Response, AuthError> {
    let (user, factor) = ids(&user_id, &factor_id)?;
    let user = factor::administer(&state, &visit, user, factor, None, true).await?;
    one(&user, factor)
}

fn ids(user_id: &str, factor_id: &str) -> Result<(Uuid, Uuid), Invalid> {
    Ok((id("user_id", user_id)?, id("factor_id", factor_id)?))
}

fn one(user: &User, factor: Uuid) -> Result<Response, AuthError> {
    let found = user.factors.iter().find(|one| one.id == factor);
    let found = found.ok_or(AuthError::FactorNotFound)?;
    Ok(compat_http::json(StatusCode::OK, &FactorBody::from(found)))
}
