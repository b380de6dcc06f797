//! The result of a status query.

use gamewire::status::Report;

/// The result of a status query.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum StatusOutcome {
    /// The server answered.
    Online(Report),
    /// The server did not answer, or not in its game's protocol.
    Offline,
    /// There was no query: the port is unknown, or the address is not on the public internet.
    NotAsked,
}

impl StatusOutcome {
    /// The server's report, if it answered.
    pub fn report(&self) -> Option<&Report> {
        match self {
            Self::Online(report) => Some(report),
            Self::Offline | Self::NotAsked => None,
        }
    }

    /// Whether the server answered; `None` when it was not queried.
    pub fn is_online(&self) -> Option<bool> {
        match self {
            Self::Online(_) => Some(true),
            Self::Offline => Some(false),
            Self::NotAsked => None,
        }
    }
}
