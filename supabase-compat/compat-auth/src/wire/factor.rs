//! `/factors`, and an administrator's view of them

use axum::extract::{Path, State as Extract};
use axum::response::Response;
use http::StatusCode;
use serde::Deserialize;
use serde_json::{Value, json};
use uuid::Uuid;

use super::admin::users::id;
use super::body::{Body, OptionalBody};
use super::extract::{Admin, SignedInUser};
use super::shape;
use crate::error::{AuthError, FactorRefusal, InvalidRequest};
use crate::flow::admin::change_user::find;
use crate::flow::factor::{
    self, EnrolmentRequest, EnrolmentResponse, FactorUpdate, PartyRequest, Proof,
};
use crate::model::user_body::FactorBody;
use crate::model::{RequestContext, User};
use crate::state::State;

#[derive(Debug, Deserialize)]
pub struct EnrolBody {
    factor_type: Option<String>,
    friendly_name: Option<String>,
    issuer: Option<String>,
    phone: Option<String>,
}

/// `POST /factors`
pub async fn post(
    Extract(state): Extract<State>,
    context: RequestContext,
    SignedInUser(caller): SignedInUser,
    Body(body): Body<EnrolBody>,
) -> Result<Response, AuthError> {
    let request = EnrolmentRequest {
        factor_type: body.factor_type.as_deref().unwrap_or_default(),
        friendly_name: body.friendly_name.as_deref().unwrap_or_default(),
        issuer: body.issuer.as_deref().unwrap_or_default(),
        phone: body.phone.as_deref().unwrap_or_default(),
    };
    let (id, enrolled) = factor::enrol(&state, &context, &caller, request).await?;
    let mut answer = json!({"id": id, "type": body.factor_type});
    match enrolled {
        EnrolmentResponse::Totp(enrolment) => {
            answer["totp"] = json!({
                "qr_code": enrolment.qr_code,
                "secret": enrolment.secret,
                "uri": enrolment.uri,
            });
        }
        EnrolmentResponse::Phone(phone) => answer["phone"] = json!(phone.as_str()),
        EnrolmentResponse::Webauthn => {}
    }
    if let Some(name) = body.friendly_name.filter(|name| !name.is_empty()) {
        answer["friendly_name"] = Value::String(name);
    }
    Ok(compat_http::json(StatusCode::OK, &answer))
}

#[derive(Debug, Default, Deserialize)]
pub struct ChallengeBody {
    webauthn: Option<PartyBody>,
}

#[derive(Debug, Deserialize)]
struct PartyBody {
    #[serde(rename = "rpId", alias = "rp_id")]
    id: Option<String>,
    #[serde(rename = "rpOrigins", alias = "rp_origins")]
    origins: Option<Vec<String>>,
}

/// `POST /factors/{id}/challenge`
pub async fn post_challenge(
    Extract(state): Extract<State>,
    context: RequestContext,
    SignedInUser(caller): SignedInUser,
    Path(factor_id): Path<String>,
    OptionalBody(body): OptionalBody<ChallengeBody>,
) -> Result<Response, AuthError> {
    let factor = id("factor_id", &factor_id)?;
    let party = body.webauthn.as_ref().map(|party| PartyRequest {
        id: party.id.as_deref().unwrap_or_default(),
        origins: party.origins.as_deref().unwrap_or_default(),
    });
    let opened = factor::challenge(&state, &context, &caller, factor, party).await?;
    let mut answer = json!({
        "id": opened.id,
        "type": opened.factor_type,
        "expires_at": opened.expires_at.timestamp(),
    });
    if let Some(webauthn) = opened.webauthn {
        answer["webauthn"] = webauthn;
    }
    Ok(compat_http::json(StatusCode::OK, &answer))
}

#[derive(Debug, Deserialize)]
pub struct VerifyBody {
    challenge_id: Option<Uuid>,
    code: Option<String>,
    webauthn: Option<AnswerBody>,
}

#[derive(Debug, Deserialize)]
struct AnswerBody {
    credential_response: Option<Value>,
}

/// `POST /factors/{id}/verify`
pub async fn post_verify(
    Extract(state): Extract<State>,
    context: RequestContext,
    SignedInUser(caller): SignedInUser,
    Path(factor_id): Path<String>,
    Body(body): Body<VerifyBody>,
) -> Result<Response, AuthError> {
    let factor = id("factor_id", &factor_id)?;
    let challenge = body.challenge_id.ok_or(FactorRefusal::ChallengeNotFound)?;
    let answer = body.webauthn.and_then(|webauthn| webauthn.credential_response);
    let proof = match &answer {
        Some(answer) => Proof::Credential(answer),
        None => Proof::Code(body.code.as_deref().unwrap_or_default()),
    };
    let grant = factor::verify(&state, &context, &caller, factor, challenge, proof).await?;
    Ok(shape::session(&grant))
}

/// `DELETE /factors/{id}`
pub async fn delete(
    Extract(state): Extract<State>,
    context: RequestContext,
    SignedInUser(caller): SignedInUser,
    Path(factor_id): Path<String>,
) -> Result<Response, AuthError> {
    let factor = id("factor_id", &factor_id)?;
    factor::unenrol(&state, &context, &caller, factor).await?;
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
    phone: Option<String>,
}

/// `PUT /admin/users/{id}/factors/{factor_id}`
pub async fn put_of_user(
    Extract(state): Extract<State>,
    context: RequestContext,
    _: Admin,
    Path((user_id, factor_id)): Path<(String, String)>,
    OptionalBody(body): OptionalBody<ChangeBody>,
) -> Result<Response, AuthError> {
    let (user, factor) = ids(&user_id, &factor_id)?;
    let change = FactorUpdate::Change {
        name: body.friendly_name.as_deref(),
        phone: body.phone.as_deref().filter(|phone| !phone.is_empty()),
    };
    let user = factor::administer(&state, &context, user, factor, change).await?;
    one(&user, factor)
}

/// `DELETE /admin/users/{id}/factors/{factor_id}`
pub async fn delete_of_user(
    Extract(state): Extract<State>,
    context: RequestContext,
    _: Admin,
    Path((user_id, factor_id)): Path<(String, String)>,
) -> Result<Response, AuthError> {
    let (user, factor) = ids(&user_id, &factor_id)?;
    let user = factor::administer(&state, &context, user, factor, FactorUpdate::Remove).await?;
    one(&user, factor)
}

fn ids(user_id: &str, factor_id: &str) -> Result<(Uuid, Uuid), InvalidRequest> {
    Ok((id("user_id", user_id)?, id("factor_id", factor_id)?))
}

fn one(user: &User, factor: Uuid) -> Result<Response, AuthError> {
    let factor_row = user.factors.iter().find(|one| one.id == factor);
    let factor_row = factor_row.ok_or(FactorRefusal::NotFound)?;
    Ok(compat_http::json(StatusCode::OK, &FactorBody::from(factor_row)))
}
