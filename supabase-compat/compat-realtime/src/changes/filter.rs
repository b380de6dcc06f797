//! Filters of a binding as its client writes them: `column=op.value`, several separated by commas,
//! all of which must hold. No I/O.

use thiserror::Error;

/// The most values of `in`.
const MOST_VALUES: usize = 100;

/// One condition on a column.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub(crate) struct Filter {
    pub column: String,
    pub operator: Operator,
    pub operand: Operand,
    /// Whether the condition is negated.
    pub is_negated: bool,
}

/// How a column's value is compared.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(crate) enum Operator {
    Eq,
    Neq,
    Lt,
    Lte,
    Gt,
    Gte,
    In,
    Like,
    Ilike,
    Is,
    Match,
    Imatch,
    IsDistinct,
}

/// The operand of a comparison.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub(crate) enum Operand {
    Value(String),
    /// The values of `in`.
    Values(Vec<String>),
    /// The state that `is` tests for.
    State(TruthState),
}

/// A state that `is` tests for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(crate) enum TruthState {
    Null,
    True,
    False,
    Unknown,
}

/// Why a filter is invalid.
#[derive(Debug, Clone, Error, PartialEq, Eq)]
pub(crate) enum FilterError {
    #[error("filter must not contain empty segments (check for extra commas)")]
    EmptySegment,
    #[error("Error parsing `filter` params: [{0:?}]")]
    Unreadable(String),
    #[error("`in` filter value must be wrapped by parentheses")]
    Parentheses,
    #[error("`in` filter takes at most {MOST_VALUES} values")]
    ManyValues,
    #[error("`is` filter takes null, true, false or unknown")]
    State,
}

impl Operator {
    const ALL: [(&'static str, Self); 13] = [
        ("eq", Self::Eq),
        ("neq", Self::Neq),
        ("lt", Self::Lt),
        ("lte", Self::Lte),
        ("gt", Self::Gt),
        ("gte", Self::Gte),
        ("in", Self::In),
        ("like", Self::Like),
        ("ilike", Self::Ilike),
        ("is", Self::Is),
        ("match", Self::Match),
        ("imatch", Self::Imatch),
        ("isdistinct", Self::IsDistinct),
    ];

    fn from_name(name: &str) -> Option<Self> {
        Self::ALL.iter().find(|(known, _)| *known == name).map(|(_, operator)| *operator)
    }

    /// The operator's name, which is also its label in the enum `realtime.equality_op`.
    pub fn name(self) -> &'static str {
        Self::ALL.iter().find(|(_, known)| *known == self).map_or("eq", |(name, _)| name)
    }

    /// Whether the operator matches patterns, for which the column must be text.
    pub fn needs_text(self) -> bool {
        matches!(self, Self::Like | Self::Ilike | Self::Match | Self::Imatch)
    }
}

impl Filter {
    /// Whether the filter applies to boolean columns only.
    pub fn wants_boolean(&self) -> bool {
        matches!(self.operand, Operand::State(TruthState::True | TruthState::False))
    }
}

impl std::fmt::Display for Filter {
    /// Formats the filter as in the contract's error texts.
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let value = match &self.operand {
            Operand::Value(value) => value.clone(),
            Operand::Values(values) => format!("{{{}}}", values.join(",")),
            Operand::State(TruthState::Null) => "null".to_owned(),
            Operand::State(TruthState::True) => "true".to_owned(),
            Operand::State(TruthState::False) => "false".to_owned(),
            Operand::State(TruthState::Unknown) => "unknown".to_owned(),
        };
        write!(f, "{{{:?}, {:?}, {value:?}}}", self.column, self.operator.name())
    }
}

/// Parses all filters of a text.
pub(crate) fn parse(text: &str) -> Result<Vec<Filter>, FilterError> {
    let segments = split(text);
    if segments.iter().any(|segment| segment.trim().is_empty()) {
        return Err(FilterError::EmptySegment);
    }
    segments.into_iter().map(one).collect()
}

fn one(segment: &str) -> Result<Filter, FilterError> {
    let unreadable = || FilterError::Unreadable(segment.to_owned());
    let (column, condition) = segment.split_once('=').ok_or_else(unreadable)?;
    let (is_negated, condition) = match condition.strip_prefix("not.") {
        Some(rest) => (true, rest),
        None => (false, condition),
    };
    let (name, value) = condition.split_once('.').ok_or_else(unreadable)?;
    let operator = Operator::from_name(name).ok_or_else(unreadable)?;
    let column = column.trim();
    if column.is_empty() {
        return Err(unreadable());
    }
    let operand = match operator {
        Operator::In => Operand::Values(values(value)?),
        Operator::Is => Operand::State(state(value)?),
        _ => Operand::Value(unquoted(value)),
    };
    Ok(Filter { column: column.to_owned(), operator, operand, is_negated })
}

fn values(text: &str) -> Result<Vec<String>, FilterError> {
    let inner = text.strip_prefix('(').and_then(|text| text.strip_suffix(')'));
    let inner = inner.ok_or(FilterError::Parentheses)?;
    let values = split(inner);
    if values.len() > MOST_VALUES {
        return Err(FilterError::ManyValues);
    }
    Ok(values.into_iter().map(|value| unquoted(value.trim())).collect())
}

