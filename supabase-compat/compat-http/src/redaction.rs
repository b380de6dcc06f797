//! What of a request and of a message may stand in a log: no tokens, keys, passwords, mail addresses
//! or values of rows.

use std::borrow::Cow;

/// PostgreSQL's `undefined_column`.
const UNDEFINED_COLUMN: &str = "42703";
/// Replaces text that is left out.
const LEFT_OUT: &str = "…";
/// The shortest length of a token that cannot be guessed.
const TOKEN_LENGTH: usize = 32;
/// The longest query that is kept.
const LONGEST_QUERY: usize = 1024;
/// Parameters that shape an answer and carry no values: those of rest/v1 and storage/v1's sizes.
const SHAPES: [&str; 14] = [
    "select",
    "order",
    "limit",
    "offset",
    "columns",
    "on_conflict",
    "grant_type",
    "page",
    "per_page",
    "width",
    "height",
    "resize",
    "quality",
    "format",
];
/// Operators of rest/v1's filters, before a value.
const OPERATORS: [&str; 27] = [
    "eq",
    "neq",
    "gt",
    "gte",
    "lt",
    "lte",
    "like",
    "ilike",
    "match",
    "imatch",
    "is",
    "isdistinct",
    "in",
    "cs",
    "cd",
    "ov",
    "sl",
    "sr",
    "nxr",
    "nxl",
    "adj",
    "not",
    "fts",
    "plfts",
    "phfts",
    "wfts",
    "all",
];

/// A path without what may be a secret: applications put tokens into segments, and a token that
/// cannot be guessed is long. Ids, which are long as well, stay readable.
pub fn redact_path(path: &str) -> Cow<'_, str> {
    if is_plain(path) && path.split('/').all(|segment| segment.len() < TOKEN_LENGTH) {
        return path.into();
    }
    let secret = |segment: &str| {
        (segment.len() >= TOKEN_LENGTH && !is_id(segment)) || is_address(segment) || is_key(segment)
    };
    if !path.split('/').any(secret) {
        return path.into();
    }
    let redacted = path.split('/').map(|segment| if secret(segment) { LEFT_OUT } else { segment });
    redacted.collect::<Vec<_>>().join("/").into()
}

/// A query with the names of its parameters, the values that shape a response, and the operators of
/// filters. All other values are left out.
pub fn redact_query(query: &str) -> String {
    let mut redacted = String::with_capacity(query.len().min(LONGEST_QUERY));
    for pair in query.split('&').filter(|pair| !pair.is_empty()) {
        if !redacted.is_empty() {
            redacted.push('&');
        }
        if redacted.len() + pair.len() > LONGEST_QUERY {
            redacted.push_str(LEFT_OUT);
            break;
        }
        let (name, value) = pair.split_once('=').unwrap_or((pair, ""));
        let is_of_name = |byte: u8| byte.is_ascii_alphanumeric() || b"_-.>[]".contains(&byte);
        if !name.bytes().all(is_of_name) || redact_text(name) != name {
            redacted.push_str(LEFT_OUT);
            continue;
        }
        redacted.push_str(name);
        if pair.len() > name.len() {
            redacted.push('=');
            redacted.push_str(&redact_value(name, value));
        }
    }
    redacted
}

fn redact_value<'a>(name: &str, value: &'a str) -> Cow<'a, str> {
    let shape = name.rsplit('.').next().unwrap_or(name);
    if SHAPES.contains(&shape) {
        return redact_text(value);
    }
    let operator = value.split(['.', '(']).next().unwrap_or_default();
    match OPERATORS.contains(&operator) && operator.len() < value.len() {
        true => format!("{operator}.{LEFT_OUT}").into(),
        false if value.is_empty() => value.into(),
        false => LEFT_OUT.into(),
    }
}

/// A message without the words that are tokens, keys or mail addresses.
pub fn redact_text(text: &str) -> Cow<'_, str> {
    if is_plain(text) {
        return text.into();
    }
    let is_word = |character: char| character.is_alphanumeric() || "_.@%+=-~".contains(character);
    let is_secret = |word: &str| is_token(word) || is_address(word) || is_key(word);
    if !text.split(|character| !is_word(character)).any(is_secret) {
        return text.into();
    }
    let mut redacted = String::with_capacity(text.len());
    for part in text.split_inclusive(|character| !is_word(character)) {
        let word = part.trim_end_matches(|character| !is_word(character));
        match is_secret(word) {
            true => {
                redacted.push_str(LEFT_OUT);
                redacted.push_str(&part[word.len()..]);
            }
            false => redacted.push_str(part),
        }
    }
    redacted.into()
}

/// A message of an error with this code, without the values that the code's kind of message repeats:
/// a data exception of PostgreSQL (class 22) quotes the value, an unreadable request of rest/v1 the
/// text.
pub fn redact_error<'a>(code: &str, message: &'a str) -> Cow<'a, str> {
    if code.len() == 5 && code.starts_with("22") {
        return redact_text(&without_quotes(message)).into_owned().into();
    }
    if code.starts_with("PGRST1") {
        let message = message.trim_start_matches('"');
        let end = message.find(['(', '"', '\'']).unwrap_or(message.len());
        return redact_text(message.get(..end).unwrap_or_default().trim_end());
    }
    // The name comes from the caller, who may have sent anything in its place.
    if code == UNDEFINED_COLUMN
        && let Some(name) = message.strip_prefix("column ")
        && !name.trim_end_matches(" does not exist").bytes().all(is_of_name)
    {
        return "column … does not exist".into();
    }
    redact_text(message)
}

