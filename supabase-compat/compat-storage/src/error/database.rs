//! Maps PostgreSQL's errors to this service's refusals.

use compat_pg::PgError;

use super::StorageError;

/// Names of constraints in the schema `storage`.
const OBJECT_NAMES: [&str; 1] = ["bucketid_objname"];
const BUCKET_NAMES: [&str; 2] = ["buckets_pkey", "bname"];

/// Maps an error of the server to a refusal. As in the original, messages of a user's own policies
/// and triggers reach the caller; any other error is an internal failure.
pub(super) fn refusal(error: PgError) -> StorageError {
    if matches!(error, PgError::PoolTimeout) || error.is_lock_timeout() {
        return StorageError::DatabaseTimeout;
    }
    let (code, constraint) = (error.code().unwrap_or_default(), error.constraint());
    let names = |known: &[&str]| constraint.is_some_and(|name| known.contains(&name));
    match code {
        "42501" => denied(&error),
        "23505" if names(&OBJECT_NAMES) => StorageError::KeyExists,
        "23505" if names(&BUCKET_NAMES) => StorageError::BucketExists,
        "23505" => StorageError::ResourceExists,
        "23503" if constraint == Some("objects_bucketId_fkey") => StorageError::NoSuchBucket,
        "23503" => StorageError::NoRelated,
        "57014" => StorageError::DatabaseTimeout,
        "53300" | "53400" => StorageError::Crowded,
        // The token names a role that does not exist.
        "22023" => StorageError::AccessDenied(message(&error)),
        // A text that PostgreSQL cannot store.
        "22021" | "22P05" | "54000" => {
            StorageError::Database { status: 400, message: message(&error) }
        }
        _ if code.starts_with("P0") || code.starts_with("23") || code.starts_with("PT") => {
            StorageError::Database { status: 400, message: message(&error) }
        }
        _ => StorageError::internal(error),
    }
}

fn message(error: &PgError) -> String {
    error.message().unwrap_or_default().to_owned()
}

/// A refusal for missing privileges; like the original, it does not name the table.
fn denied(error: &PgError) -> StorageError {
    match message(error) {
        text if text.contains("row-level security policy") => StorageError::row_security(),
        text => StorageError::AccessDenied(text),
    }
}
