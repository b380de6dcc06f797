//! A passkey as its owner sees it.

use chrono::{DateTime, Utc};
use uuid::Uuid;

/// A passkey without its public key, which only the store reads.
#[derive(Debug, sqlx_macros::FromRow)]
pub struct Passkey {
    pub id: Uuid,
    pub friendly_name: String,
    pub created_at: DateTime<Utc>,
    pub last_used_at: Option<DateTime<Utc>>,
}
