//! Values of the stream: PostgreSQL's texts, converted to JSON as by `to_jsonb`, and compared as by
//! PostgreSQL. No I/O.

use std::cmp::Ordering;
use std::fmt::Write as _;

/// The kind of a value, as far as JSON and comparisons need it.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub(crate) enum ValueKind {
    Boolean,
    Integer,
    Float,
    Numeric,
    /// `text` and `varchar`.
    Text,
    Uuid,
    Date,
    Timestamp,
    TimestampTz,
    Json,
    Enum,
    Array(Box<ValueKind>),
    /// The names and kinds of the attributes.
    Composite(Box<[(String, ValueKind)]>),
    /// Any other type: sent as text, which only PostgreSQL can compare.
    Other,
}

impl ValueKind {
    /// The kind of a type that is not a domain, array or composite, by its oid and its category in
    /// `pg_type`.
    pub fn of(oid: u32, category: u8) -> Self {
        match (oid, category) {
            (16, ..) => Self::Boolean,
            (20 | 21 | 23, ..) => Self::Integer,
            (700 | 701, ..) => Self::Float,
            (1700, ..) => Self::Numeric,
            (25 | 1043, ..) => Self::Text,
            (2950, ..) => Self::Uuid,
            (1082, ..) => Self::Date,
            (1114, ..) => Self::Timestamp,
            (1184, ..) => Self::TimestampTz,
            (114 | 3802, ..) => Self::Json,
            (_, b'E') => Self::Enum,
            _ => Self::Other,
        }
    }

    /// Writes a value as JSON.
    pub fn write_json(&self, text: &str, out: &mut String) {
        match self {
            Self::Boolean => out.push_str(if text == "t" { "true" } else { "false" }),
            Self::Integer | Self::Numeric | Self::Float if is_finite(text) => out.push_str(text),
            Self::Json => out.push_str(text),
            Self::Timestamp | Self::TimestampTz => write_text(&iso(text), out),
            Self::Array(element) => match array(text) {
                Some(items) => write_items(&items, element, out),
                None => write_text(text, out),
            },
            Self::Composite(attributes) => match record(text, attributes.len()) {
                Some(fields) => write_record(&fields, attributes, out),
                None => write_text(text, out),
            },
            _ => write_text(text, out),
        }
    }

    /// The order of two values of the kind; `None` if only PostgreSQL can tell.
    pub fn compare(&self, one: &str, other: &str) -> Option<Ordering> {
        match self {
            Self::Boolean | Self::Uuid => Some(one.cmp(other)),
            Self::Integer => Some(one.parse::<i64>().ok()?.cmp(&other.parse().ok()?)),
            Self::Float => Some(floats(one.parse().ok()?, other.parse().ok()?)),
            Self::Numeric => Some(numerics(one, other)),
            // As long as years have four digits, the order of the texts is the order of times.
            Self::Date | Self::Timestamp | Self::TimestampTz
                if is_plain(one) && is_plain(other) =>
            {
                Some(one.cmp(other))
            }
            Self::Text | Self::Enum if one == other => Some(Ordering::Equal),
            _ => None,
        }
    }

    /// Whether two values are equal; `None` if only PostgreSQL can tell.
    pub fn equal(&self, one: &str, other: &str) -> Option<bool> {
        match self {
            Self::Text | Self::Enum => Some(one == other),
            _ => self.compare(one, other).map(Ordering::is_eq),
        }
    }
}

/// Whether a number is valid in JSON, which has no `NaN` and no `Infinity`.
fn is_finite(text: &str) -> bool {
    text.bytes().next_back().is_some_and(|last| last.is_ascii_digit())
}

/// Whether the text begins with a date whose year has four digits and is not BC.
fn is_plain(text: &str) -> bool {
    let bytes = text.as_bytes();
    bytes.len() >= 10
        && bytes[..4].iter().all(u8::is_ascii_digit)
        && bytes[4] == b'-'
        && !text.ends_with("BC")
}

