//! The services one process can run.

/// A service, by the first segment of its paths.
#[derive(Debug, Clone, Copy, PartialEq, Eq, clap::ValueEnum)]
pub enum Service {
    /// auth/v1.
    Auth,
    /// rest/v1.
    Rest,
    /// functions/v1.
    Functions,
}

impl Service {
    /// All of them.
    pub const ALL: [Self; 3] = [Self::Auth, Self::Rest, Self::Functions];
}
