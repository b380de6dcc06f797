//! The PostgreSQL versions that this project supports.

/// The oldest supported major version.
pub const MINIMUM_VERSION: u32 = 14;
