//! Which servers this project runs on.

/// The oldest one, as `server_version_num` counts: 14.
pub const MINIMUM_VERSION: u32 = 14;
