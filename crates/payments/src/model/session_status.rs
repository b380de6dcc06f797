//! The status of a session at a provider.

use super::payment::{Money, Settlement};

/// The status of a session.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum SessionStatus {
    /// Nobody has paid, or the money is on its way.
    Open,
    /// Money was taken.
    Paid(Money),
    /// The payment was refused for good.
    Failed,
    /// The session can no longer be paid.
    Expired,
}

impl SessionStatus {
    /// How the session ended; `None` while it is open.
    pub fn settlement(&self) -> Option<Settlement<'_>> {
        match self {
            Self::Open => None,
            Self::Paid(money) => Some(Settlement::Paid(money)),
            Self::Failed => Some(Settlement::Failed),
            Self::Expired => Some(Settlement::Expired),
        }
    }
}
