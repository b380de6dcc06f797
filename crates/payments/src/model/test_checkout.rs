//! A session of the checkout page that takes no money.

use chrono::{DateTime, Utc};
use page_registry::Language;
use uuid::Uuid;

/// A session, as it is stored.
#[derive(Debug, sqlx_macros::FromRow)]
pub(crate) struct TestCheckout {
    pub session_id: String,
    pub payment_id: Uuid,
    pub amount_cents: i32,
    pub currency: String,
    pub description: String,
    pub language: String,
    pub success_url: String,
    pub cancel_url: String,
    pub status: String,
    pub arrives_at: Option<DateTime<Utc>>,
    pub expires_at: DateTime<Utc>,
}

/// The choices on the page.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Choice {
    /// The money arrives at once.
    Pay,
    /// The money arrives after a delay.
    PayLater,
    /// The payment fails.
    Fail,
    /// The payer leaves without paying.
    GiveUp,
}

/// The status of a session at a given time.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum TestCheckoutStatus {
    /// A choice may still be made.
    Open,
    /// The money is on its way.
    Arriving,
    Paid,
    Failed,
    Expired,
}

impl Choice {
    /// Every choice, in the order of the page.
    pub const ALL: [Self; 4] = [Self::Pay, Self::PayLater, Self::Fail, Self::GiveUp];

    /// The value in the form.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Pay => "pay",
            Self::PayLater => "later",
            Self::Fail => "fail",
            Self::GiveUp => "cancel",
        }
    }

    /// The choice with this value in the form.
    pub fn parse(text: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|choice| choice.as_str() == text)
    }
}

impl TestCheckout {
    /// The language of the payer.
    pub fn language(&self) -> Language {
        Language::parse(&self.language).unwrap_or(Language::Fr)
    }

    /// The status of the session at this time.
    pub fn status_at(&self, now: DateTime<Utc>) -> TestCheckoutStatus {
        match (self.status.as_str(), self.arrives_at) {
            ("paid", _) => TestCheckoutStatus::Paid,
            ("failed", _) => TestCheckoutStatus::Failed,
            ("expired", _) => TestCheckoutStatus::Expired,
            (_, Some(arrives)) if arrives <= now => TestCheckoutStatus::Paid,
            (_, Some(_)) => TestCheckoutStatus::Arriving,
            _ if self.expires_at <= now => TestCheckoutStatus::Expired,
            _ => TestCheckoutStatus::Open,
        }
    }
}
