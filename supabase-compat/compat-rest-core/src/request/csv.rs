//! CSV bodies: a header line, then rows; an unquoted `NULL` is null.

use serde_json::{Map, Value};

/// One field as read: its text, and whether it stood in quotes.
type CsvField = (String, bool);

/// A document: the names of its header, and its rows as JSON objects.
#[derive(Debug, PartialEq, Eq)]
pub struct CsvRows {
    pub header: Vec<String>,
    pub rows: Vec<Value>,
}

/// A line has more or fewer fields than the header, or there is no header.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct CsvFault;

/// Reads a document.
pub fn read(text: &str) -> Result<CsvRows, CsvFault> {
    let mut records = records(text.strip_prefix('\u{feff}').unwrap_or(text)).into_iter();
    let header = records.next().ok_or(CsvFault)?;
    let header: Vec<String> = header.into_iter().map(|(name, _)| name).collect();
    let mut rows = Vec::new();
    for record in records {
        if record.len() != header.len() {
            return Err(CsvFault);
        }
        rows.push(row(&header, record));
    }
    Ok(CsvRows { header, rows })
}

fn row(header: &[String], record: Vec<CsvField>) -> Value {
    let fields = header.iter().zip(record).map(|(name, (text, quoted))| {
        let value = if text == "NULL" && !quoted { Value::Null } else { Value::String(text) };
        (name.clone(), value)
    });
    Value::Object(fields.collect::<Map<_, _>>())
}

fn records(text: &str) -> Vec<Vec<CsvField>> {
    let mut records = Vec::new();
    let mut record: Vec<CsvField> = Vec::new();
    let mut chars = text.chars().peekable();
    let mut field: CsvField = (String::new(), false);
    let mut inside = false;
    while let Some(c) = chars.next() {
        match c {
            '"' if inside && chars.peek() == Some(&'"') => {
                chars.next();
                field.0.push('"');
            }
            '"' if inside => inside = false,
            '"' if field.0.is_empty() => (inside, field.1) = (true, true),
            ',' if !inside => record.push(std::mem::take(&mut field)),
            '\r' if !inside && chars.peek() == Some(&'\n') => {}
            '\n' if !inside => {
                record.push(std::mem::take(&mut field));
                records.push(std::mem::take(&mut record));
            }
            other => field.0.push(other),
        }
    }
    // The last line may lack its line break (RFC 4180, section 2.2).
    if !record.is_empty() || !field.0.is_empty() || field.1 {
        record.push(field);
        records.push(record);
    }
    records
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn quotes_nulls_and_line_ends_are_understood() {
        let found = read("a,b\r\n1,\"x \"\"y\"\", z\"\r\nNULL,\"NULL\"\r\n").unwrap();
        assert_eq!(found.header, ["a", "b"]);
        let rows = Value::Array(found.rows).to_string();
        assert_eq!(rows, r#"[{"a":"1","b":"x \"y\", z"},{"a":null,"b":"NULL"}]"#);
    }

    #[test]
    fn a_short_line_is_refused() {
        assert_eq!(read("a,b\n1"), Err(CsvFault));
    }
}
