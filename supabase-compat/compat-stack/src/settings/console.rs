//! Settings of the console.

use std::time::Duration;

use compat_console::ConsoleAccess;

use super::reader::Reader;

/// Days that the audit log is kept by default, and at most.
const USUAL_DAYS: u64 = 365;
const MOST_DAYS: u64 = 36_500;

/// Whether and for whom the console is served.
#[derive(Debug, Clone, Copy, Default)]
pub struct ConsoleSettings {
    /// `CONSOLE`: `loopback`, `on`, or `off`. The default is `off`, unless a command for developers
    /// serves.
    pub access: Option<ConsoleAccess>,
    /// Whether the setting is present.
    is_stated: bool,
    /// `CONSOLE_AUDIT_RETENTION`, in days: how long entries of the audit log are kept; none for ever.
    pub audit_retention: Option<Duration>,
}

/// Reads the settings of the console.
pub fn read(reader: &mut Reader) -> ConsoleSettings {
    let access = reader.with(&["CONSOLE"], "console.access", |text| match text {
        "off" => Ok(None),
        "loopback" => Ok(Some(ConsoleAccess::Loopback)),
        "on" => Ok(Some(ConsoleAccess::Everywhere)),
        _ => Err("off, loopback or on"),
    });
    let named = &["CONSOLE_AUDIT_RETENTION"];
    let days = reader.with(named, "console.audit_retention", |text| match text.parse::<u64>() {
        Ok(days) if days <= MOST_DAYS => Ok(days),
        _ => Err("days, up to 36500; 0 keeps everything"),
    });
    let days = days.unwrap_or(USUAL_DAYS);
    ConsoleSettings {
        access: access.flatten(),
        is_stated: access.is_some(),
        audit_retention: (days > 0).then(|| Duration::from_secs(days * 24 * 60 * 60)),
    }
}

impl ConsoleSettings {
    /// Serves the console on this machine only, unless the setting says otherwise.
    pub fn serve_at_this_machine(&mut self) {
        if !self.is_stated {
            self.access = Some(ConsoleAccess::Loopback);
        }
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use super::*;

    fn read_as(value: Option<&str>) -> (ConsoleSettings, usize) {
        let pairs = value.map(|value| ("CONSOLE".to_owned(), value.to_owned()));
        let environment: BTreeMap<_, _> = pairs.into_iter().collect();
        let mut reader = Reader::new(environment, &toml::Table::new());
        (read(&mut reader), reader.finish().problems.len())
    }

    #[test]
    fn console_is_off_by_default() {
        for (value, access) in [
            (None, None),
            (Some("off"), None),
            (Some("loopback"), Some(ConsoleAccess::Loopback)),
            (Some("on"), Some(ConsoleAccess::Everywhere)),
        ] {
            assert_eq!(read_as(value).0.access, access, "{value:?}");
        }
        assert_eq!(read_as(Some("yes")).1, 1);
    }

    #[test]
    fn audit_log_retention_defaults_to_a_year() {
        let retention = |value: Option<&str>| {
            let pair = value.map(|value| ("CONSOLE_AUDIT_RETENTION".to_owned(), value.to_owned()));
            let mut reader = Reader::new(pair.into_iter().collect(), &toml::Table::new());
            let settings = read(&mut reader);
            (settings.audit_retention, reader.finish().problems.len())
        };
        let days = |days: u64| Some(Duration::from_secs(days * 24 * 60 * 60));
        assert_eq!(retention(None), (days(365), 0));
        assert_eq!(retention(Some("30")), (days(30), 0));
        assert_eq!(retention(Some("0")), (None, 0));
        assert_eq!(retention(Some("36501")).1, 1);
        assert_eq!(retention(Some("a year")).1, 1);
    }

    #[test]
    fn stated_access_goes_before_a_commands_default() {
        for (value, access) in [
            (None, Some(ConsoleAccess::Loopback)),
            (Some("off"), None),
            (Some("on"), Some(ConsoleAccess::Everywhere)),
        ] {
            let mut settings = read_as(value).0;
            settings.serve_at_this_machine();
            assert_eq!(settings.access, access, "{value:?}");
        }
    }
}
