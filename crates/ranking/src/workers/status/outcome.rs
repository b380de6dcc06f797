//! What a query found.

use gamewire::status::Report;

/// What asking came to.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum StatusOutcome {
    /// It answered.
    Online(Report),
    /// It did not answer, or not as its game does.
    Offline,
    /// There is nothing to ask: no port is known, or the address is not on the public internet.
    NotAsked,
}

impl StatusOutcome {
    /// What the server said, if it did.
    pub fn report(&self) -> Option<&Report> {
        match self {
            Self::Online(report) => Some(report),
            Self::Offline | Self::NotAsked => None,
        }
    }

    /// Whether it answered; none when it was not asked.
    pub fn is_online(&self) -> Option<bool> {
        match self {
            Self::Online(_) => Some(true),
            Self::Offline => Some(false),
            Self::NotAsked => None,
        }
    }
}
