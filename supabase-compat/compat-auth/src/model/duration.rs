//! Durations as Go writes them: `24h`, `1h30m`, `1.5h`, `300ms`.

use chrono::TimeDelta;

/// Parses a duration; `None` for text that Go refuses and for values out of range.
pub fn parse(text: &str) -> Option<TimeDelta> {
    let (sign, mut rest) = match text.strip_prefix('-') {
        Some(rest) => (-1.0, rest),
        None => (1.0, text.strip_prefix('+').unwrap_or(text)),
    };
    if rest == "0" {
        return Some(TimeDelta::zero());
    }
    if rest.is_empty() {
        return None;
    }
    let mut seconds = 0.0;
    while !rest.is_empty() {
        let end = rest.find(|c: char| !c.is_ascii_digit() && c != '.')?;
        let (number, behind) = rest.split_at(end);
        let end = behind.find(|c: char| c.is_ascii_digit() || c == '.').unwrap_or(behind.len());
        let (unit, behind) = behind.split_at(end);
        seconds += number.parse::<f64>().ok()? * seconds_of(unit)?;
        rest = behind;
    }
    let millis = sign * seconds * 1000.0;
    // Go's durations end at about 292 years.
    if millis.abs() > 9.2e12 {
        return None;
    }
    #[expect(clippy::cast_possible_truncation, reason = "the bound is checked above")]
    TimeDelta::try_milliseconds(millis as i64)
}

fn seconds_of(unit: &str) -> Option<f64> {
    Some(match unit {
        "ns" => 1e-9,
        "us" | "µs" | "μs" => 1e-6,
        "ms" => 1e-3,
        "s" => 1.0,
        "m" => 60.0,
        "h" => 3600.0,
        _ => return None,
    })
}

#[cfg(test)]
mod tests {
    use compat_testkit::property_test;
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn the_usual_ones_are_read() {
        for (text, seconds) in [
            ("24h", 86_400),
            ("1h30m", 5400),
            ("1.5h", 5400),
            ("0", 0),
            ("-0", 0),
            ("876600h", 3_155_760_000),
            ("-1s", -1),
        ] {
            assert_eq!(parse(text), TimeDelta::try_seconds(seconds), "{text}");
        }
    }

    #[test]
    fn malformed_durations_are_refused() {
        for text in ["", "-", "24", "h", "1d", "1 h", "..s", "99999999999h", "1h1"] {
            assert_eq!(parse(text), None, "{text}");
        }
    }

    #[test]
    fn random_durations_never_panic_the_parser() {
        let texts = prop_oneof!["\\PC{0,20}", "-?([0-9.]{0,12}(ns|us|µs|ms|s|m|h|d)?){0,4}"];
        property_test("durations", texts, |text| {
            if parse(&text).is_some() {
                let is_nothing = matches!(text.as_str(), "0" | "-0");
                assert!(is_nothing || text.ends_with(|c: char| c.is_alphabetic()), "{text}");
            }
        });
    }
}
