//! Size limits of buckets: bytes, or a number with a decimal unit.

/// Parses `20MB`, `1.5kb`, `300b` or plain bytes; none for anything else. Units are decimal, as in
/// the original.
pub fn parse_size(text: &str) -> Option<u64> {
    let digits = text.find(|c: char| !c.is_ascii_digit() && c != '.').unwrap_or(text.len());
    let (number, unit) = text.split_at(digits);
    let (integer, fraction) = number.split_once('.').unwrap_or((number, "0"));
    let is_number = |part: &str| !part.is_empty() && part.bytes().all(|byte| byte.is_ascii_digit());
    if !is_number(integer) || !is_number(fraction) {
        return None;
    }
    let factor: u64 = match unit.to_ascii_lowercase().as_str() {
        "" if !number.contains('.') => return integer.parse().ok(),
        "b" => 1,
        "kb" => 1_000,
        "mb" => 1_000_000,
        "gb" => 1_000_000_000,
        _ => return None,
    };
    scaled(integer, fraction, factor)
}

/// Only nine decimal places are read: further digits are less than a byte of any unit.
fn scaled(integer: &str, fraction: &str, factor: u64) -> Option<u64> {
    const BILLION: u128 = 1_000_000_000;
    let integer: u64 = integer.parse().ok()?;
    let nanos: String = fraction.chars().chain("000000000".chars()).take(9).collect();
    let part: u128 = nanos.parse().ok()?;
    let rest = u64::try_from(part * u128::from(factor) / BILLION).ok()?;
    integer.checked_mul(factor)?.checked_add(rest)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn units_are_decimal_and_of_either_case() {
        for (text, bytes) in [
            ("0", 0),
            ("52428800", 52_428_800),
            ("20MB", 20_000_000),
            ("20mb", 20_000_000),
            ("1.5kb", 1_500),
            ("3B", 3),
            ("1gb", 1_000_000_000),
            ("0.5B", 0),
        ] {
            assert_eq!(parse_size(text), Some(bytes), "{text}");
        }
        for text in [
            "",
            "mb",
            "-1",
            "20 mb",
            "1.2.3mb",
            "1e3",
            ".5mb",
            "5.mb",
            "20tb",
            "1.5",
            "99999999999999999999gb",
            "19000000000gb",
        ] {
            assert_eq!(parse_size(text), None, "{text}");
        }
    }

    #[test]
    fn random_sizes_never_panic_the_parser() {
        let sizes = "[0-9.]{0,24}( |b|kb|MB|Gb|t|\\PC)?";
        compat_testkit::property_test("sizes", sizes, |text: String| {
            if let Some(bytes) = parse_size(&text) {
                assert!(bytes == 0 || text.contains(|c: char| c.is_ascii_digit()));
            }
        });
    }
}
