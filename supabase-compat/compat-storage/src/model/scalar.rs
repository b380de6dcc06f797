//! Coercion of JSON values to other types, as in the original's validator (Ajv with `coerceTypes:
//! "array"`, which is Fastify's default).

use serde_json::{Number, Value};

/// Coerces a value to a number.
pub fn number(value: &Value) -> Option<f64> {
    match only(value) {
        Value::Number(number) => number.as_f64(),
        Value::String(text) => text_as_number(text),
        Value::Bool(flag) => Some(f64::from(u8::from(*flag))),
        Value::Null => Some(0.0),
        Value::Array(_) | Value::Object(_) => None,
    }
}

/// Coerces a value to a whole number that fits an `i64`.
pub fn integer(value: &Value) -> Option<i64> {
    if let Some(number) = only(value).as_i64() {
        return Some(number);
    }
    // Larger floats do not fit an `i64`; `i64::MAX as f64` is 2^63, which does not fit either.
    let fits = |number: &f64| number.fract() == 0.0 && number.abs() < i64::MAX as f64;
    number(value).filter(fits).map(|number| number as i64)
}

/// Coerces a value to a boolean.
pub fn boolean(value: &Value) -> Option<bool> {
    match only(value) {
        Value::Bool(flag) => Some(*flag),
        Value::Null => Some(false),
        Value::String(text) if text == "true" => Some(true),
        Value::String(text) if text == "false" => Some(false),
        Value::Number(number) if number.as_f64() == Some(0.0) => Some(false),
        Value::Number(number) if number.as_f64() == Some(1.0) => Some(true),
        _ => None,
    }
}

/// Coerces a value to a string.
pub fn text(value: &Value) -> Option<String> {
    match only(value) {
        Value::String(text) => Some(text.clone()),
        Value::Number(number) => Some(number_text(number)),
        Value::Bool(flag) => Some(flag.to_string()),
        Value::Null => Some(String::new()),
        Value::Array(_) | Value::Object(_) => None,
    }
}

/// Unwraps an array of one element.
fn only(value: &Value) -> &Value {
    match value {
        Value::Array(values) if values.len() == 1 => &values[0],
        value => value,
    }
}

/// The number as JavaScript writes it: a whole number has no fraction.
fn number_text(number: &Number) -> String {
    match number.as_f64() {
        Some(float) if number.is_f64() && float.fract() == 0.0 && float.abs() < 1e21 => {
            format!("{float:.0}")
        }
        _ => number.to_string(),
    }
}

/// Parses a number as JavaScript does, except that the empty string is no number.
fn text_as_number(text: &str) -> Option<f64> {
    let text = text.trim();
    let digits = |radix| {
        let digits = text.get(2..)?;
        digits.starts_with(|digit: char| digit.is_digit(radix)).then_some(digits)?;
        u64::from_str_radix(digits, radix).ok().map(|number| number as f64)
    };
    match text.as_bytes() {
        [b'0', b'x' | b'X', ..] => digits(16),
        [b'0', b'o' | b'O', ..] => digits(8),
        [b'0', b'b' | b'B', ..] => digits(2),
        // Rust would also parse `inf` and `nan`.
        bytes if bytes.iter().all(|byte| b"+-.eE0123456789".contains(byte)) => text.parse().ok(),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn values_count_as_the_number_they_say() {
        for (value, counted) in [
            (json!(60), Some(60)),
            (json!(60.0), Some(60)),
            (json!("60"), Some(60)),
            (json!(" 6e1 "), Some(60)),
            (json!("0x3c"), Some(60)),
            (json!(["60"]), Some(60)),
            (json!(true), Some(1)),
            (json!(null), Some(0)),
            (json!("-1"), Some(-1)),
            (json!(i64::MAX), Some(i64::MAX)),
            (json!(1e300), None),
            (json!(u64::MAX), None),
            (json!("1e999"), None),
            (json!(1.5), None),
            (json!("1.5"), None),
            (json!(""), None),
            (json!("sixty"), None),
            (json!("NaN"), None),
            (json!([]), None),
            (json!([1, 2]), None),
            (json!({}), None),
        ] {
            assert_eq!(integer(&value), counted, "{value}");
        }
    }

    #[test]
    fn values_count_as_yes_or_no() {
        for (value, counted) in [
            (json!("true"), Some(true)),
            (json!("false"), Some(false)),
            (json!(1), Some(true)),
            (json!(0.0), Some(false)),
            (json!(null), Some(false)),
            (json!([true]), Some(true)),
            (json!("TRUE"), None),
            (json!("1"), None),
            (json!(2), None),
            (json!({}), None),
        ] {
            assert_eq!(boolean(&value), counted, "{value}");
        }
    }

    #[test]
    fn values_count_as_the_text_that_writes_them() {
        for (value, counted) in [
            (json!("a"), Some("a")),
            (json!(12345), Some("12345")),
            (json!(1.5), Some("1.5")),
            (json!(2.0), Some("2")),
            (json!(true), Some("true")),
            (json!(null), Some("")),
            (json!(["a"]), Some("a")),
            (json!(["a", "b"]), None),
            (json!({"a": 1}), None),
        ] {
            assert_eq!(text(&value).as_deref(), counted, "{value}");
        }
    }
}
