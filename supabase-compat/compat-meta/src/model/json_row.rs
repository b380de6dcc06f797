//! Encodes rows as JSON, with the types of node-postgres: small numbers are numbers; dates,
//! decimals and large integers are texts; bytes have the form of a Node `Buffer`.

use compat_pg::{SessionColumn, SessionRow};

use super::array::{Element, Elements};
use super::interval;

/// The largest integer that a JavaScript number represents exactly.
const MAX_SAFE_INTEGER: u64 = 9_007_199_254_740_991;

/// The size limit does not allow another row.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct RowWriterFull {
    /// The size in bytes with the row that exceeded the limit.
    pub size: usize,
}

/// Writes the rows of one statement as an array of objects.
pub(crate) struct RowWriter {
    out: Vec<u8>,
    columns: Vec<Column>,
    limit: usize,
}

struct Column {
    /// `"name":` as JSON; none if a later column has the same name, because the last one takes
    /// effect.
    key: Option<Vec<u8>>,
    kind: Kind,
}

/// How a value's text form is converted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Kind {
    Text,
    Boolean,
    Integer,
    Bigint,
    Float,
    Json,
    Bytes,
    Circle,
    Interval,
    Array(&'static Self),
}

impl Kind {
    /// The kind of a type's oid (PostgreSQL's `pg_type.dat`); values of other types stay texts.
    fn of(type_oid: u32) -> Self {
        match type_oid {
            16 => Self::Boolean,
            17 => Self::Bytes,
            20 => Self::Bigint,
            21 | 23 | 26 => Self::Integer,
            114 | 3802 => Self::Json,
            700 | 701 => Self::Float,
            718 => Self::Circle,
            199 | 3807 => Self::Array(&Self::Json),
            1000 => Self::Array(&Self::Boolean),
            1001 => Self::Array(&Self::Bytes),
            1005 | 1007 | 1028 => Self::Array(&Self::Integer),
            1021 | 1022 | 1231 => Self::Array(&Self::Float),
            651 | 791 | 1008 | 1009 | 1014 | 1015 | 1016 | 1040 | 1041 | 1115 | 1182 | 1183
            | 1185 | 1270 | 2951 | 3907 => Self::Array(&Self::Text),
            1187 => Self::Array(&Self::Interval),
            _ => Self::Text,
        }
    }
}

impl RowWriter {
    /// A writer for rows of these columns, with a limit in bytes.
    pub fn new(columns: &[SessionColumn], limit: usize) -> Self {
        let later = |index: usize| columns[index + 1..].iter();
        let columns = columns.iter().enumerate().map(|(index, column)| {
            let counts = later(index).all(|other| other.name != column.name);
            let key = counts.then(|| {
                let mut key = Vec::new();
                write_text(&mut key, &column.name);
                key.push(b':');
                key
            });
            Column { key, kind: Kind::of(column.type_oid) }
        });
        Self { out: Vec::new(), columns: columns.collect(), limit }
    }

    /// Whether no row was written.
    pub fn is_empty(&self) -> bool {
        self.out.is_empty()
    }

    /// Adds a row.
    pub fn write(&mut self, row: &SessionRow) -> Result<(), RowWriterFull> {
        self.out.push(if self.out.is_empty() { b'[' } else { b',' });
        self.out.push(b'{');
        let mut is_first = true;
        for (column, value) in self.columns.iter().zip(row.values()) {
            let Some(key) = &column.key else { continue };
            if !std::mem::take(&mut is_first) {
                self.out.push(b',');
            }
            self.out.extend_from_slice(key);
            match value {
                Some(value) => {
                    write_value(&mut self.out, column.kind, &String::from_utf8_lossy(value))
                }
                None => self.out.extend_from_slice(b"null"),
            }
            if self.out.len() > self.limit {
                return Err(RowWriterFull { size: self.out.len() });
            }
        }
        self.out.push(b'}');
        match self.out.len() > self.limit {
            true => Err(RowWriterFull { size: self.out.len() }),
            false => Ok(()),
        }
    }

