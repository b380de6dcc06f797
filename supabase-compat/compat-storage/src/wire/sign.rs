//! `POST /object/sign/{bucket}` and `/object/sign/{bucket}/{key}`.

use axum::Json;
use axum::body::Body;
use axum::extract::State as Shared;
use http::request::Parts;
use serde::Deserialize;
use serde_json::{Map, Value, json};

use super::extract::{self, BucketTarget, Target};
use crate::error::{InvalidRequest, StorageError};
use crate::flow::sign::{Transformation, sign_read, sign_reads};
use crate::images::Transform;
use crate::model::key::check_count;
use crate::model::operation;
use crate::state::State;

type JsonResult = Result<Json<Value>, StorageError>;

/// The maximum number of URLs in one request.
const MOST: usize = 1000;

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct SignBody {
    expires_in: i64,
    transform: Option<Map<String, Value>>,
}

/// Signs one URL; for a rendered picture if a transformation is requested.
pub async fn one(
    Shared(state): Shared<State>,
    target: Target,
    parts: Parts,
    body: Body,
) -> JsonResult {
    let context = extract::context(&state, &parts, operation::OBJECT_SIGN)?;
    let body: SignBody = extract::json(&parts.headers, body).await?;
    let seconds = lifetime(body.expires_in)?;
    let options = transformation(&state, body.transform.as_ref())?;
    let names = (target.bucket.as_str(), target.key.as_str());
    let token = sign_read(&state, &context, names, seconds, options.as_ref()).await?;
    let base = if options.is_some() { "render/image" } else { "object" };
    Ok(Json(json!({"signedURL": address(base, &target.bucket, &target.key, &token)})))
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct SignManyBody {
    expires_in: i64,
    paths: Vec<String>,
}

/// Signs several URLs; each object without access gets the same error text.
pub async fn many(
    Shared(state): Shared<State>,
    BucketTarget(bucket): BucketTarget,
    parts: Parts,
    body: Body,
) -> JsonResult {
    let context = extract::context(&state, &parts, operation::OBJECT_SIGN_MANY)?;
    let body: SignManyBody = extract::json(&parts.headers, body).await?;
    check_count("paths", body.paths.len(), MOST)?;
    let seconds = lifetime(body.expires_in)?;
    let tokens = sign_reads(&state, &context, &bucket, &body.paths, seconds).await?;
    let responses = body.paths.iter().zip(tokens).map(|(path, token)| match token {
        Some(token) => json!({
            "error": null,
            "path": path,
            "signedURL": address("object", &bucket, path, &token),
        }),
        None => json!({"error": UNSEEN, "path": path, "signedURL": null}),
    });
    Ok(Json(responses.collect()))
}

const UNSEEN: &str = "Either the object does not exist or you do not have access to it";

fn lifetime(seconds: i64) -> Result<i64, InvalidRequest> {
    match seconds {
        1.. => Ok(seconds),
        _ => Err(InvalidRequest::Field("body/expiresIn must be >= 1".to_owned())),
    }
}

/// The URL in the original's form: encoded as a browser encodes a whole URL.
fn address(base: &str, bucket: &str, key: &str, token: &str) -> String {
    let encode = |text| percent_encoding::utf8_percent_encode(text, AS_ADDRESS);
    format!("/{base}/sign/{}/{}?token={token}", encode(bucket), encode(key))
}

/// The permitted characters of names that `encodeURI` encodes, and those that end a path.
const AS_ADDRESS: &percent_encoding::AsciiSet = &percent_encoding::CONTROLS
    .add(b' ')
    .add(b'?')
    .add(b'#')
    .add(b'%')
    .add(b'"')
    .add(b'<')
    .add(b'>');

/// The requested transformation in the form of the token's claims; none if it is empty or rendering
/// is turned off.
fn transformation(
    state: &State,
    fields: Option<&Map<String, Value>>,
) -> Result<Option<Transformation>, StorageError> {
    let Some(fields) = fields else { return Ok(None) };
    let transform = Transform::from_fields(fields, "body/transform")?;
    if transform.is_empty() || state.images.is_none() {
        return Ok(None);
    }
    let format = transform.format_claim().map(str::to_owned);
    Ok(Some(Transformation { options: transform.claim(), format }))
}
