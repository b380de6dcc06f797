//! The types of settings, and how their texts are parsed.

use std::net::IpAddr;
use std::path::PathBuf;
use std::time::Duration;

use secrecy::SecretString;

/// A value of a variable or of a key in the file.
pub trait Setting: Sized {
    /// A description of valid values, for the message "expected …".
    const EXPECTED: &'static str;
    /// Whether an empty text is a value. Otherwise an empty setting counts as missing.
    const MAY_BE_EMPTY: bool = false;

    /// Parses the text; none if it is invalid.
    fn read(text: &str) -> Option<Self>;
}

impl Setting for String {
    const EXPECTED: &'static str = "a text";
    const MAY_BE_EMPTY: bool = true;

    fn read(text: &str) -> Option<Self> {
        Some(text.to_owned())
    }
}

/// An empty text is none.
impl Setting for Option<String> {
    const EXPECTED: &'static str = "a text";
    const MAY_BE_EMPTY: bool = true;

    fn read(text: &str) -> Option<Self> {
        Some(Some(text.to_owned()).filter(|text| !text.is_empty()))
    }
}

/// An empty text is none.
impl Setting for Option<SecretString> {
    const EXPECTED: &'static str = "a secret";
    const MAY_BE_EMPTY: bool = true;

    fn read(text: &str) -> Option<Self> {
        <Option<String>>::read(text).map(|text| text.map(Into::into))
    }
}

/// Values separated by commas; an empty text is an empty list.
impl Setting for Vec<String> {
    const EXPECTED: &'static str = "values separated by commas";
    const MAY_BE_EMPTY: bool = true;

    fn read(text: &str) -> Option<Self> {
        let parts = text.split(',').map(str::trim).filter(|part| !part.is_empty());
        Some(parts.map(str::to_owned).collect())
    }
}

impl Setting for bool {
    const EXPECTED: &'static str = "true or false";

    fn read(text: &str) -> Option<Self> {
        match text.to_ascii_lowercase().as_str() {
            "true" | "1" | "yes" | "on" => Some(true),
            "false" | "0" | "no" | "off" => Some(false),
            _ => None,
        }
    }
}

/// Whole seconds, or numbers with the units `ms`, `s`, `m`, `h`: `90`, `90s`, `1h30m`, `250ms`.
impl Setting for Duration {
    const EXPECTED: &'static str = "a duration such as 90, 90s or 1m30s";

    fn read(text: &str) -> Option<Self> {
        if let Ok(seconds) = text.parse() {
            return Some(Self::from_secs(seconds));
        }
        let mut rest = text;
        let mut total = Self::ZERO;
        while !rest.is_empty() {
            let digits = rest.find(|c: char| !c.is_ascii_digit())?;
            let amount: u64 = rest.get(..digits)?.parse().ok()?;
            let unit = rest.get(digits..)?;
            let (milliseconds, length) = match unit {
                _ if unit.starts_with("ms") => (1, 2),
                _ if unit.starts_with('s') => (1_000, 1),
                _ if unit.starts_with('m') => (60_000, 1),
                _ if unit.starts_with('h') => (3_600_000, 1),
                _ => return None,
            };
            total = total.checked_add(Self::from_millis(amount.checked_mul(milliseconds)?))?;
            rest = unit.get(length..)?;
        }
        (!text.is_empty()).then_some(total)
    }
}

/// A time limit; zero means none.
impl Setting for Option<Duration> {
    const EXPECTED: &'static str = Duration::EXPECTED;

    fn read(text: &str) -> Option<Self> {
        Duration::read(text).map(|limit| Some(limit).filter(|limit| !limit.is_zero()))
    }
}

impl Setting for IpAddr {
    const EXPECTED: &'static str = "an address such as 127.0.0.1";

    fn read(text: &str) -> Option<Self> {
        text.parse().ok()
    }
}

impl Setting for Option<PathBuf> {
    const EXPECTED: &'static str = "a path";
    const MAY_BE_EMPTY: bool = true;

    fn read(text: &str) -> Option<Self> {
        <Option<String>>::read(text).map(|text| text.map(PathBuf::from))
    }
}

/// A macro, because a blanket implementation for parsed types would conflict with the types above.
macro_rules! numbers {
    ($($number:ty: $expected:literal),*) => {$(
        impl Setting for $number {
            const EXPECTED: &'static str = $expected;

            fn read(text: &str) -> Option<Self> {
                text.parse().ok()
            }
        }

        impl Setting for Option<$number> {
            const EXPECTED: &'static str = $expected;

            fn read(text: &str) -> Option<Self> {
                text.parse().ok().map(Some)
            }
        }
    )*};
}

numbers!(
    u16: "a number from 0 to 65535",
    u32: "a whole number",
    u64: "a whole number",
    usize: "a whole number",
    i64: "a whole number"
);

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn durations_are_seconds_or_carry_units() {
        assert_eq!(Duration::read("90"), Some(Duration::from_secs(90)));
        assert_eq!(Duration::read("1h30m"), Some(Duration::from_secs(5400)));
        assert_eq!(Duration::read("250ms"), Some(Duration::from_millis(250)));
        for wrong in ["", "m", "10x", "-1", "9é"] {
            assert_eq!(Duration::read(wrong), None, "{wrong}");
        }
        assert_eq!(<Option<Duration>>::read("0"), Some(None));
    }

    #[test]
    fn lists_are_trimmed_and_may_be_empty() {
        assert_eq!(<Vec<String>>::read(" a, b,,"), Some(vec!["a".to_owned(), "b".to_owned()]));
        assert_eq!(<Vec<String>>::read(""), Some(Vec::new()));
    }
}