    /// Ends the array and returns it.
    pub fn finish(mut self) -> Vec<u8> {
        if self.out.is_empty() {
            self.out.push(b'[');
        }
        self.out.push(b']');
        self.out
    }
}

fn write_value(out: &mut Vec<u8>, kind: Kind, text: &str) {
    match kind {
        Kind::Text => write_text(out, text),
        Kind::Boolean => {
            let is_true = matches!(text, "t" | "true" | "TRUE" | "y" | "yes" | "on" | "1");
            out.extend_from_slice(if is_true { b"true" } else { b"false" });
        }
        Kind::Integer => write_number(out, text),
        Kind::Bigint => match text.trim_start_matches('-').parse::<u64>() {
            Ok(number) if number <= MAX_SAFE_INTEGER => write_number(out, text),
            _ => write_text(out, text),
        },
        Kind::Float => write_number(out, text),
        Kind::Json => write_json(out, text),
        Kind::Bytes => write_bytes(out, text),
        Kind::Circle => write_circle(out, text),
        Kind::Interval => interval::write(out, text),
        Kind::Array(element) => write_array(out, *element, text),
    }
}

fn write_text(out: &mut Vec<u8>, text: &str) {
    // A text can always be serialised, and writing to a vector cannot fail.
    let _ = serde_json::to_writer(out, text);
}

/// Writes a number; a value that JSON cannot represent, such as `NaN`, becomes null, as in
/// `JSON.stringify`.
fn write_number(out: &mut Vec<u8>, text: &str) {
    let digits = text.strip_prefix('-').unwrap_or(text);
    let is_number = digits.starts_with(|one: char| one.is_ascii_digit());
    out.extend_from_slice(if is_number { text.as_bytes() } else { b"null" });
}

/// Writes JSON that the server has validated. If invalid UTF-8 was replaced in it, it may no longer
/// be valid, and is then written as a text.
fn write_json(out: &mut Vec<u8>, text: &str) {
    let is_changed = text.contains(char::REPLACEMENT_CHARACTER);
    if is_changed && serde_json::from_str::<serde_json::Value>(text).is_err() {
        return write_text(out, text);
    }
    out.extend_from_slice(text.as_bytes());
}

/// Writes `{"type":"Buffer","data":[…]}`, from either format of `bytea_output`.
fn write_bytes(out: &mut Vec<u8>, text: &str) {
    out.extend_from_slice(br#"{"type":"Buffer","data":["#);
    let mut separator: &[u8] = b"";
    let mut write = |byte: u8| {
        out.extend_from_slice(separator);
        out.extend_from_slice(byte.to_string().as_bytes());
        separator = b",";
    };
    match text.strip_prefix("\\x") {
        Some(hex) => {
            for pair in hex.as_bytes().chunks_exact(2) {
                let digit = |one: u8| char::from(one).to_digit(16).unwrap_or_default();
                let byte = digit(pair[0]) * 16 + digit(pair[1]);
                write(u8::try_from(byte).unwrap_or_default());
            }
        }
        None => escaped_bytes(text.as_bytes()).for_each(&mut write),
    }
    out.extend_from_slice(b"]}");
}

/// Bytes in the format `escape`: a backslash precedes three octal digits or another backslash.
fn escaped_bytes(mut rest: &[u8]) -> impl Iterator<Item = u8> + '_ {
    std::iter::from_fn(move || {
        let (byte, length) = match rest {
            [] => return None,
            [b'\\', b'\\', ..] => (b'\\', 2),
            [b'\\', a @ b'0'..=b'3', b @ b'0'..=b'7', c @ b'0'..=b'7', ..] => {
                ((a - b'0') * 64 + (b - b'0') * 8 + (c - b'0'), 4)
            }
            [one, ..] => (*one, 1),
        };
        rest = &rest[length..];
        Some(byte)
    })
}

