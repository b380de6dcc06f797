//! `POST /object/move`.

use axum::Json;
use axum::body::Body;
use axum::extract::State as Shared;
use http::request::Parts;
use serde::Deserialize;
use serde_json::{Value, json};

use super::extract;
use crate::error::StorageError;
use crate::flow::move_object::{MoveRequest, move_object};
use crate::model::operation;
use crate::state::State;

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct MoveBody {
    bucket_id: String,
    source_key: String,
    destination_key: String,
    destination_bucket: Option<String>,
}

/// Responds with a message and without the row, as in the original's schema.
pub async fn post(
    Shared(state): Shared<State>,
    parts: Parts,
    body: Body,
) -> Result<Json<Value>, StorageError> {
    let context = extract::context(&state, &parts, operation::OBJECT_MOVE)?;
    let body: MoveBody = extract::json(&parts.headers, body).await?;
    let moving = MoveRequest {
        to_bucket: body.destination_bucket.unwrap_or_else(|| body.bucket_id.clone()),
        bucket: body.bucket_id,
        key: body.source_key,
        to_key: body.destination_key,
    };
    move_object(&state, &context, &moving).await?;
    Ok(Json(json!({"message": "Successfully moved"})))
}
