//! The SQL of this service.

pub(crate) mod changes;
pub(crate) mod messages;
pub(crate) mod policy;
pub(crate) mod relay;
pub(crate) mod replay;

/// Writes texts as a PostgreSQL array literal.
pub(crate) fn array_literal<'a>(items: impl IntoIterator<Item = &'a str>) -> String {
    let mut text = String::from("{");
    for (index, item) in items.into_iter().enumerate() {
        if index > 0 {
            text.push(',');
        }
        text.push('"');
        for character in item.chars() {
            if matches!(character, '"' | '\\') {
                text.push('\\');
            }
            text.push(character);
        }
        text.push('"');
    }
    text.push('}');
    text
}
