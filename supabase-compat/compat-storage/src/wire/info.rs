//! `GET /object/info/…`: the metadata of an object.

use axum::Json;
use axum::extract::State as Shared;
use http::request::Parts;
use serde_json::{Value, json};

use super::extract::{self, Target};
use crate::error::StorageError;
use crate::flow::get::{Access, may_get};
use crate::model::{ObjectRow, operation};
use crate::state::State;

type JsonResult = Result<Json<Value>, StorageError>;

/// `/object/info/public/{bucket}/{key}`.
pub async fn public(Shared(state): Shared<State>, target: Target, parts: Parts) -> JsonResult {
    let context = extract::anonymous(&state, &parts, operation::OBJECT_INFO_PUBLIC)?;
    let row = may_get(&state, &context, Access::Public, &target.bucket, &target.key).await?;
    Ok(Json(info_json(&row)))
}

/// `/object/info/authenticated/{bucket}/{key}`.
pub async fn authenticated(
    Shared(state): Shared<State>,
    target: Target,
    parts: Parts,
) -> JsonResult {
    let context = extract::context(&state, &parts, operation::OBJECT_INFO_AUTHENTICATED)?;
    let row = may_get(&state, &context, Access::Caller, &target.bucket, &target.key).await?;
    Ok(Json(info_json(&row)))
}

/// `/object/info/{bucket}/{key}`.
pub async fn either(Shared(state): Shared<State>, target: Target, parts: Parts) -> JsonResult {
    let context =
        extract::with_optional_token(&state, &parts, operation::OBJECT_INFO_AUTHENTICATED)?;
    let row = may_get(&state, &context, Access::Either, &target.bucket, &target.key).await?;
    Ok(Json(info_json(&row)))
}

fn info_json(row: &ObjectRow) -> Value {
    let known = row.known();
    let moment = |moment: Option<chrono::DateTime<chrono::Utc>>| {
        moment.map(|moment| moment.to_rfc3339_opts(chrono::SecondsFormat::Millis, true))
    };
    json!({
        "id": row.id,
        "name": row.name,
        "version": row.version,
        "bucket_id": row.bucket_id,
        "size": known.size,
        "content_type": known.mimetype,
        "cache_control": known.cache_control,
        "etag": known.e_tag,
        "metadata": row.user_metadata.clone().unwrap_or_else(|| json!({})),
        "last_modified": moment(known.last_modified.or(row.updated_at)),
        "created_at": moment(row.created_at),
    })
}
