//! Where the columns of views come from.
//!
//! PostgreSQL keeps a view as a query tree in text form. Each entry of its target list names the
//! relation and column it was taken from, if it was taken unchanged; chains of views are followed
//! here.

use std::collections::HashMap;

use compat_pg::PgError;
use compat_pg::Row;

use super::rows::get;

/// A column of a relation: object id and position.
pub(super) type ColumnId = (u32, i16);

/// Origins of view columns.
#[derive(Debug, Default)]
pub(super) struct Lineage {
    origins: HashMap<ColumnId, ColumnId>,
}

impl Lineage {
    /// Reads the definitions of all views.
    pub(super) fn read(rows: &[Row]) -> Result<Self, PgError> {
        let mut origins = HashMap::new();
        for row in rows {
            let view: u32 = get(row, "relation_id")?;
            let definition: String = get(row, "definition")?;
            for (position, origin) in view_column_origins(&definition) {
                origins.insert((view, position), origin);
            }
        }
        Ok(Self { origins })
    }

    /// Views with the positions of their columns that show columns of tables: table column → view
    /// columns.
    pub(super) fn columns_by_origin(&self) -> HashMap<ColumnId, Vec<ColumnId>> {
        let mut by_origin: HashMap<ColumnId, Vec<ColumnId>> = HashMap::new();
        for view_column in self.origins.keys() {
            if let Some(table_column) = self.table_column(*view_column) {
                by_origin.entry(table_column).or_default().push(*view_column);
            }
        }
        for columns in by_origin.values_mut() {
            columns.sort_unstable();
        }
        by_origin
    }

    /// The table column at the end of the chain; `None` for one that starts at no view.
    fn table_column(&self, start: ColumnId) -> Option<ColumnId> {
        let mut column = *self.origins.get(&start)?;
        for _ in 0..100 {
            match self.origins.get(&column) {
                Some(next) => column = *next,
                None => return Some(column),
            }
        }
        None
    }
}

/// Where the columns of a view come from, by its stored query tree (`pg_rewrite.ev_action`): positions
/// with the origins of those that were taken unchanged. Reads the target list of the outermost query.
pub fn view_column_origins(definition: &str) -> Vec<(i16, ColumnId)> {
    let mut origins = Vec::new();
    let mut depth = 0_usize;
    let mut in_list = false;
    let mut entry = Entry::default();
    let mut tokens = Tokens::of(definition);
    while let Some(token) = tokens.next() {
        // Depth 1 is the outermost query and depth 2 an entry of its list. Sub-queries lie deeper
        // and have target lists of their own.
        match token {
            "{" => depth += 1,
            "}" => {
                if in_list && depth == 2 {
                    origins.extend(std::mem::take(&mut entry).origin());
                }
                depth = depth.saturating_sub(1);
            }
            ":targetList" if depth == 1 => in_list = true,
            field if in_list && depth == 1 && field.starts_with(':') => break,
            ":resno" if in_list && depth == 2 => entry.position = tokens.number(),
            ":resorigtbl" if in_list && depth == 2 => entry.relation = tokens.number(),
            ":resorigcol" if in_list && depth == 2 => entry.column = tokens.number(),
            ":resjunk" if in_list && depth == 2 => entry.junk = tokens.next() == Some("true"),
            _ => {}
        }
    }
    origins
}

#[derive(Default)]
struct Entry {
    position: Option<i64>,
    relation: Option<i64>,
    column: Option<i64>,
    junk: bool,
}

impl Entry {
    fn origin(self) -> Option<(i16, ColumnId)> {
        let relation = u32::try_from(self.relation?).ok().filter(|relation| *relation != 0)?;
        let position = i16::try_from(self.position?).ok().filter(|_| !self.junk)?;
        Some((position, (relation, i16::try_from(self.column?).ok()?)))
    }
}

/// Braces, parentheses and words of a node tree; a backslash takes the next character's meaning
/// away.
pub(super) struct Tokens<'a> {
    rest: &'a str,
}

impl<'a> Tokens<'a> {
    /// Those of a whole text.
    pub(super) const fn of(text: &'a str) -> Self {
        Self { rest: text }
    }

    fn number(&mut self) -> Option<i64> {
        self.next()?.parse().ok()
    }
}

impl<'a> Iterator for Tokens<'a> {
    type Item = &'a str;

    fn next(&mut self) -> Option<&'a str> {
        self.rest = self.rest.trim_start_matches([' ', '\n', '\t']);
        let first = self.rest.chars().next()?;
        let end = if matches!(first, '{' | '}' | '(' | ')') { 1 } else { word_end(self.rest) };
        let (token, rest) = self.rest.split_at_checked(end)?;
        self.rest = rest;
        Some(token)
    }
}

fn word_end(text: &str) -> usize {
    let mut escaped = false;
    for (at, c) in text.char_indices() {
        if escaped {
            escaped = false;
        } else if c == '\\' {
            escaped = true;
        } else if matches!(c, '{' | '}' | '(' | ')' | ' ' | '\n' | '\t') && at > 0 {
            return at;
        }
    }
    text.len()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_the_outermost_target_list_counts() {
        let definition = "({QUERY :commandType 1 :rtable ({RTE :subquery {QUERY :targetList \
            ({TARGETENTRY :resno 1 :resorigtbl 9 :resorigcol 9 :resjunk false})}}) :targetList \
            ({TARGETENTRY :expr {VAR :varno 1} :resno 1 :resname a\\{b :ressortgroupref 0 \
            :resorigtbl 16386 :resorigcol 2 :resjunk false} {TARGETENTRY :expr {CONST} :resno 2 \
            :resname x :resorigtbl 0 :resorigcol 0 :resjunk false} {TARGETENTRY :resno 3 \
            :resorigtbl 16386 :resorigcol 1 :resjunk true}) :override 0})";
        assert_eq!(view_column_origins(definition), [(1, (16386, 2))]);
    }

    #[test]
    fn chains_of_views_end_at_the_table() {
        let lineage = Lineage { origins: HashMap::from([((3, 1), (2, 1)), ((2, 1), (1, 5))]) };
        let by_origin = lineage.columns_by_origin();
        assert_eq!(by_origin.get(&(1, 5)), Some(&vec![(2, 1), (3, 1)]));
    }
}
