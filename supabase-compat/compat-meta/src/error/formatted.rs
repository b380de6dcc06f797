//! Formats an error report as psql does, with a mark below its position in the statement.

use std::fmt::Write as _;

use compat_pg::ErrorReport;

/// Formats a report; its position is a character of `query`, counted from 1.
pub(super) fn format(report: &ErrorReport, query: &str) -> String {
    let mut text = String::new();
    if let Some(severity) = report.field(b'S') {
        let _ = write!(text, "{severity}:  ");
    }
    if let Some(code) = report.field(b'C') {
        let _ = write!(text, "{code}: ");
    }
    let _ = writeln!(text, "{}", report.message());
    let position = report.field(b'P').and_then(|text| text.parse::<usize>().ok());
    if let Some(position) = position {
        mark(&mut text, query, position.saturating_sub(1));
    }
    for (kind, title) in [(b'D', "DETAIL"), (b'H', "HINT"), (b'q', "QUERY"), (b'W', "CONTEXT")] {
        if let Some(value) = report.field(kind) {
            let _ = writeln!(text, "{title}:  {value}");
        }
    }
    text
}

/// Writes the line of the position, and a mark below it. A position behind the last line is shown
/// in line 0, as in the original.
fn mark(text: &mut String, query: &str, position: usize) {
    let (mut start, mut place) = (0, (0, "", 0));
    for (index, line) in query.split('\n').enumerate() {
        let length = line.chars().count();
        if start + length > position {
            place = (index + 1, line, position - start);
            break;
        }
        start += length + 1;
    }
    let (number, line, offset) = place;
    let indent = 5 + number.to_string().len() + 2 + offset;
    let _ = writeln!(text, "LINE {number}: {line}\n{:indent$}^", "");
}

#[cfg(test)]
mod tests {
    use super::*;

    fn report(fields: &[(u8, &str)]) -> ErrorReport {
        let fields = fields.iter().map(|(kind, value)| (*kind, (*value).to_owned())).collect();
        ErrorReport { fields, length: 0 }
    }

    #[test]
    fn mark_stands_below_the_place_in_its_line() {
        let fields = [(b'S', "ERROR"), (b'C', "42601"), (b'M', "syntax"), (b'P', "10")];
        let text = format(&report(&fields), "select\n  x y");
        assert_eq!(text, "ERROR:  42601: syntax\nLINE 2:   x y\n          ^\n");
    }

    #[test]
    fn place_behind_the_end_is_in_line_nought() {
        let text = format(&report(&[(b'M', "end"), (b'P', "7")]), "select");
        assert_eq!(text, "end\nLINE 0: \n        ^\n");
    }

    #[test]
    fn detail_hint_query_and_context_follow() {
        let fields = [(b'M', "m"), (b'D', "d"), (b'H', "h"), (b'q', "q"), (b'W', "w")];
        let text = format(&report(&fields), "");
        assert_eq!(text, "m\nDETAIL:  d\nHINT:  h\nQUERY:  q\nCONTEXT:  w\n");
    }
}
