//! Parses the value of a setting; an empty value counts as absent.

use std::str::FromStr;

use compat_http::SettingProblem;
use compat_token::ClaimPath;
use url::Url;

use super::setting_error::SettingError;

/// The value of a setting, and the setting's name for error messages.
pub(super) struct SettingValue<'a> {
    name: &'a str,
    value: Option<&'a str>,
}

impl<'a> SettingValue<'a> {
    pub(super) fn new(name: &'a str, value: &'a str) -> Self {
        Self { name, value: Some(value.trim()).filter(|value| !value.is_empty()) }
    }

    pub(super) fn text(&self) -> Option<String> {
        self.value.map(str::to_owned)
    }

    /// Values separated by commas; `without` if there is no value.
    pub(super) fn list_or(&self, without: Vec<String>) -> Vec<String> {
        let items = |text: &str| -> Vec<String> {
            text.split(',').map(str::trim).filter(|i| !i.is_empty()).map(str::to_owned).collect()
        };
        self.value.map_or(without, items)
    }

    pub(super) fn number<T: FromStr>(&self) -> Result<Option<T>, SettingError> {
        self.read(|text| text.parse().ok(), "a number")
    }

    /// A boolean; `without` if there is no value.
    pub(super) fn flag_or(&self, without: bool) -> Result<bool, SettingError> {
        let flag = |text: &str| match text.to_ascii_lowercase().as_str() {
            "true" | "on" | "yes" | "1" => Some(true),
            "false" | "off" | "no" | "0" => Some(false),
            _ => None,
        };
        Ok(self.read(flag, "true or false")?.unwrap_or(without))
    }

    /// One of the words; the default if there is no value.
    pub(super) fn one_of<T: Copy + Default>(&self, words: &[(&str, T)]) -> Result<T, SettingError> {
        let known = |text: &str| words.iter().find(|(word, _)| *word == text).map(|(_, is)| *is);
        let expected: Vec<&str> = words.iter().map(|(word, _)| *word).collect();
        Ok(self.read(known, &format!("one of {}", expected.join(", ")))?.unwrap_or_default())
    }

    /// A name, or, if it contains a colon, a URL.
    pub(super) fn audience(&self) -> Result<Option<String>, SettingError> {
        let usable = |text: &str| !text.contains(':') || Url::parse(text).is_ok();
        self.read(|text| usable(text).then(|| text.to_owned()), "a name or an address")
    }

    /// The path of the role in a token; the default if there is no value.
    pub(super) fn claim_path(&self) -> Result<ClaimPath, SettingError> {
        let expected = "a JSONPath such as $.role or the older .role";
        Ok(self.read(|text| ClaimPath::parse(text).ok(), expected)?.unwrap_or_default())
    }

    fn read<T>(
        &self,
        read: impl FnOnce(&str) -> Option<T>,
        expected: &str,
    ) -> Result<Option<T>, SettingError> {
        let Some(value) = self.value else { return Ok(None) };
        let problem = || SettingProblem::new(self.name.to_owned(), expected.to_owned());
        read(value).map(Some).ok_or_else(|| SettingError::Wrong(problem()))
    }
}
