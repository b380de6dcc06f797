//! The request body: which columns or arguments it names, and the text PostgreSQL will read.
//!
//! JSON is scanned once for its keys and then sent as it came; values are never interpreted here.

use std::collections::BTreeSet;

use serde::de::{Deserialize, Deserializer, IgnoredAny, MapAccess, SeqAccess, Visitor};
use serde_json::Value;

use super::csv::{self, CsvFault, CsvRows};
use super::media::MediaType;
use super::nesting::{self, MAX_BRACKETS};
use super::query::decode_pairs;

/// A body, read as far as planning needs it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Payload {
    /// A JSON object, or an array of objects with one set of keys.
    Json {
        text: String,
        keys: BTreeSet<String>,
        /// True for a single object, false for an array.
        is_object: bool,
    },
    /// A form sent to a function: its arguments by name, in order.
    Form(Vec<(String, String)>),
    /// The single unnamed argument of a function, in PostgreSQL's text form.
    Raw(String),
}

impl Payload {
    /// The part of the body that planning depends on, for a cache key; `None` if planning depends
    /// on the values, too.
    pub fn shape(&self) -> Option<String> {
        match self {
            Self::Json { keys, is_object, .. } => {
                let mut shape = String::from(if *is_object { "{" } else { "[" });
                for key in keys {
                    // Lengths keep any two sets of keys apart.
                    shape.push_str(&format!("{}:{key}", key.len()));
                }
                Some(shape)
            }
            Self::Raw(_) => Some("raw".to_owned()),
            Self::Form(_) => None,
        }
    }

    /// The text of the one parameter a body is bound to.
    pub fn text(&self) -> &str {
        match self {
            Self::Json { text, .. } | Self::Raw(text) => text,
            Self::Form(_) => "",
        }
    }
}

/// Why a body cannot be used.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum PayloadFault {
    /// Not JSON, or nothing at all.
    InvalidJson,
    /// JSON deeper than [`MAX_BRACKETS`].
    TooDeep,
    /// Objects of an array differ in their keys, or some element is no object.
    KeysDiffer,
    /// A line of CSV has more or fewer fields than the header.
    UnevenLines,
    /// The body is not text in UTF-8.
    NotText,
    /// This Content-Type cannot be read here.
    ContentType(String),
}

/// Reads a body. `columns` holds the names of `columns=`, which replace the keys and their check.
pub fn parse(
    body: &[u8],
    content_type: &MediaType,
    columns: Option<&[String]>,
    is_call: bool,
) -> Result<Payload, PayloadFault> {
    match (content_type, is_call) {
        (MediaType::Json, _) => json(body, columns, is_call),
        (MediaType::Csv, _) => csv_rows(text(body)?),
        (MediaType::UrlEncoded, true) => Ok(Payload::Form(decode_pairs(text(body)?))),
        (MediaType::UrlEncoded, false) => Ok(form_row(text(body)?)),
        (MediaType::PlainText | MediaType::Xml, true) => Ok(Payload::Raw(text(body)?.to_owned())),
        (MediaType::OctetStream, true) => Ok(Payload::Raw(hexadecimal(body))),
        (other, _) => Err(PayloadFault::ContentType(other.essence())),
    }
}

fn text(body: &[u8]) -> Result<&str, PayloadFault> {
    std::str::from_utf8(body).map_err(|_| PayloadFault::NotText)
}

/// `bytea` in its text form.
fn hexadecimal(bytes: &[u8]) -> String {
    let mut text = String::with_capacity(2 + bytes.len() * 2);
    text.push_str("\\x");
    for byte in bytes {
        for digit in [byte >> 4, byte & 15] {
            text.extend(char::from_digit(u32::from(digit), 16));
        }
    }
    text
}

