//! How a payment stands, and what a provider says of it.

use uuid::Uuid;

/// A payment that waits for money.
#[derive(Debug, sqlx_macros::FromRow)]
pub(crate) struct OpenPayment {
    pub id: Uuid,
    pub provider: Option<String>,
    pub session_id: Option<String>,
    /// Whether its time has passed, so that the session is to end.
    pub is_over: bool,
}

/// A payment whose end was noted.
#[derive(Debug, sqlx_macros::FromRow)]
pub(crate) struct SettledPayment {
    pub id: Uuid,
    pub state: String,
}

/// Money that was taken.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Money {
    pub amount_cents: i32,
    pub currency: String,
    /// What it is given back by.
    pub charge: Option<String>,
}

/// How a session ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Settlement<'a> {
    /// The money was taken.
    Paid(&'a Money),
    /// It was tried and refused, for good.
    Failed,
    /// It can no longer be paid.
    Expired,
}

impl<'a> Settlement<'a> {
    /// What the database calls it.
    pub fn code(self) -> &'static str {
        match self {
            Self::Paid(_) => "paid",
            Self::Failed => "failed",
            Self::Expired => "expired",
        }
    }

    /// What was taken, where it was paid.
    pub fn money(self) -> Option<&'a Money> {
        match self {
            Self::Paid(money) => Some(money),
            Self::Failed | Self::Expired => None,
        }
    }
}