/// A time as ISO 8601 writes it: `2024-01-02 03:04:05.6+00` is `2024-01-02T03:04:05.6+00:00`.
fn iso(text: &str) -> String {
    let mut time = text.replacen(' ', "T", 1);
    let zone = time.rfind(['+', '-']).filter(|at| time.find('T').is_some_and(|begin| *at > begin));
    if let Some(at) = zone
        && time.len() - at == 3
    {
        time.push_str(":00");
    }
    time
}

fn floats(one: f64, other: f64) -> Ordering {
    // To PostgreSQL all NaNs are equal, and greater than all numbers.
    one.partial_cmp(&other).unwrap_or_else(|| one.is_nan().cmp(&other.is_nan()))
}

fn numerics(one: &str, other: &str) -> Ordering {
    let rank = |text: &str| match text {
        "NaN" => 3,
        "Infinity" => 2,
        "-Infinity" => 0,
        _ => 1,
    };
    let ranks = rank(one).cmp(&rank(other));
    if ranks.is_ne() || rank(one) != 1 {
        return ranks;
    }
    let (is_below, magnitude) = decimal(one);
    let (is_other_below, other) = decimal(other);
    let magnitudes = magnitude.cmp(&other);
    match (is_below, is_other_below) {
        (true, true) => magnitudes.reverse(),
        (false, false) => magnitudes,
        (true, false) => Ordering::Less,
        (false, true) => Ordering::Greater,
    }
}

/// Whether the number is negative, and its magnitude as a tuple that compares like the number: the
/// count of digits before the point, these digits, and the digits after it.
fn decimal(text: &str) -> (bool, (usize, &str, &str)) {
    let (is_below, digits) = match text.strip_prefix('-') {
        Some(rest) => (true, rest),
        None => (false, text),
    };
    let (integer, part) = digits.split_once('.').unwrap_or((digits, ""));
    let (integer, part) = (integer.trim_start_matches('0'), part.trim_end_matches('0'));
    (is_below && !(integer.is_empty() && part.is_empty()), (integer.len(), integer, part))
}

/// Writes a JSON string.
pub(crate) fn write_text(text: &str, out: &mut String) {
    out.push('"');
    for character in text.chars() {
        match character {
            '"' => out.push_str("\\\""),
            '\\' => out.push_str("\\\\"),
            '\n' => out.push_str("\\n"),
            '\r' => out.push_str("\\r"),
            '\t' => out.push_str("\\t"),
            control if (control as u32) < 0x20 => {
                let _ = write!(out, "\\u{:04x}", control as u32);
            }
            other => out.push(other),
        }
    }
    out.push('"');
}

/// An item of an array.
#[derive(Debug, PartialEq, Eq)]
enum Item {
    Null,
    Value(String),
    Items(Vec<Item>),
}

/// The most dimensions of an array (`MAXDIM`).
const DEEPEST: usize = 6;

fn write_items(items: &[Item], element: &ValueKind, out: &mut String) {
    out.push('[');
    for (index, item) in items.iter().enumerate() {
        if index > 0 {
            out.push(',');
        }
        match item {
            Item::Null => out.push_str("null"),
            Item::Value(text) => element.write_json(text, out),
            Item::Items(items) => write_items(items, element, out),
        }
    }
    out.push(']');
}

fn write_record(fields: &[Option<String>], attributes: &[(String, ValueKind)], out: &mut String) {
    out.push('{');
    for (index, (field, (name, kind))) in fields.iter().zip(attributes).enumerate() {
        if index > 0 {
            out.push(',');
        }
        write_text(name, out);
        out.push(':');
        match field {
            Some(text) => kind.write_json(text, out),
            None => out.push_str("null"),
        }
    }
    out.push('}');
}

/// The fields of a composite value's text, `(1,"a, ""b""",)`; `None` if there are not `count` of
/// them.
fn record(text: &str, count: usize) -> Option<Vec<Option<String>>> {
    let inner = text.strip_prefix('(')?.strip_suffix(')')?;
    if count == 0 {
        return inner.is_empty().then(Vec::new);
    }
    let mut fields: Vec<Option<String>> = vec![None];
    let (mut characters, mut is_quoted) = (inner.chars().peekable(), false);
    while let Some(character) = characters.next() {
        if character == ',' && !is_quoted {
            fields.push(None);
            continue;
        }
        // A quoted field is an empty text, not null.
        let field = fields.last_mut()?.get_or_insert_with(String::new);
        match character {
            '"' if is_quoted && characters.next_if_eq(&'"').is_some() => field.push('"'),
            '"' => is_quoted = !is_quoted,
            '\\' => field.push(characters.next()?),
            other => field.push(other),
        }
    }
    (!is_quoted && fields.len() == count).then_some(fields)
}

