//! Converts PostgreSQL's texts into the JSON that postgres-meta makes of them: numbers that JSON
//! can hold are numbers, arrays are arrays, and everything without a JSON form stays a text.

use serde_json::{Number, Value};

use crate::SessionColumn;

/// The largest integer that every JSON parser keeps exactly.
const SAFE: u64 = (1 << 53) - 1;
/// The most levels of an array; PostgreSQL allows fewer.
const DEEPEST: usize = 8;

/// How a value of a type is written in JSON.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Kind {
    Text,
    Boolean,
    Whole,
    Float,
    Json,
    /// An array of the kind.
    Array(Scalar),
}

/// The kinds of an array's elements.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Scalar {
    Text,
    Boolean,
    Whole,
    Float,
    Json,
}

/// The columns' names with the kinds of their types.
pub(super) fn columns(described: Vec<SessionColumn>) -> Vec<(String, Kind)> {
    described.into_iter().map(|column| (column.name, Kind::of(column.type_oid))).collect()
}

impl Kind {
    /// The kind for a type's oid (`pg_type.dat`).
    fn of(oid: u32) -> Self {
        match oid {
            16 => Self::Boolean,
            20 | 21 | 23 | 26 => Self::Whole,
            700 | 701 => Self::Float,
            114 | 3802 => Self::Json,
            1000 => Self::Array(Scalar::Boolean),
            1005 | 1007 | 1016 | 1028 => Self::Array(Scalar::Whole),
            1021 | 1022 => Self::Array(Scalar::Float),
            199 | 3807 => Self::Array(Scalar::Json),
            // text, varchar, bpchar, name, numeric, uuid, date, timestamp, timestamptz, regtype.
            1009 | 1015 | 1014 | 1003 | 1231 | 2951 | 1182 | 1115 | 1185 | 2211 => {
                Self::Array(Scalar::Text)
            }
            _ => Self::Text,
        }
    }

    /// The kind for a client that edits values: an array stays the text that PostgreSQL can read
    /// back.
    pub(super) fn editable(oid: u32) -> Self {
        match Self::of(oid) {
            Self::Array(_) => Self::Text,
            other => other,
        }
    }

    pub(super) fn json(self, text: &str) -> Value {
        match self {
            Self::Text => Value::from(text),
            Self::Boolean => Value::from(text == "t"),
            Self::Whole => integer(text),
            Self::Float => float(text),
            Self::Json => serde_json::from_str(text).unwrap_or_else(|_| Value::from(text)),
            Self::Array(scalar) => array(text, scalar).unwrap_or_else(|| Value::from(text)),
        }
    }
}

impl From<Scalar> for Kind {
    fn from(scalar: Scalar) -> Self {
        match scalar {
            Scalar::Text => Self::Text,
            Scalar::Boolean => Self::Boolean,
            Scalar::Whole => Self::Whole,
            Scalar::Float => Self::Float,
            Scalar::Json => Self::Json,
        }
    }
}

fn integer(text: &str) -> Value {
    match text.parse::<i64>() {
        Ok(number) if number.unsigned_abs() <= SAFE => Value::from(number),
        _ => Value::from(text),
    }
}

fn float(text: &str) -> Value {
    let number = text.parse().ok().and_then(Number::from_f64);
    number.map_or_else(|| Value::from(text), Value::Number)
}

/// Parses an array in PostgreSQL's text form (Arrays, Array Input and Output Syntax); `None` if the
/// text is not one.
fn array(text: &str, scalar: Scalar) -> Option<Value> {
    // Bounds other than the default precede the array: `[0:1]={a,b}`.
    let body = match text.starts_with('[') {
        true => text.split_once("]=").map(|(_, body)| body)?,
        false => text,
    };
    let mut at = body.chars().peekable();
    let value = elements(&mut at, scalar, 0)?;
    at.next().is_none().then_some(value)
}

type Characters<'a> = std::iter::Peekable<std::str::Chars<'a>>;

fn elements(at: &mut Characters<'_>, scalar: Scalar, depth: usize) -> Option<Value> {
    let mut list = Vec::new();
    if at.next()? != '{' || depth > DEEPEST {
        return None;
    }
    if at.peek() == Some(&'}') {
        at.next();
        return Some(Value::Array(list));
    }
    loop {
        list.push(match at.peek()? {
            '{' => elements(at, scalar, depth + 1)?,
            '"' => Kind::from(scalar).json(&quoted(at)?),
            _ => plain(at, scalar),
        });
        match at.next()? {
            ',' => {}
            '}' => return Some(Value::Array(list)),
            _ => return None,
        }
    }
}

fn quoted(at: &mut Characters<'_>) -> Option<String> {
    at.next();
    let mut text = String::new();
    loop {
        match at.next()? {
            '"' => return Some(text),
            '\\' => text.push(at.next()?),
            other => text.push(other),
        }
    }
}

fn plain(at: &mut Characters<'_>, scalar: Scalar) -> Value {
    let mut text = String::new();
    while let Some(next) = at.next_if(|next| !matches!(next, ',' | '}' | '{' | '"')) {
        text.push(next);
    }
    match &*text {
        "NULL" => Value::Null,
        _ => Kind::from(scalar).json(&text),
    }
}

#[cfg(test)]
mod tests {
    use compat_testkit::property_test;
    use proptest::prelude::*;
    use serde_json::json;

    use super::*;

    #[test]
    fn values_keep_what_json_can_hold() {
        for (oid, text, expected) in [
            (16, "t", json!(true)),
            (23, "-7", json!(-7)),
            (20, "9007199254740993", json!("9007199254740993")),
            (701, "1.5", json!(1.5)),
            (701, "NaN", json!("NaN")),
            (1700, "1.10", json!("1.10")),
            (3802, r#"{"a": [1]}"#, json!({"a": [1]})),
            (1184, "2026-01-01 00:00:00+00", json!("2026-01-01 00:00:00+00")),
            (1007, "{1,NULL,3}", json!([1, null, 3])),
            (1009, r#"{a,"b,\"c","NULL",{}}"#, json!(["a", "b,\"c", "NULL", []])),
            (1007, "[0:1]={{1},{2}}", json!([[1], [2]])),
            (1009, "{}", json!([])),
            (3807, r#"{"{\"a\": 1}"}"#, json!([{"a": 1}])),
            (1009, "{a", json!("{a")),
        ] {
            assert_eq!(Kind::of(oid).json(text), expected, "{text}");
        }
    }

    #[test]
    fn random_texts_have_a_value_of_any_type() {
        let oids = proptest::sample::select(vec![16_u32, 20, 701, 114, 1007, 1009, 3807, 25]);
        let texts = prop_oneof![any::<String>(), r#"[\[\]{}",\\NUL0-9=:a]{0,24}"#];
        property_test("values", (oids, texts), |(oid, text)| {
            let _ = Kind::of(oid).json(&text);
        });
    }
}
