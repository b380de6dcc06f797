//! `/object/upload/sign/{bucket}/{key}`: signed URLs for uploading one object, and the uploads.

use axum::Json;
use axum::body::Body;
use axum::extract::State as Shared;
use http::request::Parts;
use serde_json::{Value, json};

use super::body_drain::BodyDrain;
use super::extract::{self, Target, query};
use super::upload::file_of;
use crate::error::StorageError;
use crate::flow::put::store_and_settle;
use crate::flow::sign::{admit_signed, check_put, sign_put};
use crate::model::operation;
use crate::state::State;

/// `POST`: signs the URL if the caller may put the object.
pub async fn sign(
    Shared(state): Shared<State>,
    target: Target,
    parts: Parts,
) -> Result<Json<Value>, StorageError> {
    let context = extract::context(&state, &parts, operation::OBJECT_SIGN_UPLOAD)?;
    let names = (target.bucket.as_str(), target.key.as_str());
    let token = sign_put(&state, &context, names, extract::upsert(&parts.headers)).await?;
    let url = format!("/object/upload/sign/{}/{}?token={token}", target.bucket, target.key);
    Ok(Json(json!({"url": url, "token": token})))
}

/// `PUT`: uploads with a signed URL.
pub async fn put(
    Shared(state): Shared<State>,
    target: Target,
    parts: Parts,
    body: Body,
) -> Result<Json<Value>, StorageError> {
    let (arriving, body) = BodyDrain::of(&parts.headers, body);
    arriving.until(receive(&state, target, &parts, body).await).await
}

async fn receive(
    state: &State,
    target: Target,
    parts: &Parts,
    body: Body,
) -> Result<Json<Value>, StorageError> {
    let context = extract::anonymous(state, parts, operation::OBJECT_UPLOAD_SIGNED)?;
    let token = query(parts, "token");
    let signed = check_put(state, token.as_deref(), &target.bucket, &target.key)?;
    let file = file_of(&parts.headers, body).await?;
    let (put, content) = file.under(target, signed.upsert, signed.owner);
    let admitted = admit_signed(state, &context, put).await?;
    let row = store_and_settle(state, &context, &admitted, content).await?;
    Ok(Json(json!({"Key": format!("{}/{}", row.bucket_id, row.name), "Id": row.id})))
}
