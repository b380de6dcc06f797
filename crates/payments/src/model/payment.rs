//! The states of a payment, and what a provider reports of it.

use uuid::Uuid;

/// A payment that waits for money.
#[derive(Debug, sqlx_macros::FromRow)]
pub(crate) struct OpenPayment {
    pub id: Uuid,
    pub provider: Option<String>,
    pub session_id: Option<String>,
    /// Whether the payment has expired, so that its session has to be ended.
    pub is_over: bool,
}

/// A payment after the end of its session was recorded.
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
    /// The provider's id of the charge, which a refund names.
    pub charge: Option<String>,
}

/// How a session ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Settlement<'a> {
    /// The money was taken.
    Paid(&'a Money),
    /// The payment was refused for good.
    Failed,
    /// The session can no longer be paid.
    Expired,
}

impl<'a> Settlement<'a> {
    /// The name of this outcome in the database.
    pub fn code(self) -> &'static str {
        match self {
            Self::Paid(_) => "paid",
            Self::Failed => "failed",
            Self::Expired => "expired",
        }
    }

    /// The money that was taken; `None` unless the session was paid.
    pub fn money(self) -> Option<&'a Money> {
        match self {
            Self::Paid(money) => Some(money),
            Self::Failed | Self::Expired => None,
        }
    }
}
