//! Why a setting was not made.

use compat_http::SettingProblem;

/// Why a setting was not made.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum SettingError {
    /// No setting of this service goes by that name.
    Unknown,
    /// The value cannot be read.
    Wrong(SettingProblem),
}