fn json(body: &[u8], columns: Option<&[String]>, is_call: bool) -> Result<Payload, PayloadFault> {
    let text = std::str::from_utf8(body).map_err(|_| PayloadFault::InvalidJson)?;
    if nesting::depth(text) > MAX_BRACKETS {
        return Err(PayloadFault::TooDeep);
    }
    if text.trim().is_empty() && is_call {
        return Ok(Payload::Json { text: "{}".into(), keys: BTreeSet::new(), is_object: true });
    }
    // `columns` names the keys, so nothing is parsed here: PostgreSQL alone reads the body.
    if let Some(columns) = columns {
        let is_object = text.trim_start().starts_with('{');
        return Ok(Payload::Json {
            text: text.to_owned(),
            keys: columns.iter().cloned().collect(),
            is_object,
        });
    }
    match serde_json::from_str::<JsonShape>(text).map_err(|_| PayloadFault::InvalidJson)? {
        JsonShape::Object(keys) => {
            Ok(Payload::Json { text: text.to_owned(), keys, is_object: true })
        }
        JsonShape::Rows(keys) => {
            Ok(Payload::Json { text: text.to_owned(), keys, is_object: false })
        }
        JsonShape::Uneven => Err(PayloadFault::KeysDiffer),
        JsonShape::Nothing => {
            Ok(Payload::Json { text: "[]".into(), keys: BTreeSet::new(), is_object: false })
        }
    }
}

fn csv_rows(text: &str) -> Result<Payload, PayloadFault> {
    let CsvRows { header, rows } = csv::read(text).map_err(|CsvFault| PayloadFault::UnevenLines)?;
    let keys = if rows.is_empty() { BTreeSet::new() } else { header.into_iter().collect() };
    Ok(Payload::Json { text: Value::Array(rows).to_string(), keys, is_object: false })
}

fn form_row(text: &str) -> Payload {
    let row: serde_json::Map<String, Value> =
        decode_pairs(text).into_iter().map(|(k, v)| (k, Value::String(v))).collect();
    let keys = row.keys().cloned().collect();
    Payload::Json { text: Value::Object(row).to_string(), keys, is_object: true }
}

/// The outer structure of a JSON document.
enum JsonShape {
    Object(BTreeSet<String>),
    Rows(BTreeSet<String>),
    Uneven,
    /// A scalar or an empty array: no row.
    Nothing,
}

impl<'de> Deserialize<'de> for JsonShape {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_any(ShapeVisitor)
    }
}

struct ShapeVisitor;

impl<'de> Visitor<'de> for ShapeVisitor {
    type Value = JsonShape;

    fn expecting(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("a JSON document")
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<JsonShape, A::Error> {
        let mut keys = BTreeSet::new();
        while let Some((key, IgnoredAny)) = map.next_entry::<String, IgnoredAny>()? {
            keys.insert(key);
        }
        Ok(JsonShape::Object(keys))
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut seq: A) -> Result<JsonShape, A::Error> {
        let mut first: Option<BTreeSet<String>> = None;
        let mut uneven = false;
        while let Some(element) = seq.next_element::<JsonShape>()? {
            match (element, &first) {
                (JsonShape::Object(keys), None) => first = Some(keys),
                (JsonShape::Object(keys), Some(known)) => uneven |= keys != *known,
                _ => uneven = true,
            }
        }
        Ok(match first {
            _ if uneven => JsonShape::Uneven,
            Some(keys) => JsonShape::Rows(keys),
            None => JsonShape::Nothing,
        })
    }

    fn visit_bool<E>(self, _: bool) -> Result<JsonShape, E> {
        Ok(JsonShape::Nothing)
    }

    fn visit_i64<E>(self, _: i64) -> Result<JsonShape, E> {
        Ok(JsonShape::Nothing)
    }

    fn visit_u64<E>(self, _: u64) -> Result<JsonShape, E> {
        Ok(JsonShape::Nothing)
    }

    fn visit_f64<E>(self, _: f64) -> Result<JsonShape, E> {
        Ok(JsonShape::Nothing)
    }

    fn visit_str<E>(self, _: &str) -> Result<JsonShape, E> {
        Ok(JsonShape::Nothing)
    }

    fn visit_unit<E>(self) -> Result<JsonShape, E> {
        Ok(JsonShape::Nothing)
    }
}