fn state(text: &str) -> Result<TruthState, FilterError> {
    match text.to_ascii_lowercase().as_str() {
        "null" => Ok(TruthState::Null),
        "true" => Ok(TruthState::True),
        "false" => Ok(TruthState::False),
        "unknown" => Ok(TruthState::Unknown),
        _ => Err(FilterError::State),
    }
}

/// Splits at commas outside parentheses and quotes. A quote opens only where a value may begin; a
/// backslash escapes the next character.
fn split(text: &str) -> Vec<&str> {
    let (mut parts, mut begin, mut depth) = (Vec::new(), 0, 0usize);
    let (mut is_quoted, mut is_escaped, mut before) = (false, false, ',');
    for (at, character) in text.char_indices() {
        if is_escaped {
            is_escaped = false;
        } else {
            match character {
                '\\' => is_escaped = true,
                '"' if is_quoted => is_quoted = false,
                '"' if matches!(before, '.' | '(' | ',') => is_quoted = true,
                _ if is_quoted => {}
                '(' => depth += 1,
                ')' => depth = depth.saturating_sub(1),
                ',' if depth == 0 => {
                    parts.push(&text[begin..at]);
                    begin = at + 1;
                }
                _ => {}
            }
        }
        before = character;
    }
    parts.push(&text[begin..]);
    parts
}

/// A value without its quotes and escapes. Without quotes a backslash stays as it is, as patterns
/// need.
fn unquoted(text: &str) -> String {
    let inner = text.strip_prefix('"').and_then(|text| text.strip_suffix('"'));
    let Some(inner) = inner else { return text.to_owned() };
    let mut value = String::with_capacity(inner.len());
    let mut characters = inner.chars();
    while let Some(character) = characters.next() {
        match character {
            '\\' => value.extend(characters.next()),
            other => value.push(other),
        }
    }
    value
}

#[cfg(test)]
mod tests {
    use compat_testkit::property_test;
    use proptest::prelude::*;

    use super::*;

    fn value(column: &str, operator: Operator, text: &str) -> Filter {
        let operand = Operand::Value(text.to_owned());
        Filter { column: column.to_owned(), operator, operand, is_negated: false }
    }

    #[test]
    fn every_operator_is_read() {
        for (name, operator) in Operator::ALL {
            let text = match operator {
                Operator::In => "(1)",
                Operator::Is => "null",
                _ => "1",
            };
            let filters = parse(&format!("id={name}.{text}")).unwrap();
            assert_eq!((filters.len(), filters[0].operator), (1, operator));
            assert_eq!(operator.name(), name);
        }
    }

    #[test]
    fn commas_join_filters_outside_quotes_and_parentheses() {
        let filters = parse(r#"a=eq.1,b=not.in.(1,"x,y",2),c=like."p,\"q",d=eq.it"s"#).unwrap();
        let operand = Operand::Values(vec!["1".into(), "x,y".into(), "2".into()]);
        let list = Filter { column: "b".into(), operator: Operator::In, operand, is_negated: true };
        assert_eq!(
            filters,
            [
                value("a", Operator::Eq, "1"),
                list,
                value("c", Operator::Like, "p,\"q"),
                value("d", Operator::Eq, "it\"s"),
            ]
        );
        assert_eq!(parse("t=eq.2024-01-01T00:00:00.5+00:00").unwrap().len(), 1);
        assert_eq!(parse("a=eq.").unwrap(), [value("a", Operator::Eq, "")]);
    }

    #[test]
    fn wrong_filters_say_why() {
        assert_eq!(parse("a=eq.1,,b=eq.2"), Err(FilterError::EmptySegment));
        assert_eq!(parse(""), Err(FilterError::EmptySegment));
        assert_eq!(parse("a=in.1"), Err(FilterError::Parentheses));
        assert_eq!(parse("a=is.maybe"), Err(FilterError::State));
        let many = format!("a=in.({})", ["1"; 101].join(","));
        assert_eq!(parse(&many), Err(FilterError::ManyValues));
        for text in ["a", "a=1", "a=like", "a=near.1", "=eq.1", "a=not.1"] {
            let error = parse(text).unwrap_err().to_string();
            assert_eq!(error, format!("Error parsing `filter` params: [{text:?}]"));
        }
    }

    #[test]
    fn random_filters_are_read_as_they_were_written() {
        let filter =
            ("[a-z_]{1,8}", prop::sample::select(&Operator::ALL[..]), ".{0,20}", any::<bool>());
        property_test("written filters", filter, |(column, (name, operator), text, is_negated)| {
            let quoted = format!("\"{}\"", text.replace('\\', "\\\\").replace('"', "\\\""));
            let (literal, operand) = match operator {
                Operator::In => (format!("({quoted})"), Operand::Values(vec![text])),
                Operator::Is => ("true".to_owned(), Operand::State(TruthState::True)),
                _ => (quoted, Operand::Value(text)),
            };
            let not = if is_negated { "not." } else { "" };
            let all = format!("{column}={not}{name}.{literal},z=eq.1");
            let one = Filter { column, operator, operand, is_negated };
            assert_eq!(parse(&all).unwrap(), [one, value("z", Operator::Eq, "1")]);
        });
    }

    #[test]
    fn random_text_is_read_or_refused() {
        let text = r#"[a-z=.,()"\\ é]{0,40}"#;
        property_test("texts of filters", text, |text| {
            for filter in parse(&text).unwrap_or_default() {
                assert!(!filter.column.is_empty());
            }
        });
    }
}
