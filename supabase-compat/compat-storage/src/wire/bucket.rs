//! `/bucket`.

use axum::Json;
use axum::body::Body;
use axum::extract::State as Shared;
use http::HeaderMap;
use http::request::Parts;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

use super::body::nullable;
use super::extract::{self, BucketTarget, query, text};
use super::response::moment;
use crate::error::{InvalidRequest, StorageError};
use crate::flow;
use crate::model::Bucket;
use crate::model::bucket::{BucketChange, BucketOrder, BucketPage, Limits, NewBucket};
use crate::model::media_type::MediaPattern;
use crate::model::operation;
use crate::model::scalar;
use crate::model::size::parse_size;
use crate::state::State;

type JsonResult = Result<Json<Value>, StorageError>;

/// A bucket in a response.
#[derive(Serialize)]
struct BucketResponse<'a> {
    id: &'a str,
    name: &'a str,
    /// Empty if there is no owner, as in the original.
    owner: &'a str,
    public: bool,
    #[serde(rename = "type", skip_serializing_if = "Option::is_none")]
    kind: Option<&'static str>,
    file_size_limit: Option<u64>,
    allowed_mime_types: Option<&'a [String]>,
    #[serde(serialize_with = "moment")]
    created_at: Option<chrono::DateTime<chrono::Utc>>,
    #[serde(serialize_with = "moment")]
    updated_at: Option<chrono::DateTime<chrono::Utc>>,
}

impl<'a> BucketResponse<'a> {
    fn of(bucket: &'a Bucket, kind: Option<&'static str>) -> Self {
        Self {
            id: &bucket.id,
            name: &bucket.name,
            owner: bucket.owner.as_deref().unwrap_or_default(),
            public: bucket.public,
            kind,
            file_size_limit: bucket.file_size_limit,
            allowed_mime_types: bucket.allowed_mime_types.as_deref(),
            created_at: bucket.created_at,
            updated_at: bucket.updated_at,
        }
    }
}

/// `GET /bucket`.
pub async fn list(Shared(state): Shared<State>, parts: Parts) -> JsonResult {
    let page = page(&parts)?;
    let context = extract::context(&state, &parts, operation::BUCKET_LIST)?;
    let buckets = flow::bucket::list(&state, &context, &page).await?;
    let kind = (!is_old_python(&parts.headers)).then_some("STANDARD");
    let responses: Vec<_> = buckets.iter().map(|bucket| BucketResponse::of(bucket, kind)).collect();
    Ok(Json(json!(responses)))
}

/// `GET /bucket/{id}`.
pub async fn get(
    Shared(state): Shared<State>,
    BucketTarget(id): BucketTarget,
    parts: Parts,
) -> JsonResult {
    let context = extract::context(&state, &parts, operation::BUCKET_GET)?;
    let bucket = flow::bucket::get(&state, &context, &id).await?;
    Ok(Json(json!(BucketResponse::of(&bucket, None))))
}

#[derive(Deserialize)]
struct CreateBody {
    name: String,
    id: Option<String>,
    public: Option<bool>,
    file_size_limit: Option<Value>,
    #[serde(default, deserialize_with = "nullable")]
    allowed_mime_types: Option<Option<Vec<String>>>,
    #[serde(rename = "type")]
    kind: Option<String>,
}

/// `POST /bucket`.
pub async fn post(Shared(state): Shared<State>, parts: Parts, body: Body) -> JsonResult {
    let context = extract::context(&state, &parts, operation::BUCKET_CREATE)?;
    let body: CreateBody = extract::json(&parts.headers, body).await?;
    if body.kind.as_deref().is_some_and(|kind| kind != "STANDARD") {
        return Err(StorageError::Disabled("bucket type"));
    }
    let bucket = NewBucket {
        id: body.id.filter(|id| !id.is_empty()).unwrap_or_else(|| body.name.clone()),
        name: body.name,
        public: body.public.unwrap_or_default(),
        limits: Limits {
            file_size_limit: size(body.file_size_limit.as_ref())?,
            allowed_mime_types: patterns(body.allowed_mime_types.flatten())?,
        },
    };
    flow::bucket::create(&state, &context, &bucket).await?;
    Ok(Json(json!({"name": bucket.name})))
}

#[derive(Deserialize)]
struct ChangeBody {
    public: Option<bool>,
    #[serde(default, deserialize_with = "nullable")]
    file_size_limit: Option<Option<Value>>,
    #[serde(default, deserialize_with = "nullable")]
    allowed_mime_types: Option<Option<Vec<String>>>,
}

/// `PUT /bucket/{id}`: absent fields stay unchanged.
pub async fn put(
    Shared(state): Shared<State>,
    BucketTarget(id): BucketTarget,
    parts: Parts,
    body: Body,
) -> JsonResult {
    let context = extract::context(&state, &parts, operation::BUCKET_UPDATE)?;
    let body: ChangeBody = extract::json(&parts.headers, body).await?;
    let change = BucketChange {
        public: body.public,
        file_size_limit: body.file_size_limit.map(|limit| size(limit.as_ref())).transpose()?,
        allowed_mime_types: body.allowed_mime_types.map(patterns).transpose()?,
    };
    flow::bucket::change(&state, &context, &id, &change).await?;
    Ok(Json(json!({"message": "Successfully updated"})))
}

/// `DELETE /bucket/{id}`.
pub async fn delete(
    Shared(state): Shared<State>,
    BucketTarget(id): BucketTarget,
    parts: Parts,
) -> JsonResult {
    let context = extract::context(&state, &parts, operation::BUCKET_DELETE)?;
    flow::bucket::delete(&state, &context, &id).await?;
    Ok(Json(json!({"message": "Successfully deleted"})))
}

