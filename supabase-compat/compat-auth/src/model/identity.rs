//! Identities and factors, the rows that are loaded with their user.

use chrono::{DateTime, Utc};
use serde::Deserialize;
use serde_json::{Map, Value};
use uuid::Uuid;

/// A provider account of a user.
#[derive(Debug, Clone, Deserialize, sqlx_macros::FromRow)]
pub struct Identity {
    pub id: Uuid,
    /// The account's name at the provider; for e-mail and phone, the user's own id.
    pub provider_id: String,
    pub user_id: Uuid,
    #[sqlx(json)]
    pub identity_data: Map<String, Value>,
    pub provider: String,
    pub last_sign_in_at: Option<DateTime<Utc>>,
    pub created_at: Option<DateTime<Utc>>,
    pub updated_at: Option<DateTime<Utc>>,
    pub email: Option<String>,
}

/// A second factor, without its secret.
#[derive(Debug, Clone, Deserialize, sqlx_macros::FromRow)]
pub struct Factor {
    pub id: Uuid,
    pub friendly_name: Option<String>,
    pub factor_type: String,
    pub status: String,
    pub created_at: DateTime<Utc>,
    pub updated_at: DateTime<Utc>,
    pub phone: Option<String>,
    pub last_challenged_at: Option<DateTime<Utc>>,
}

impl Factor {
    pub fn is_verified(&self) -> bool {
        self.status == "verified"
    }
}
