//! A session and its authentication methods.

use chrono::{DateTime, NaiveDateTime, Utc};
use serde_json::{Value, json};
use uuid::Uuid;

/// A row of `auth.sessions`.
#[derive(Debug, Clone, sqlx_macros::FromRow)]
pub struct Session {
    pub id: Uuid,
    pub user_id: Uuid,
    pub created_at: Option<DateTime<Utc>>,
    pub aal: Option<String>,
    pub not_after: Option<DateTime<Utc>>,
    /// In UTC without a time zone, as in the original's column.
    pub refreshed_at: Option<NaiveDateTime>,
    /// The OAuth client of the session; `None` for our own pages.
    pub oauth_client_id: Option<Uuid>,
    pub scopes: Option<String>,
}

impl Session {
    /// The last time the session was known to be used.
    pub fn last_used_at(&self) -> Option<DateTime<Utc>> {
        let refreshed = self.refreshed_at.map(|at| at.and_utc());
        refreshed.max(self.created_at)
    }

    pub fn is_aal2(&self) -> bool {
        self.aal.as_deref() == Some("aal2")
    }
}

/// An authentication method of a session.
#[derive(Debug, Clone, sqlx_macros::FromRow)]
pub struct Amr {
    pub authentication_method: String,
    pub updated_at: DateTime<Utc>,
}

/// The `amr` claim, newest method first.
pub fn amr_claim(amr: &[Amr]) -> Value {
    let mut sorted: Vec<&Amr> = amr.iter().collect();
    sorted.sort_by_key(|entry| std::cmp::Reverse(entry.updated_at));
    sorted
        .iter()
        .map(|entry| {
            json!({
                "method": entry.authentication_method,
                "timestamp": entry.updated_at.timestamp(),
            })
        })
        .collect()
}

/// The assurance level of these methods: `aal2` with a second factor.
pub fn aal(amr: &[Amr]) -> &'static str {
    let is_second = |entry: &Amr| {
        matches!(entry.authentication_method.as_str(), "totp" | "mfa/phone" | "mfa/webauthn")
    };
    if amr.iter().any(is_second) { "aal2" } else { "aal1" }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn amr(method: &str, second: i64) -> Amr {
        Amr {
            authentication_method: method.to_owned(),
            updated_at: DateTime::from_timestamp(second, 0).unwrap(),
        }
    }

    #[test]
    fn the_newest_method_stands_first() {
        assert_eq!(
            amr_claim(&[amr("password", 1), amr("totp", 2)]),
            json!([{"method": "totp", "timestamp": 2}, {"method": "password", "timestamp": 1}])
        );
    }

    #[test]
    fn a_second_factor_lifts_the_level() {
        assert_eq!(aal(&[amr("password", 1)]), "aal1");
        assert_eq!(aal(&[amr("password", 1), amr("mfa/phone", 2)]), "aal2");
    }
}