/// Parses the text of an array, `{1,NULL,"a b"}`, which may follow its bounds, `[0:1]={…}`.
fn array(text: &str) -> Option<Vec<Item>> {
    let text = if text.starts_with('[') { text.split_once('=')?.1 } else { text };
    let mut reader = ArrayReader { rest: text };
    let items = reader.items(0)?;
    reader.rest.is_empty().then_some(items)
}

struct ArrayReader<'a> {
    rest: &'a str,
}

impl ArrayReader<'_> {
    fn take(&mut self, character: char) -> bool {
        match self.rest.strip_prefix(character) {
            Some(rest) => {
                self.rest = rest;
                true
            }
            None => false,
        }
    }

    fn items(&mut self, depth: usize) -> Option<Vec<Item>> {
        if depth == DEEPEST || !self.take('{') {
            return None;
        }
        let mut items = Vec::new();
        if self.take('}') {
            return Some(items);
        }
        loop {
            items.push(match self.rest.chars().next()? {
                '{' => Item::Items(self.items(depth + 1)?),
                '"' => Item::Value(self.quoted()?),
                _ => self.plain()?,
            });
            if self.take('}') {
                return Some(items);
            }
            // Arrays of `box` are separated by semicolons; their items have commas and quotes.
            if !self.take(',') && !self.take(';') {
                return None;
            }
        }
    }

    fn quoted(&mut self) -> Option<String> {
        self.take('"');
        let mut value = String::new();
        let mut characters = self.rest.chars();
        loop {
            match characters.next()? {
                '"' => break,
                '\\' => value.push(characters.next()?),
                other => value.push(other),
            }
        }
        self.rest = characters.as_str();
        Some(value)
    }

    fn plain(&mut self) -> Option<Item> {
        let end = self.rest.find([',', '}', '{', '"'])?;
        let (value, rest) = self.rest.split_at(end);
        self.rest = rest;
        match value {
            "" => None,
            "NULL" => Some(Item::Null),
            value => Some(Item::Value(value.to_owned())),
        }
    }
}

#[cfg(test)]
mod tests {
    use compat_testkit::property_test;
    use proptest::prelude::*;

    use super::*;
    use crate::store::array_literal;

    fn json(kind: &ValueKind, text: &str) -> String {
        let mut out = String::new();
        kind.write_json(text, &mut out);
        out
    }

    #[test]
    fn values_become_json_by_their_kind() {
        for (kind, text, expected) in [
            (ValueKind::Boolean, "t", "true"),
            (ValueKind::Integer, "-9007199254740993", "-9007199254740993"),
            (ValueKind::Numeric, "1.50", "1.50"),
            (ValueKind::Numeric, "NaN", "\"NaN\""),
            (ValueKind::Float, "1e+20", "1e+20"),
            (ValueKind::Float, "-Infinity", "\"-Infinity\""),
            (ValueKind::Json, "{\"a\": 1}", "{\"a\": 1}"),
            (ValueKind::Text, "a\"b\u{1}\n", "\"a\\\"b\\u0001\\n\""),
            (ValueKind::Timestamp, "2024-01-02 03:04:05", "\"2024-01-02T03:04:05\""),
            (
                ValueKind::TimestampTz,
                "2024-01-02 03:04:05.678+00",
                "\"2024-01-02T03:04:05.678+00:00\"",
            ),
            (ValueKind::TimestampTz, "infinity", "\"infinity\""),
            (ValueKind::Date, "2024-01-02", "\"2024-01-02\""),
        ] {
            assert_eq!(json(&kind, text), expected);
        }
    }

