//! How a payment stands, and what a provider says of it.

use uuid::Uuid;

/// A payment that waits for money.
#[derive(Debug, sqlx_macros::FromRow)]
pub(crate) struct Open {
    pub id: Uuid,
    pub provider: Option<String>,
    pub session_id: Option<String>,
    /// Whether its time has passed, so that the session is to end.
    pub is_over: bool,
}

/// A payment whose end was noted.
#[derive(Debug, sqlx_macros::FromRow)]
pub(crate) struct Settled {
    pub id: Uuid,
    pub state: String,
}

/// How a session ended.
#[derive(Debug, Default)]
pub(crate) struct Verdict {
    /// `paid`, `failed` or `expired`.
    pub outcome: &'static str,
    /// What was taken, where it was paid.
    pub amount_cents: Option<i32>,
    pub currency: Option<String>,
    pub charge: Option<String>,
}
