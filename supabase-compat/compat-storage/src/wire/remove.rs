//! Removing objects.

use axum::Json;
use axum::body::Body;
use axum::extract::State as Shared;
use http::request::Parts;
use serde::Deserialize;
use serde_json::{Value, json};

use super::extract::{self, BucketTarget, Target};
use crate::error::StorageError;
use crate::flow;
use crate::model::key::check_count;
use crate::model::operation;
use crate::state::State;

/// The maximum number of names in one request.
const MOST: usize = 1000;

/// `DELETE /object/{bucket}/{key}`.
pub async fn one(
    Shared(state): Shared<State>,
    target: Target,
    parts: Parts,
) -> Result<Json<Value>, StorageError> {
    let context = extract::context(&state, &parts, operation::OBJECT_DELETE)?;
    flow::remove::one(&state, &context, &target.bucket, &target.key).await?;
    Ok(Json(json!({"message": "Successfully deleted"})))
}

#[derive(Deserialize)]
struct RemoveBody {
    prefixes: Vec<String>,
}

/// `DELETE /object/{bucket}`: returns the removed objects and does not mention the others.
pub async fn many(
    Shared(state): Shared<State>,
    BucketTarget(bucket): BucketTarget,
    parts: Parts,
    body: Body,
) -> Result<Json<Value>, StorageError> {
    let context = extract::context(&state, &parts, operation::OBJECT_DELETE_MANY)?;
    let body: RemoveBody = extract::json(&parts.headers, body).await?;
    check_count("prefixes", body.prefixes.len(), MOST)?;
    let deleted = flow::remove::many(&state, &context, &bucket, &body.prefixes).await?;
    Ok(Json(deleted.iter().map(super::list::row_json).collect()))
}

/// `DELETE /cdn/{bucket}/{key}`: not supported, since there is no external cache in front of this
/// service.
pub async fn purge(Shared(state): Shared<State>, parts: Parts) -> StorageError {
    match extract::context(&state, &parts, operation::OBJECT_PURGE) {
        Ok(_) => StorageError::Disabled("purgeCache"),
        Err(refusal) => refusal,
    }
}