/// `POST /bucket/{id}/empty`. The bucket is empty when this responds; clients compare the text,
/// which says otherwise.
pub async fn empty(
    Shared(state): Shared<State>,
    BucketTarget(id): BucketTarget,
    parts: Parts,
) -> JsonResult {
    let context = extract::context(&state, &parts, operation::BUCKET_EMPTY)?;
    flow::bucket::empty(&state, &context, &id).await?;
    let text = "Empty bucket has been queued. Completion may take up to an hour.";
    Ok(Json(json!({"message": text})))
}

/// `/bucket/{id}/lifecycle`: not supported, since there are no versions that could expire.
pub async fn lifecycle(Shared(state): Shared<State>, parts: Parts) -> StorageError {
    match extract::context(&state, &parts, operation::BUCKET_GET) {
        Ok(_) => StorageError::Disabled("lifecycle"),
        Err(refusal) => refusal,
    }
}

fn page(parts: &Parts) -> Result<BucketPage, InvalidRequest> {
    let number = |name: &str| match query(parts, name) {
        None => Ok(None),
        Some(text) => text
            .parse::<u32>()
            .map(|number| Some(u64::from(number)))
            .map_err(|_| InvalidRequest::Field(format!("querystring/{name} must be integer"))),
    };
    let allowed = |name: &str| {
        InvalidRequest::Field(format!(
            "querystring/{name} must be equal to one of the allowed values"
        ))
    };
    let order = match query(parts, "sortColumn").as_deref() {
        None | Some("id") => BucketOrder::Id,
        Some("name") => BucketOrder::Name,
        Some("created_at") => BucketOrder::CreatedAt,
        Some("updated_at") => BucketOrder::UpdatedAt,
        Some(_) => return Err(allowed("sortColumn")),
    };
    let falling = match query(parts, "sortOrder").as_deref() {
        None | Some("asc") => false,
        Some("desc") => true,
        Some(_) => return Err(allowed("sortOrder")),
    };
    let search = query(parts, "search").filter(|search| !search.is_empty());
    let (limit, offset) = (number("limit")?, number("offset")?.unwrap_or_default());
    Ok(BucketPage { limit, offset, search, order, falling })
}

/// Parses bytes or a text with a unit; null and zero mean that the bucket has no limit of its own.
fn size(limit: Option<&Value>) -> Result<Option<u64>, InvalidRequest> {
    let bytes = match limit {
        None | Some(Value::Null) => return Ok(None),
        Some(Value::String(text)) if text.is_empty() => return Ok(None),
        Some(limit) => scalar::integer(limit)
            .map(|bytes| u64::try_from(bytes).ok())
            .unwrap_or_else(|| limit.as_str().and_then(parse_size)),
    };
    let fits = bytes.filter(|bytes| i64::try_from(*bytes).is_ok()).ok_or(InvalidRequest::Size)?;
    Ok(Some(fits).filter(|bytes| *bytes > 0))
}

fn patterns(mut patterns_of: Option<Vec<String>>) -> Result<Option<Vec<String>>, StorageError> {
    // Empty patterns are dropped, as in the original.
    if let Some(patterns_of) = &mut patterns_of {
        patterns_of.retain(|text| !text.is_empty());
    }
    for text in patterns_of.iter().flatten() {
        if MediaPattern::parse(text).is_none() {
            return Err(StorageError::MediaType(text.clone()));
        }
    }
    Ok(patterns_of)
}

/// Python clients before 2.18 (storage3 before 0.12.1) fail on unknown fields.
fn is_old_python(headers: &HeaderMap) -> bool {
    let version = |header: &str, name: &str| {
        let rest = text(headers, header)?.split(name).nth(1)?;
        let mut parts = rest.split(|c: char| !c.is_ascii_digit()).map(str::parse::<u32>);
        let mut next = || parts.next().and_then(Result::ok).unwrap_or_default();
        Some((next(), next(), next()))
    };
    version("x-client-info", "supabase-py/").is_some_and(|number| number < (2, 18, 0))
        || version("user-agent", "storage3/").is_some_and(|number| number < (0, 12, 1))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sizes_are_numbers_or_texts() {
        assert_eq!(size(None), Ok(None));
        assert_eq!(size(Some(&json!(null))), Ok(None));
        assert_eq!(size(Some(&json!(0))), Ok(None));
        assert_eq!(size(Some(&json!(20))), Ok(Some(20)));
        assert_eq!(size(Some(&json!("20mb"))), Ok(Some(20_000_000)));
        assert_eq!(size(Some(&json!(""))), Ok(None));
        assert_eq!(size(Some(&json!("2000"))), Ok(Some(2000)));
        assert_eq!(size(Some(&json!(true))), Ok(Some(1)));
        for wrong in [json!(-1), json!(1.5), json!("x"), json!({}), json!("-1"), json!(u64::MAX)] {
            assert_eq!(size(Some(&wrong)), Err(InvalidRequest::Size), "{wrong}");
        }
    }

    #[test]
    fn old_python_clients_are_known_by_their_names() {
        let old = |name: &'static str, value: &'static str| {
            is_old_python(&HeaderMap::from_iter([(name.parse().unwrap(), value.parse().unwrap())]))
        };
        assert!(old("x-client-info", "supabase-py/2.17.3") && old("user-agent", "storage3/0.11.9"));
        assert!(
            !old("x-client-info", "supabase-py/2.18.0") && !old("user-agent", "storage3/0.12.1")
        );
        assert!(!old("x-client-info", "supabase-js/2.1.0"));
    }
}
