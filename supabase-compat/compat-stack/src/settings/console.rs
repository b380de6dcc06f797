//! Settings of the console.

use compat_console::ConsoleAccess;

use super::reader::Reader;

/// Whether and for whom the console is served.
#[derive(Debug, Clone, Copy, Default)]
pub struct ConsoleSettings {
    /// `CONSOLE`: `loopback`, `on`, or `off`. Without it, `off`, unless a command for developers serves.
    pub access: Option<ConsoleAccess>,
    /// Whether it was said.
    is_stated: bool,
}

/// Reads them.
pub fn read(reader: &mut Reader) -> ConsoleSettings {
    let access = reader.with(&["CONSOLE"], "console.access", |text| match text {
        "off" => Ok(None),
        "loopback" => Ok(Some(ConsoleAccess::Loopback)),
        "on" => Ok(Some(ConsoleAccess::Everywhere)),
        _ => Err("off, loopback or on"),
    });
    ConsoleSettings { access: access.flatten(), is_stated: access.is_some() }
}

impl ConsoleSettings {
    /// Serves it to this machine, where nothing else is said.
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
    fn console_is_off_unless_somebody_says_otherwise() {
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
