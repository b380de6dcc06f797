//! What one connection may do, by the query parameters of its address, which are the original's.

use std::collections::BTreeSet;

use url::form_urlencoded;

/// The groups of tools, under the original's names. Some have no tool here: there is one project,
/// without an account or branches.
pub(crate) const FEATURES: [&str; 8] = [
    "docs",
    "account",
    "database",
    "debugging",
    "development",
    "functions",
    "branching",
    "storage",
];

/// Whether the connection may write, and which tools it is offered.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Mode {
    /// Whether the connection is read-only.
    pub is_read_only: bool,
    /// The offered groups of tools; `None` for all.
    pub features: Option<BTreeSet<&'static str>>,
}

impl Mode {
    /// All tools, with the setting's mode; without a setting, read-only.
    pub fn new(read_only: Option<bool>) -> Self {
        Self { is_read_only: read_only.unwrap_or(true), features: None }
    }

    /// The mode that an address's query requests, as far as the setting allows: if that is
    /// read-only, it stays so.
    ///
    /// # Errors
    /// A parameter is invalid; the text says why.
    pub fn of_query(query: &str, setting: Option<bool>) -> Result<Self, String> {
        let mut mode = Self::new(setting);
        for (name, value) in form_urlencoded::parse(query.as_bytes()) {
            match &*name {
                "read_only" => {
                    let is_on = switch(&value).ok_or("read_only is true or false")?;
                    mode.is_read_only = is_on || setting == Some(true);
                }
                "features" => mode.features = Some(features(&value)?),
                _ => {}
            }
        }
        Ok(mode)
    }

    /// Whether tools of a group are offered.
    pub(crate) fn has(&self, feature: &str) -> bool {
        self.features.as_ref().is_none_or(|features| features.contains(feature))
    }
}

fn switch(text: &str) -> Option<bool> {
    match text {
        "true" | "1" | "yes" | "on" => Some(true),
        "false" | "0" | "no" | "off" => Some(false),
        _ => None,
    }
}

/// Parses a list of groups.
pub(crate) fn features(text: &str) -> Result<BTreeSet<&'static str>, String> {
    let names = text.split(',').map(str::trim).filter(|name| !name.is_empty());
    names
        .map(|name| {
            // The original's older name of the group.
            let name = if name == "debug" { "debugging" } else { name };
            let known = FEATURES.into_iter().find(|known| *known == name);
            known.ok_or_else(|| format!("features are of {}", FEATURES.join(", ")))
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn query_cannot_lift_the_read_only_setting() {
        let is_read_only =
            |query, setting| Mode::of_query(query, setting).map(|it| it.is_read_only);
        assert_eq!(is_read_only("", None), Ok(true));
        assert_eq!(is_read_only("read_only=false", None), Ok(false));
        assert_eq!(is_read_only("read_only=false", Some(true)), Ok(true));
        assert_eq!(is_read_only("", Some(false)), Ok(false));
        assert_eq!(is_read_only("read_only=true", Some(false)), Ok(true));
        assert_eq!(is_read_only("read_only=false&read_only=true", None), Ok(true));
        assert!(is_read_only("read_only=maybe", None).is_err());
    }

    #[test]
    fn groups_of_tools_are_named_as_there() {
        let mode = Mode::of_query("features=docs,%20debug", None).expect("a mode");
        assert!(mode.has("docs") && mode.has("debugging") && !mode.has("database"));
        assert!(Mode::of_query("features=magic", None).is_err());
        assert!(Mode::new(None).has("database"));
    }
}
