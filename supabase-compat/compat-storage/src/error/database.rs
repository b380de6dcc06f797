//! What PostgreSQL refuses, in this service's words.

use compat_pg::PgError;

use super::StorageError;

/// Names of rules in the schema `storage`.
const OBJECT_NAMES: [&str; 1] = ["bucketid_objname"];
const BUCKET_NAMES: [&str; 2] = ["buckets_pkey", "bname"];

/// A refusal by what the server said. Everything a user's own policies and triggers raise reaches
/// the caller in their words, as the original has it; whatever else happens is a fault of ours.
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
        // A role that nobody has: what the token says is not for this service.
        "22023" => StorageError::AccessDenied(message(&error)),
        // Text that PostgreSQL cannot hold.
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

/// The original leaves the table's name out.
fn denied(error: &PgError) -> StorageError {
    match message(error) {
        text if text.contains("row-level security policy") => StorageError::row_security(),
        text => StorageError::AccessDenied(text),
    }
}
