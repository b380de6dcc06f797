//! `POST /object/copy`.

use axum::Json;
use axum::body::Body;
use axum::extract::State as Shared;
use http::request::Parts;
use serde::Deserialize;
use serde_json::Value;

use super::extract::{self, text};
use super::list::row_json;
use super::upload::encoded_metadata;
use crate::error::StorageError;
use crate::flow::copy::{CopyRequest, copy};
use crate::model::media_type::is_media_type;
use crate::model::operation;
use crate::state::State;

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct CopyBody {
    bucket_id: String,
    source_key: String,
    destination_key: String,
    destination_bucket: Option<String>,
    copy_metadata: Option<bool>,
    metadata: Option<CopyMetadata>,
}

#[derive(Deserialize, Default)]
#[serde(rename_all = "camelCase")]
struct CopyMetadata {
    cache_control: Option<String>,
    mimetype: Option<String>,
}

/// Responds with the row of the copy and its key.
pub async fn post(
    Shared(state): Shared<State>,
    parts: Parts,
    body: Body,
) -> Result<Json<Value>, StorageError> {
    let context = extract::context(&state, &parts, operation::OBJECT_COPY)?;
    let body: CopyBody = extract::json(&parts.headers, body).await?;
    let metadata = body.metadata.unwrap_or_default();
    if let Some(kind) = metadata.mimetype.as_ref().filter(|kind| !is_media_type(kind)) {
        return Err(StorageError::MediaType(kind.clone()));
    }
    let copying = CopyRequest {
        to_bucket: body.destination_bucket.unwrap_or_else(|| body.bucket_id.clone()),
        bucket: body.bucket_id,
        key: body.source_key,
        to_key: body.destination_key,
        upsert: extract::upsert(&parts.headers),
        keeps_metadata: body.copy_metadata.unwrap_or(true),
        content_type: metadata.mimetype,
        cache_control: metadata.cache_control,
        user_metadata: text(&parts.headers, "x-metadata").map(encoded_metadata).transpose()?,
    };
    let row = copy(&state, &context, &copying).await?;
    let mut response = row_json(&row);
    response["Key"] = format!("{}/{}", row.bucket_id, row.name).into();
    response["Id"] = row.id.to_string().into();
    Ok(Json(response))
}