/// `<(x,y),radius>`.
fn write_circle(out: &mut Vec<u8>, text: &str) {
    let inner = text.trim_start_matches("<(").trim_end_matches('>');
    let mut parts = inner.split([',', ')']).filter(|part| !part.is_empty());
    for name in [r#"{"x":"#, r#","y":"#, r#","radius":"#] {
        out.extend_from_slice(name.as_bytes());
        write_number(out, parts.next().unwrap_or_default());
    }
    out.push(b'}');
}

fn write_array(out: &mut Vec<u8>, element: Kind, text: &str) {
    let mut is_first = true;
    for part in Elements::new(text) {
        let (separates, is_end) = (!is_first, part == Element::End);
        if separates && !is_end {
            out.push(b',');
        }
        is_first = false;
        match part {
            Element::Begin => {
                out.push(b'[');
                is_first = true;
            }
            Element::End => out.push(b']'),
            Element::Null => out.extend_from_slice(b"null"),
            Element::Value(value) => write_value(out, element, &value),
        }
    }
}

#[cfg(test)]
mod tests {
    use serde_json::{Value, json};

    use super::*;

    fn value(type_oid: u32, text: &str) -> Value {
        let mut out = Vec::new();
        write_value(&mut out, Kind::of(type_oid), text);
        serde_json::from_slice(&out).expect("JSON")
    }

    #[test]
    fn values_have_the_types_of_node_postgres() {
        for (type_oid, text, expected) in [
            (23, "-7", json!(-7)),
            (20, "9007199254740991", json!(9_007_199_254_740_991_u64)),
            (20, "9007199254740993", json!("9007199254740993")),
            (20, "-9223372036854775808", json!("-9223372036854775808")),
            (701, "1e+20", json!(1e20)),
            (701, "NaN", json!(null)),
            (701, "-Infinity", json!(null)),
            (1700, "1.50", json!("1.50")),
            (16, "t", json!(true)),
            (16, "f", json!(false)),
            (3802, r#"{"a": [1]}"#, json!({"a": [1]})),
            (17, "\\x00ff", json!({"type": "Buffer", "data": [0, 255]})),
            (17, "a\\000\\\\", json!({"type": "Buffer", "data": [97, 0, 92]})),
            (1184, "2026-01-02 03:04:05+00", json!("2026-01-02 03:04:05+00")),
            (718, "<(1,-2.5),3>", json!({"x": 1, "y": -2.5, "radius": 3})),
            (1007, "{1,NULL,3}", json!([1, null, 3])),
            (1007, "{}", json!([])),
            (1007, "[0:1]={5,6}", json!([5, 6])),
            (1007, "{{1,2},{3,4}}", json!([[1, 2], [3, 4]])),
            (1016, "{1}", json!(["1"])),
            (1231, "{1.5,NaN}", json!([1.5, null])),
            (1009, r#"{a,"b \"c\"","NULL",NULL,""}"#, json!(["a", "b \"c\"", "NULL", null, ""])),
            (3807, r#"{"{\"a\": 1}"}"#, json!([{"a": 1}])),
            (1001, r#"{"\\x01"}"#, json!([{"type": "Buffer", "data": [1]}])),
            (1000, "{t,f}", json!([true, false])),
            (1003, "{a,b}", json!("{a,b}")),
            (600, "(1,2)", json!("(1,2)")),
        ] {
            assert_eq!(value(type_oid, text), expected, "{type_oid} {text}");
        }
    }

    #[test]
    fn random_texts_stay_json() {
        let oids = [16_u32, 17, 20, 23, 701, 718, 1000, 1001, 1007, 1009, 1187, 1231, 25];
        compat_testkit::property_test("values", "\\PC{0,40}", |text: String| {
            for oid in oids {
                let mut out = Vec::new();
                write_value(&mut out, Kind::of(oid), &text);
                std::str::from_utf8(&out).expect("UTF-8");
            }
        });
    }
}
