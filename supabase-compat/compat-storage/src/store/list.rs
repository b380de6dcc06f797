//! The contents of a bucket, one folder level or all levels.

use chrono::{DateTime, Utc};
use compat_pg::{Acting, PgError};
use serde::Deserialize;
use serde_json::Value;
use uuid::Uuid;

use super::rows_of;
use crate::model::list::{Column, LevelQuery, PageQuery};

/// An object, or a folder, which has a name only.
#[derive(Debug, Clone, Deserialize)]
pub struct Entry {
    /// The part of the name that belongs to the requested level.
    #[serde(default)]
    pub key: Option<String>,
    pub name: String,
    pub id: Option<Uuid>,
    pub updated_at: Option<DateTime<Utc>>,
    pub created_at: Option<DateTime<Utc>>,
    pub last_accessed_at: Option<DateTime<Utc>>,
    pub metadata: Option<Value>,
}

/// One folder level, paginated by offset; the prefix is case-insensitive.
pub async fn level(
    work: &mut Acting<'_>,
    bucket: &str,
    level: &LevelQuery,
) -> Result<Vec<Entry>, PgError> {
    let (limit, offset) = (level.limit.to_string(), level.offset.to_string());
    let levels = levels(&level.prefix);
    rows_of(
        work,
        "select row_to_json(s)::text
        from storage.search($1, $2, $3::integer, $4::integer, $5::integer, $6, $7, $8) s",
        &[
            Some(&level.prefix),
            Some(bucket),
            Some(&limit),
            Some(&levels),
            Some(&offset),
            Some(&level.search),
            Some(level.column.name()),
            Some(direction(level.falling)),
        ],
    )
    .await
}

/// One folder level, after the last entry of the previous page.
pub async fn level_behind(
    work: &mut Acting<'_>,
    bucket: &str,
    page: &PageQuery,
) -> Result<Vec<Entry>, PgError> {
    let (limit, levels) = (page.limit.to_string(), levels(&page.prefix));
    rows_of(
        work,
        "select row_to_json(s)::text
        from storage.search_v2($1, $2, $3::integer, $4::integer, $5, $6, $7, $8) s",
        &[
            Some(&page.prefix),
            Some(bucket),
            Some(&limit),
            Some(&levels),
            Some(&page.after),
            Some(direction(page.falling)),
            Some(page.column.name()),
            Some(&page.moment),
        ],
    )
    .await
}

/// All levels, after the last object of the previous page.
pub async fn flat_behind(
    work: &mut Acting<'_>,
    bucket: &str,
    page: &PageQuery,
) -> Result<Vec<Entry>, PgError> {
    match (page.column, page.falling) {
        (Column::Name, false) => rising(work, bucket, page).await,
        (Column::Name, true) => list_descending(work, bucket, page).await,
        _ => by_moment(work, bucket, page).await,
    }
}

async fn rising(
    work: &mut Acting<'_>,
    bucket: &str,
    page: &PageQuery,
) -> Result<Vec<Entry>, PgError> {
    let limit = page.limit.to_string();
    rows_of(
        work,
        "select row_to_json(o)::text
        from storage.objects o
        where bucket_id = $1 and name >= $2 and name < storage.behind($2) and name > $3
        order by name
        limit $4::bigint",
        &[Some(bucket), Some(&page.prefix), Some(&page.after), Some(&limit)],
    )
    .await
}

async fn list_descending(
    work: &mut Acting<'_>,
    bucket: &str,
    page: &PageQuery,
) -> Result<Vec<Entry>, PgError> {
    let (limit, after) = (page.limit.to_string(), Some(page.after.as_str()));
    rows_of(
        work,
        "select row_to_json(o)::text
        from storage.objects o
        where bucket_id = $1
            and name >= $2
            and name < coalesce($3, storage.behind($2))
            and name < storage.behind($2)
        order by name desc
        limit $4::bigint",
        &[Some(bucket), Some(&page.prefix), after.filter(|after| !after.is_empty()), Some(&limit)],
    )
    .await
}

async fn by_moment(
    work: &mut Acting<'_>,
    bucket: &str,
    page: &PageQuery,
) -> Result<Vec<Entry>, PgError> {
    // A cursor holds milliseconds. A finer order would repeat or skip rows at the page's edge.
    let limit = page.limit.to_string();
    rows_of(
        work,
        "select row_to_json(t)::text
        from (
            select o.*,
                coalesce(
                    date_trunc(
                        'milliseconds',
                        case $5::text when 'created_at' then created_at else updated_at end
                    ),
                    'epoch'
                ) as moment
            from storage.objects o
            where bucket_id = $1 and name >= $2 and name < storage.behind($2)
        ) t
        where $3::text = ''
            or case
                when $6::boolean then (moment, name) < (nullif($4, '')::timestamptz, $3)
                else (moment, name) > (nullif($4, '')::timestamptz, $3)
            end
        order by
            case when $6 then moment end desc,
            case when $6 then name end desc,
            case when not $6 then moment end,
            name
        limit $7::bigint",
        &[
            Some(bucket),
            Some(&page.prefix),
            Some(&page.after),
            Some(&page.moment),
            Some(page.column.name()),
            Some(if page.falling { "true" } else { "false" }),
            Some(&limit),
        ],
    )
    .await
}

fn levels(prefix: &str) -> String {
    prefix.split('/').count().to_string()
}

fn direction(list_descending: bool) -> &'static str {
    if list_descending { "desc" } else { "asc" }
}
