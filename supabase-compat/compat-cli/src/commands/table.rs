//! Tables as the official CLI prints them.

use compat_pg::TextTable;
use compat_stack::print_line;

/// Prints a table under its headings.
pub(super) fn print_table(headings: &[&str], table: &TextTable) {
    for line in lines(headings, &table.rows) {
        print_line(&line);
    }
}

fn lines(headings: &[&str], rows: &[Vec<Option<String>>]) -> Vec<String> {
    let cells: Vec<Vec<String>> = rows.iter().map(|row| row.iter().map(cell).collect()).collect();
    let widths: Vec<usize> = headings
        .iter()
        .enumerate()
        .map(|(index, heading)| {
            let cells = cells.iter().filter_map(|row| row.get(index));
            cells.map(|cell| cell.chars().count()).fold(heading.chars().count(), usize::max)
        })
        .collect();
    let line = |values: Vec<&str>| {
        let padded = values.iter().zip(&widths).map(|(value, width)| format!(" {value:<width$} "));
        format!(" {}", padded.collect::<Vec<_>>().join("|")).trim_end().to_owned()
    };
    let rule: Vec<String> = widths.iter().map(|width| "-".repeat(width + 2)).collect();
    let mut lines = vec![line(headings.to_vec()), format!(" {}", rule.join("|"))];
    lines.extend(cells.iter().map(|row| line(row.iter().map(String::as_str).collect())));
    lines
}

/// A value on one line, with escaped bars, which would look like the next column.
fn cell(value: &Option<String>) -> String {
    let text = value.as_deref().unwrap_or_default();
    text.split_whitespace().collect::<Vec<_>>().join(" ").replace('|', "\\|")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tables_keep_each_row_on_a_line() {
        let rows = [
            vec![Some("public.notes".to_owned()), None],
            vec![Some("a".to_owned()), Some("select 1\n  || 'x'".to_owned())],
        ];
        assert_eq!(
            lines(&["Name", "Query"], &rows),
            [
                "  Name         | Query",
                " --------------|-------------------",
                "  public.notes |",
                "  a            | select 1 \\|\\| 'x'",
            ]
        );
    }
}
