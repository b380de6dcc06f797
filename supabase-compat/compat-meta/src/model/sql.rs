//! Quotes names and values for SQL statements.

use serde_json::Value;

/// A quoted identifier.
pub(crate) fn identifier(name: &str) -> String {
    format!("\"{}\"", name.replace('"', "\"\""))
}

/// A name in a schema, both quoted.
pub(crate) fn qualified(schema: &str, name: &str) -> String {
    format!("{}.{}", identifier(schema), identifier(name))
}

/// A text as a literal that is valid for either value of `standard_conforming_strings`.
pub(crate) fn literal(text: &str) -> String {
    let quoted = text.replace('\'', "''");
    match quoted.contains('\\') {
        true => format!("E'{}'", quoted.replace('\\', "\\\\")),
        false => format!("'{quoted}'"),
    }
}

/// Texts as literals, separated by commas.
pub(crate) fn list_of_literals<T: AsRef<str>>(texts: &[T]) -> String {
    let literals: Vec<String> = texts.iter().map(|text| literal(text.as_ref())).collect();
    literals.join(", ")
}

/// A JSON value as a literal: an object becomes JSON, an array a list of literals.
pub(crate) fn literal_of(value: &Value) -> String {
    match value {
        Value::Null => "NULL".to_owned(),
        Value::Bool(true) => "'t'".to_owned(),
        Value::Bool(false) => "'f'".to_owned(),
        Value::Number(number) => literal(&number.to_string()),
        Value::String(text) => literal(text),
        Value::Array(values) => {
            let literals: Vec<String> = values.iter().map(literal_of).collect();
            literals.join(",")
        }
        Value::Object(_) => format!("{}::jsonb", literal(&value.to_string())),
    }
}

/// Keywords that must be quoted in the name of a type.
const RESERVED: &str = " all analyse analyze and any array as asc authorization between binary both \
    case cast check collate column constraint create cross current_date current_time current_timestamp \
    current_user default deferrable desc distinct do else end except false for foreign from full grant \
    group having identity ilike in initially inner intersect into is isnull join leading left like limit \
    localtime localtimestamp natural new not notnull null off offset old on only or order overlaps \
    parallel partition placing primary raw references right select session_user similar some system \
    table tag then to top trailing true union unique user using verbose when where with ";

/// A type's name in the original's form: `[]` at the end makes an array, a qualified name is used
/// as it is, and a plain word is not quoted, because `integer` is a keyword rather than a type's
/// name.
pub(crate) fn type_name(name: &str) -> String {
    let is_plain = |name: &str| {
        let first =
            name.chars().next().is_some_and(|first| first.is_ascii_lowercase() || first == '_');
        first
            && name.chars().all(|one| {
                one.is_ascii_lowercase() || one.is_ascii_digit() || matches!(one, '_' | '$')
            })
            && !RESERVED.contains(&format!(" {name} "))
    };
    let quoted = |name: &str| match is_plain(name) {
        true => name.to_owned(),
        false => identifier(name),
    };
    match name.strip_suffix("[]") {
        Some(element) => format!("{}[]", quoted(element)),
        None if name.contains('.') => name.to_owned(),
        None => quoted(name),
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn quotes_and_backslashes_stay_inside() {
        assert_eq!(identifier(r#"a"b"#), r#""a""b""#);
        assert_eq!(qualified("s", "t"), r#""s"."t""#);
        assert_eq!(literal("it's"), "'it''s'");
        assert_eq!(literal(r"a\'b"), r"E'a\\''b'");
        assert_eq!(list_of_literals(&["a", "b"]), "'a', 'b'");
    }

    #[test]
    fn values_of_a_request_become_literals() {
        for (value, expected) in [
            (json!(null), "NULL"),
            (json!(true), "'t'"),
            (json!(1.5), "'1.5'"),
            (json!("x'y"), "'x''y'"),
            (json!([1, "a"]), "'1','a'"),
            (json!({"a": 1}), r#"'{"a":1}'::jsonb"#),
        ] {
            assert_eq!(literal_of(&value), expected);
        }
    }

    #[test]
    fn types_are_quoted_where_they_have_to_be() {
        for (name, expected) in [
            ("int4", "int4"),
            ("int4[]", "int4[]"),
            ("public.mood", "public.mood"),
            ("Mood", "\"Mood\""),
            ("my type[]", "\"my type\"[]"),
            ("user", "\"user\""),
        ] {
            assert_eq!(type_name(name), expected);
        }
    }
}
