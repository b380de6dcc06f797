//! The SQL of the sweep, run as the owner of the schema.

use std::collections::HashSet;

use chrono::{DateTime, Utc};
use sqlx::{Error, PgConnection};
use uuid::Uuid;

use crate::bytes::ObjectLocation;

/// Takes the sweep's lease until `until`; false if no sweep is due.
pub(super) async fn claim(
    work: &mut PgConnection,
    now: DateTime<Utc>,
    until: DateTime<Utc>,
) -> Result<bool, Error> {
    let result = sqlx::query("update storage.sweep set due_at = $2 where due_at <= $1")
        .bind(now)
        .bind(until)
        .execute(work)
        .await?;
    Ok(result.rows_affected() > 0)
}

/// Sets the time of the next sweep: the end of this process's lease, or the regular next run.
pub(super) async fn due_at(work: &mut PgConnection, at: DateTime<Utc>) -> Result<(), Error> {
    sqlx::query("update storage.sweep set due_at = $1").bind(at).execute(work).await?;
    Ok(())
}

/// The locations that no row's version refers to.
pub(super) async fn without_row(
    work: &mut PgConnection,
    places: &[ObjectLocation],
) -> Result<Vec<ObjectLocation>, Error> {
    if places.is_empty() {
        return Ok(Vec::new());
    }
    let column = |of: fn(&ObjectLocation) -> String| places.iter().map(of).collect::<Vec<_>>();
    // Keys in the store may contain NUL, which PostgreSQL text cannot hold.
    let named: Vec<i64> = sqlx::query_scalar(
        "select lying.number
        from unnest($1::text[], $2::text[], $3::text[])
            with ordinality as lying(bucket, key, version, number)
        join storage.objects as o on
            o.bucket_id = lying.bucket
            and o.name = lying.key
            and o.version = lying.version",
    )
    .bind(column(|place| place.bucket.replace('\0', "")))
    .bind(column(|place| place.key.replace('\0', "")))
    .bind(column(|place| place.version.to_string()))
    .fetch_all(work)
    .await?;
    let named: HashSet<i64> = named.into_iter().collect();
    let numbered = (1..).zip(places);
    Ok(numbered
        .filter(|(number, _)| !named.contains(number))
        .map(|(_, place)| place.clone())
        .collect())
}

/// The buckets of these locations that exist.
pub(super) async fn known_buckets(
    work: &mut PgConnection,
    places: &[ObjectLocation],
) -> Result<HashSet<String>, Error> {
    let buckets: HashSet<String> =
        places.iter().map(|place| place.bucket.replace('\0', "")).collect();
    let known = sqlx::query_scalar("select id from storage.buckets where id = any($1)")
        .bind(buckets.into_iter().collect::<Vec<_>>())
        .fetch_all(work)
        .await?;
    Ok(known.into_iter().collect())
}

/// The versions that belong to no upload.
pub(super) async fn find_abandoned(
    work: &mut PgConnection,
    versions: &[Uuid],
) -> Result<Vec<Uuid>, Error> {
    if versions.is_empty() {
        return Ok(Vec::new());
    }
    sqlx::query_scalar(
        "select lying.version
        from unnest($1::uuid[]) as lying(version)
        where not exists (
            select from storage.s3_multipart_uploads as u
            where u.version = lying.version::text
        )
            and not exists (
                select from storage.tus_uploads as u
                where u.version = lying.version
            )",
    )
    .bind(versions)
    .fetch_all(work)
    .await
}
