//! Parsers for values of auth/v1 with a format of their own; a refusal says what is expected.

use std::time::Duration;

use crate::settings::setting::Setting as _;

/// The length of a code.
pub fn otp_length(text: &str) -> Result<usize, &'static str> {
    match text.parse() {
        Ok(length @ 6..=10) => Ok(length),
        _ => Err("a number from 6 to 10"),
    }
}

/// The least length of a password.
pub fn password_length(text: &str) -> Result<usize, &'static str> {
    text.parse().ok().filter(|length| *length >= 6).ok_or("a number, 6 or more")
}

/// A number per hour, `30`, or per another period, `5/10m`.
pub fn per_hour(text: &str) -> Result<Option<u32>, &'static str> {
    hourly(text).map(Some).ok_or("a number, or one over a span such as 30/1h")
}

fn hourly(text: &str) -> Option<u32> {
    let (count, span) = text.split_once('/').unwrap_or((text, "1h"));
    let count: u32 = count.trim().parse().ok()?;
    let span = Duration::read(span.trim()).filter(|span| !span.is_zero())?;
    u32::try_from(u64::from(count) * 3600 / span.as_secs().max(1)).ok()
}

/// Turns a project file's name of a character set into the characters.
pub fn requirement_sets(name: &str) -> Result<String, &'static str> {
    const LOWER: &str = "abcdefghijklmnopqrstuvwxyz";
    const UPPER: &str = "ABCDEFGHIJKLMNOPQRSTUVWXYZ";
    const DIGITS: &str = "0123456789";
    const SYMBOLS: &str = r#"!@#$%^&*()_+-=[]{};'\\:"|<>?,./`~"#;
    match name {
        "letters_digits" => Ok(format!("{LOWER}{UPPER}:{DIGITS}")),
        "lower_upper_letters_digits" => Ok(format!("{LOWER}:{UPPER}:{DIGITS}")),
        "lower_upper_letters_digits_symbols" => Ok(format!("{LOWER}:{UPPER}:{DIGITS}:{SYMBOLS}")),
        _ => {
            Err("letters_digits, lower_upper_letters_digits or lower_upper_letters_digits_symbols")
        }
    }
}

/// `{"X-Name": ["one value", "another"]}`.
pub fn headers(text: &str) -> Result<Vec<(String, String)>, &'static str> {
    let named: std::collections::BTreeMap<String, Vec<String>> =
        serde_json::from_str(text).map_err(|_| "an object of lists of texts")?;
    let pairs = named.into_iter().flat_map(|(name, values)| {
        values.into_iter().map(move |value| (name.clone(), value)).collect::<Vec<_>>()
    });
    Ok(pairs.collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rate_limit_accepts_hour_or_custom_interval() {
        assert_eq!(per_hour("30"), Ok(Some(30)));
        assert_eq!(per_hour("5/10m"), Ok(Some(30)));
        for wrong in ["many", "3/never", "3/0s"] {
            assert!(per_hour(wrong).is_err(), "{wrong}");
        }
    }
}
