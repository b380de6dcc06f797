//! Formats statements.

use sqlformat::{Dialect, FormatOptions, Indent, QueryParams};

use crate::MetaError;

/// The longest text, in bytes; the formatter processes it as a whole.
const LONGEST: usize = 256 * 1024;
/// The deepest nesting of blocks, each of which indents every line inside it.
const DEEPEST: usize = 100;

/// Formats statements with one clause per line.
///
/// # Errors
/// The text is too long or its blocks are nested too deeply, or the formatter fails on it.
pub(crate) async fn format(query: String) -> Result<String, MetaError> {
    if query.len() > LONGEST {
        return Err(MetaError::BodyTooLarge);
    }
    if depth(&query) > DEEPEST {
        return Err(MetaError::Invalid(format!("more than {DEEPEST} blocks in one another")));
    }
    let formatted = tokio::task::spawn_blocking(move || {
        let options = FormatOptions {
            indent: Indent::Spaces(2),
            lines_between_queries: 2,
            dialect: Dialect::PostgreSql,
            ..FormatOptions::default()
        };
        let mut text = sqlformat::format(&query, &QueryParams::None, &options);
        text.push('\n');
        text
    });
    formatted.await.map_err(|error| MetaError::Invalid(format!("the formatter failed: {error}")))
}

/// The deepest nesting of blocks, found by the words and marks that open and close them.
fn depth(query: &str) -> usize {
    let (mut open, mut deepest) = (0_usize, 0);
    let is_part = |one: char| one.is_alphanumeric() || one == '_';
    for word in query.split_inclusive(|one: char| !is_part(one)) {
        let (name, mark) = match word.chars().next_back().filter(|last| !is_part(*last)) {
            Some(mark) => (&word[..word.len() - mark.len_utf8()], mark),
            None => (word, ' '),
        };
        if name.eq_ignore_ascii_case("case") || name.eq_ignore_ascii_case("begin") {
            open += 1;
        } else if name.eq_ignore_ascii_case("end") {
            open = open.saturating_sub(1);
        }
        deepest = deepest.max(open);
        match mark {
            '(' | '[' => open += 1,
            ')' | ']' => open = open.saturating_sub(1),
            _ => {}
        }
        deepest = deepest.max(open);
    }
    deepest
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn blocks_are_counted_by_marks_and_words() {
        for (query, expected) in [
            ("select 1", 0),
            ("select ((1), (2))", 2),
            ("case when a then case b end end", 2),
            ("select in_case, [1]", 1),
            ("((((", 4),
        ] {
            assert_eq!(depth(query), expected, "{query}");
        }
    }
}
