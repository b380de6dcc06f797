//! Intervals inside arrays, which node-postgres decodes into an object of the parts that are not 0.

/// Writes `1 year 2 mons -04:05:06.7` as an object.
pub(super) fn write(out: &mut Vec<u8>, text: &str) {
    let mut parts: Vec<(&str, String)> = Vec::new();
    let mut words = text.split(' ').peekable();
    while let Some(word) = words.next() {
        if word.contains(':') {
            time(&mut parts, word);
            continue;
        }
        let unit = match words.next().unwrap_or_default() {
            "year" | "years" => "years",
            "mon" | "mons" => "months",
            "day" | "days" => "days",
            _ => continue,
        };
        let number: i64 = word.trim_start_matches('+').parse().unwrap_or_default();
        parts.push((unit, number.to_string()));
    }
    out.push(b'{');
    let mut separator = "";
    for (name, number) in parts.iter().filter(|(_, number)| number.parse() != Ok(0.0)) {
        out.extend_from_slice(format!("{separator}\"{name}\":{number}").as_bytes());
        separator = ",";
    }
    out.push(b'}');
}

/// Parses `-04:05:06.7`; the sign applies to each part.
fn time(parts: &mut Vec<(&'static str, String)>, word: &str) {
    let sign = if word.starts_with('-') { -1.0 } else { 1.0 };
    let unsigned = word.trim_start_matches(['-', '+']);
    let (clock, fraction) = unsigned.split_once('.').unwrap_or((unsigned, ""));
    for (name, number) in ["hours", "minutes", "seconds"].into_iter().zip(clock.split(':')) {
        let number: f64 = number.parse().unwrap_or_default();
        parts.push((name, (number * sign).to_string()));
    }
    let micros: f64 = format!("{fraction:0<6}").parse().unwrap_or_default();
    parts.push(("milliseconds", (micros / 1000.0 * sign).to_string()));
}

#[cfg(test)]
mod tests {
    use serde_json::{Value, json};

    #[test]
    fn parts_that_are_nought_are_left_out() {
        for (text, expected) in [
            ("00:00:00", json!({})),
            ("1 year 2 mons -3 days", json!({"years": 1, "months": 2, "days": -3})),
            (
                "-04:05:06.789",
                json!({"hours": -4, "minutes": -5, "seconds": -6, "milliseconds": -789}),
            ),
        ] {
            let mut out = Vec::new();
            super::write(&mut out, text);
            let value: Value = serde_json::from_slice(&out).expect("JSON");
            assert_eq!(value, expected);
        }
    }
}