    #[test]
    fn arrays_become_arrays_of_their_elements() {
        let integers = ValueKind::Array(Box::new(ValueKind::Integer));
        assert_eq!(json(&integers, "{}"), "[]");
        assert_eq!(json(&integers, "{{1,NULL},{3,4}}"), "[[1,null],[3,4]]");
        assert_eq!(json(&integers, "[0:1]={1,2}"), "[1,2]");
        let texts = ValueKind::Array(Box::new(ValueKind::Text));
        assert_eq!(json(&texts, r#"{a,"b c","d\"e","NULL"}"#), r#"["a","b c","d\"e","NULL"]"#);
        assert_eq!(json(&texts, "{a"), "\"{a\"");
    }

    #[test]
    fn composite_values_become_json_objects() {
        let attribute = |name: &str, kind: ValueKind| (name.to_owned(), kind);
        let point = ValueKind::Composite(
            [attribute("x", ValueKind::Integer), attribute("note", ValueKind::Text)].into(),
        );
        for (text, expected) in [
            ("(1,a)", r#"{"x":1,"note":"a"}"#),
            (r#"(,"")"#, r#"{"x":null,"note":""}"#),
            (r#"(-2,"a, ""b"" \\ (c)")"#, r#"{"x":-2,"note":"a, \"b\" \\ (c)"}"#),
            ("(1)", r#""(1)""#),
        ] {
            assert_eq!(json(&point, text), expected);
        }
        let nested = ValueKind::Composite([attribute("p", point.clone())].into());
        assert_eq!(json(&nested, r#"("(1,""a b"")")"#), r#"{"p":{"x":1,"note":"a b"}}"#);
        let points = ValueKind::Array(Box::new(point));
        assert_eq!(json(&points, r#"{"(1,a)",NULL}"#), r#"[{"x":1,"note":"a"},null]"#);
        assert_eq!(json(&ValueKind::Composite([].into()), "()"), "{}");
    }

    #[test]
    fn random_text_never_panics_as_a_record() {
        property_test("texts of records", r#"\(?[()",;a\\]{0,30}\)?"#, |text| {
            let _ = record(&text, 3);
        });
    }

    #[test]
    fn numbers_and_times_compare_as_in_the_database() {
        let numeric = |one, other| ValueKind::Numeric.compare(one, other).unwrap();
        assert_eq!(numeric("1.0", "1.00"), Ordering::Equal);
        assert_eq!(numeric("-2", "1"), Ordering::Less);
        assert_eq!(numeric("10", "9.99"), Ordering::Greater);
        assert_eq!(numeric("-10", "-9.99"), Ordering::Less);
        assert_eq!(numeric("-0", "0"), Ordering::Equal);
        assert_eq!(numeric("NaN", "Infinity"), Ordering::Greater);
        let time = |one, other| ValueKind::Timestamp.compare(one, other);
        let (early, late) = ("2024-01-01 00:00:00", "2024-01-01 00:00:00.5");
        assert_eq!(time(early, late), Some(Ordering::Less));
        assert_eq!(time(early, "0044-03-15 00:00:00 BC"), None);
        assert_eq!(ValueKind::Text.compare("a", "b"), None);
        assert_eq!(ValueKind::Float.compare("NaN", "1"), Some(Ordering::Greater));
    }

    #[test]
    fn random_numbers_compare_like_integers() {
        property_test("numbers", (any::<i64>(), any::<i64>(), 0usize..4), |(one, other, zeros)| {
            let pad = |number: i64| match zeros {
                0 => number.to_string(),
                zeros => format!("{number}.{}", "0".repeat(zeros)),
            };
            let compared = ValueKind::Numeric.compare(&pad(one), &other.to_string());
            assert_eq!(compared, Some(one.cmp(&other)));
        });
    }

    #[test]
    fn random_texts_pass_through_arrays() {
        property_test("arrays", prop::collection::vec(".{0,10}", 0..5), |items| {
            let literal = array_literal(items.iter().map(String::as_str));
            let kind = ValueKind::Array(Box::new(ValueKind::Text));
            let read: Vec<String> = serde_json::from_str(&json(&kind, &literal)).unwrap();
            assert_eq!(read, items);
        });
    }

    #[test]
    fn random_text_never_panics_as_an_array() {
        property_test("texts of arrays", r#"[{}",;a\[\]:=NUL\\]{0,30}"#, |text| {
            let _ = array(&text);
        });
    }
}
