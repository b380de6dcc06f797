//! `storage.buckets`.

use compat_pg::{Acting, PgError};

use super::{array, perform, row_of, rows_of};
use crate::model::Bucket;
use crate::model::bucket::{BucketChange, BucketOrder, BucketPage, NewBucket};

/// The bucket with this id, if the role can see it.
pub async fn find(work: &mut Acting<'_>, id: &str) -> Result<Option<Bucket>, PgError> {
    row_of(
        work,
        "select row_to_json(b)::text
        from (
            select id, name, owner, coalesce(public, false) as public, file_size_limit,
                allowed_mime_types, created_at, updated_at
            from storage.buckets
            where id = $1
        ) b",
        &[Some(id)],
    )
    .await
}

/// The buckets that the role can see.
pub async fn list(work: &mut Acting<'_>, page: &BucketPage) -> Result<Vec<Bucket>, PgError> {
    let order = match page.order {
        BucketOrder::Id => "id",
        BucketOrder::Name => "name",
        BucketOrder::CreatedAt => "created_at",
        BucketOrder::UpdatedAt => "updated_at",
    };
    let falling = page.falling.to_string();
    let limit = page.limit.map(|limit| limit.to_string());
    let offset = page.offset.to_string();
    rows_of(
        work,
        "select row_to_json(b)::text
        from (
            select id, name, owner, coalesce(public, false) as public, file_size_limit,
                allowed_mime_types, created_at, updated_at
            from storage.buckets
            where $1::text is null or position(lower($1) in lower(name)) > 0
            order by
                case when $3::boolean and $2::text = 'id' then id end desc,
                case when $3 and $2 = 'name' then name end desc,
                case when $3 and $2 = 'created_at' then created_at end desc,
                case when $3 and $2 = 'updated_at' then updated_at end desc,
                case when not $3 and $2 = 'name' then name end,
                case when not $3 and $2 = 'created_at' then created_at end,
                case when not $3 and $2 = 'updated_at' then updated_at end,
                id
            limit $4::bigint
            offset $5::bigint
        ) b",
        &[page.search.as_deref(), Some(order), Some(&falling), limit.as_deref(), Some(&offset)],
    )
    .await
}

/// Inserts a bucket.
pub async fn insert(
    work: &mut Acting<'_>,
    bucket: &NewBucket,
    owner: Option<&str>,
    owner_id: Option<&str>,
) -> Result<(), PgError> {
    let public = bucket.public.to_string();
    let limit = bucket.limits.file_size_limit.map(|limit| limit.to_string());
    let types = bucket.limits.allowed_mime_types.as_deref().map(types_of);
    perform(
        work,
        "insert into storage.buckets
            (id, name, public, file_size_limit, allowed_mime_types, owner, owner_id)
        values ($1, $2, $3::boolean, $4::bigint, $5::text[], $6::uuid, $7)",
        &[
            Some(&bucket.id),
            Some(&bucket.name),
            Some(&public),
            limit.as_deref(),
            types.as_deref(),
            owner,
            owner_id,
        ],
    )
    .await
}

/// Inserts a bucket unless it exists; returns whether it was inserted.
pub async fn ensure(work: &mut Acting<'_>, bucket: &NewBucket) -> Result<bool, PgError> {
    let public = bucket.public.to_string();
    let limit = bucket.limits.file_size_limit.map(|limit| limit.to_string());
    let types = bucket.limits.allowed_mime_types.as_deref().map(types_of);
    let id: Option<String> = row_of(
        work,
        "insert into storage.buckets (id, name, public, file_size_limit, allowed_mime_types)
        values ($1, $2, $3::boolean, $4::bigint, $5::text[])
        on conflict do nothing
        returning to_json(id)::text",
        &[Some(&bucket.id), Some(&bucket.name), Some(&public), limit.as_deref(), types.as_deref()],
    )
    .await?;
    Ok(id.is_some())
}

/// Updates a bucket; false if there was none to update.
pub async fn update(
    work: &mut Acting<'_>,
    id: &str,
    change: &BucketChange,
) -> Result<bool, PgError> {
    let public = change.public.map(|public| public.to_string());
    // An absent field stays and a null one clears its limit; `coalesce` cannot tell them apart.
    let (sized, typed) = (change.file_size_limit, change.allowed_mime_types.as_ref());
    let limit = sized.flatten().map(|limit| limit.to_string());
    let types = typed.and_then(|types| types.as_deref().map(types_of));
    let changed: Option<String> = row_of(
        work,
        "update storage.buckets
        set public = coalesce($2::boolean, public),
            file_size_limit = case when $3::boolean then $4::bigint else file_size_limit end,
            allowed_mime_types = case when $5::boolean then $6::text[] else allowed_mime_types end,
            updated_at = now()
        where id = $1
        returning to_json(id)::text",
        &[
            Some(id),
            public.as_deref(),
            Some(if sized.is_some() { "true" } else { "false" }),
            limit.as_deref(),
            Some(if typed.is_some() { "true" } else { "false" }),
            types.as_deref(),
        ],
    )
    .await?;
    Ok(changed.is_some())
}

/// Deletes a bucket; false if there was none to delete.
pub async fn delete(work: &mut Acting<'_>, id: &str) -> Result<bool, PgError> {
    let deleted: Option<String> = row_of(
        work,
        "delete from storage.buckets where id = $1 returning to_json(id)::text",
        &[Some(id)],
    )
    .await?;
    Ok(deleted.is_some())
}

/// The number of objects in a bucket, counted up to `most + 1`.
pub async fn count_objects(work: &mut Acting<'_>, id: &str, most: u64) -> Result<u64, PgError> {
    let limit = most.saturating_add(1).to_string();
    let counted = row_of(
        work,
        "select count(*)::text
        from (select from storage.objects where bucket_id = $1 limit $2::bigint) as seen",
        &[Some(id), Some(&limit)],
    )
    .await?;
    Ok(counted.unwrap_or_default())
}

fn types_of(types: &[String]) -> String {
    array(types.iter().map(String::as_str))
}
