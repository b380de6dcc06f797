//! Why a setting was not made.

use compat_http::SettingProblem;

/// Why a setting was not made.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum SettingError {
    /// This service has no setting of that name.
    Unknown,
    /// The value is invalid.
    Wrong(SettingProblem),
}