fn is_of_name(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || b"_.$\"".contains(&byte)
}

fn without_quotes(text: &str) -> String {
    let parts = text.split('"').enumerate();
    let parts = parts.map(|(at, part)| if at % 2 == 1 { LEFT_OUT } else { part });
    parts.collect::<Vec<_>>().join("\"")
}

/// Whether a quick scan of the bytes shows that no word is a secret, as for nearly every text.
fn is_plain(text: &str) -> bool {
    let bytes = text.as_bytes();
    let mut length = 0;
    for (at, &byte) in bytes.iter().enumerate() {
        let begins = |with: &[u8]| bytes.get(at..).is_some_and(|rest| rest.starts_with(with));
        let is_of_word = byte.is_ascii_alphanumeric() || byte >= 0x80 || b"_.%+=-~".contains(&byte);
        length = if is_of_word { length + 1 } else { 0 };
        let is_suspect = match byte {
            b'@' => true,
            b'%' => begins(b"%40"),
            b's' => begins(b"sb_"),
            b'e' => begins(b"eyJ"),
            _ => false,
        };
        if is_suspect || length >= TOKEN_LENGTH {
            return false;
        }
    }
    true
}

/// Names are long as well, but have no digits beside capitals; an id is no secret.
fn is_token(word: &str) -> bool {
    let has_digit = word.bytes().any(|byte| byte.is_ascii_digit());
    let has_capital = word.bytes().any(|byte| byte.is_ascii_uppercase());
    let is_name = !has_digit && !has_capital;
    word.len() >= TOKEN_LENGTH && !is_name && !is_id(word)
}

/// Whether a word is a UUID with hyphens: without them it may as well be a token.
fn is_id(word: &str) -> bool {
    word.len() == 36 && uuid::Uuid::try_parse(word).is_ok()
}

fn is_address(word: &str) -> bool {
    word.contains('@') || word.contains("%40")
}

fn is_key(word: &str) -> bool {
    ["sb_", "eyJ"].iter().any(|prefix| word.starts_with(prefix) && word.len() > 12)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tokens_and_emails_in_path_are_redacted() {
        let token = "k".repeat(40);
        assert_eq!(redact_path(&format!("/things/{token}/x")), "/things/…/x");
        let id = "/things/6f1f3a0e-1d0c-4b8e-9d5b-1f2e3d4c5b6a";
        assert_eq!(redact_path(id), id);
        assert_eq!(redact_path("/rest/v1/things"), "/rest/v1/things");
        assert_eq!(redact_path("/of/ada@example.com"), "/of/…");
        assert_eq!(redact_path("/of/ada%40example.com"), "/of/…");
    }

    #[test]
    fn a_query_keeps_its_shape_and_no_values() {
        for (query, expected) in [
            ("select=id,name&limit=5&order=id.desc", "select=id,name&limit=5&order=id.desc"),
            ("name=eq.ada&age=not.is.null", "name=eq.…&age=not.…"),
            ("or=(name.eq.ada,age.gt.4)", "or=…"),
            ("token=abc&type=signup", "token=…&type=…"),
            ("apikey=sb_secret_0123456789", "apikey=…"),
            ("select=ada@example.com", "select=…"),
            ("ada@example.com", "…"),
            ("a%20correct%20horse=eq.1", "…"),
            ("a=&b", "a=&b"),
            ("things.limit=2", "things.limit=2"),
        ] {
            assert_eq!(redact_query(query), expected);
        }
    }

    #[test]
    fn a_message_keeps_its_words_and_no_secrets() {
        let id = "no user 6f1f3a0e-1d0c-4b8e-9d5b-1f2e3d4c5b6a";
        assert_eq!(redact_text(id), id);
        let name = "violates \"organisation_members_organisation_id_fkey\"";
        assert_eq!(redact_text(name), name);
        for (text, expected) in [
            ("mail to ada@example.com, failed", "mail to …, failed"),
            ("postgres://me:hunter2@db/x", "postgres://me:…/x"),
            ("Bearer eyJhbGciOiJIUzI1NiJ9.e30.abc!", "Bearer …!"),
            ("key 0123456789abcdef0123456789ABCDEF.", "key …"),
            ("key sb_secret_0123456789", "key …"),
        ] {
            assert_eq!(redact_text(text), expected);
        }
    }

    #[test]
    fn an_error_repeats_no_value_of_a_row() {
        let invalid = "invalid input syntax for type integer: \"hunter2\"";
        assert_eq!(redact_error("22P02", invalid), "invalid input syntax for type integer: \"…\"");
        let unreadable = "\"failed to parse filter (hunter2)\" (line 1, column 1)";
        assert_eq!(redact_error("PGRST100", unreadable), "failed to parse filter");
        let table = "relation \"things\" does not exist";
        assert_eq!(redact_error("42P01", table), table);
        let column = "column things.nmae does not exist";
        assert_eq!(redact_error("42703", column), column);
        let sentence = "column things.a correct horse does not exist";
        assert_eq!(redact_error("42703", sentence), "column … does not exist");
    }

    #[test]
    fn random_texts_are_redacted_without_panic() {
        compat_testkit::property_test("redacted_texts", "\\PC{0,80}", |text: String| {
            for redacted in [redact_text(&text), redact_path(&text), redact_query(&text).into()] {
                assert!(!redacted.contains('@'), "{redacted}");
            }
            redact_error("22P02", &text);
        });
    }
}
