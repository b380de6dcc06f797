//! How every service reports an invalid setting.

use std::borrow::Cow;

/// A setting that cannot be used: its name and what was expected of it. The value is never part of
/// it, since it may be a secret.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{name}: expected {expected}")]
pub struct SettingProblem {
    /// The variable, or the dotted path in the file.
    pub name: Cow<'static, str>,
    /// The expected value, as it follows the word "expected".
    pub expected: Cow<'static, str>,
}

impl SettingProblem {
    /// A problem with the setting `name`, which should have been `expected`.
    pub fn new(name: impl Into<Cow<'static, str>>, expected: impl Into<Cow<'static, str>>) -> Self {
        Self { name: name.into(), expected: expected.into() }
    }
}
