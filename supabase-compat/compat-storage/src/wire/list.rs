//! `POST /object/list/{bucket}` and `/object/list-v2/{bucket}`.

use axum::Json;
use axum::body::Body;
use axum::extract::State as Shared;
use chrono::{DateTime, SecondsFormat, Utc};
use http::request::Parts;
use serde::Deserialize;
use serde_json::{Value, json};

use super::extract::{self, BucketTarget};
use crate::error::{InvalidRequest, StorageError};
use crate::flow;
use crate::flow::list::Entry;
use crate::model::list::{Column, Cursor, LevelQuery, PageQuery};
use crate::model::{ObjectRow, operation};
use crate::state::State;

type JsonResult = Result<Json<Value>, StorageError>;

#[derive(Deserialize, Default)]
struct SortBy {
    column: Option<String>,
    order: Option<String>,
}

#[derive(Deserialize)]
struct ListBody {
    prefix: String,
    limit: Option<u32>,
    offset: Option<u32>,
    #[serde(default, rename = "sortBy")]
    sort_by: Option<SortBy>,
    search: Option<String>,
}

/// `list`: one folder level, with folders among the objects.
pub async fn post(
    Shared(state): Shared<State>,
    BucketTarget(bucket): BucketTarget,
    parts: Parts,
    body: Body,
) -> JsonResult {
    let context = extract::context(&state, &parts, operation::OBJECT_LIST)?;
    let body: ListBody = extract::json(&parts.headers, body).await?;
    let (column, falling) = order(body.sort_by.unwrap_or_default(), Column::LastAccessedAt)?;
    let mut prefix = body.prefix;
    if !prefix.is_empty() && !prefix.ends_with('/') {
        prefix.push('/');
    }
    let level = LevelQuery {
        prefix,
        limit: most(body.limit, 100, u32::MAX)?,
        offset: body.offset.unwrap_or_default().min(i32::MAX as u32),
        search: body.search.unwrap_or_default(),
        column,
        falling,
    };
    let entries = flow::list::level(&state, &context, &bucket, &level).await?;
    Ok(Json(entries.iter().map(entry_json).collect()))
}

#[derive(Deserialize)]
struct ListV2Body {
    #[serde(default)]
    prefix: Option<String>,
    limit: Option<u32>,
    cursor: Option<String>,
    #[serde(default)]
    with_delimiter: Option<bool>,
    #[serde(default, rename = "sortBy")]
    sort_by: Option<SortBy>,
}

/// `list-v2`: full names, paginated by a cursor.
pub async fn post_v2(
    Shared(state): Shared<State>,
    BucketTarget(bucket): BucketTarget,
    parts: Parts,
    body: Body,
) -> JsonResult {
    let context = extract::context(&state, &parts, operation::OBJECT_LIST_V2)?;
    let body: ListV2Body = extract::json(&parts.headers, body).await?;
    let page = PageQuery {
        prefix: body.prefix.unwrap_or_default(),
        limit: most(body.limit, 1000, 1000)?,
        ..page_behind(body.cursor.as_deref(), body.sort_by.unwrap_or_default())?
    };
    let by_level = body.with_delimiter.unwrap_or_default();
    let list_result = flow::list::page(&state, &context, &bucket, &page, by_level).await?;
    let (folders, objects): (Vec<_>, Vec<_>) =
        list_result.entries.iter().partition(|entry| entry.id.is_none());
    let mut response = json!({
        "hasNext": list_result.next.is_some(),
        "folders": folders.into_iter().map(folder_json).collect::<Vec<_>>(),
        "objects": objects.into_iter().map(object_json).collect::<Vec<_>>(),
    });
    if let Some(next) = list_result.next {
        response["nextCursor"] = next.write().into();
        response["nextCursorKey"] = next.after.into();
    }
    Ok(Json(response))
}

/// The start of a page; a cursor also contains the order.
fn page_behind(cursor: Option<&str>, sort_by: SortBy) -> Result<PageQuery, InvalidRequest> {
    match cursor.filter(|cursor| !cursor.is_empty()) {
        Some(cursor) => {
            let cursor = Cursor::read(cursor).ok_or(InvalidRequest::Cursor("Invalid cursor"))?;
            let Cursor { after, moment, column, falling } = cursor;
            Ok(PageQuery { after, moment, column, falling, ..PageQuery::default() })
        }
        None => {
            let (column, falling) = order(sort_by, Column::CreatedAt)?;
            Ok(PageQuery { column, falling, ..PageQuery::default() })
        }
    }
}

/// Parses the requested order; `last_accessed_at` is allowed only if it is `last`.
fn order(sort_by: SortBy, last: Column) -> Result<(Column, bool), InvalidRequest> {
    let allowed = |field: &str| {
        let text = "must be equal to one of the allowed values";
        InvalidRequest::Field(format!("body/sortBy/{field} {text}"))
    };
    let column = match sort_by.column.as_deref() {
        None | Some("") => Column::Name,
        Some(name) => Column::from_name(name).ok_or_else(|| allowed("column"))?,
    };
    if column == Column::LastAccessedAt && last != Column::LastAccessedAt {
        return Err(allowed("column"));
    }
    match sort_by.order.as_deref() {
        None | Some("" | "asc") => Ok((column, false)),
        Some("desc") => Ok((column, true)),
        Some(_) => Err(allowed("order")),
    }
}

fn most(requested: Option<u32>, usual: u32, most: u32) -> Result<u32, InvalidRequest> {
    match requested {
        None => Ok(usual),
        Some(0) => Err(InvalidRequest::Field("body/limit must be >= 1".to_owned())),
        Some(limit) if limit > most => {
            Err(InvalidRequest::Field(format!("body/limit must be <= {most}")))
        }
        // The database function's own limit is 1500.
        Some(limit) => Ok(limit.min(1500)),
    }
}

fn entry_json(entry: &Entry) -> Value {
    json!({
        "name": entry.name,
        "id": entry.id,
        "updated_at": moment(entry.updated_at),
        "created_at": moment(entry.created_at),
        "last_accessed_at": moment(entry.last_accessed_at),
        "metadata": entry.metadata,
    })
}

fn object_json(entry: &Entry) -> Value {
    let mut response = entry_json(entry);
    response["key"] = entry.key.as_ref().unwrap_or(&entry.name).as_str().into();
    response
}

fn folder_json(entry: &Entry) -> Value {
    let mut response = object_json(entry);
    response["name"] = format!("{}/", entry.name).into();
    response
}

/// A row in the responses of deletions and copies.
pub fn row_json(row: &ObjectRow) -> Value {
    json!({
        "name": row.name,
        "bucket_id": row.bucket_id,
        "owner": row.owner,
        "owner_id": row.owner_id,
        "version": row.version,
        "id": row.id,
        "updated_at": moment(row.updated_at),
        "created_at": moment(row.created_at),
        "last_accessed_at": moment(row.last_accessed_at),
        "metadata": row.metadata,
        "user_metadata": row.user_metadata,
    })
}

fn moment(moment: Option<DateTime<Utc>>) -> Option<String> {
    moment.map(|moment| moment.to_rfc3339_opts(SecondsFormat::Millis, true))
}
