//! A filter bound to the type of its column, and its evaluation on a value. As in SQL, the result
//! may be unknown; an unknown result never matches, negated or not.

use std::cmp::Ordering;

use super::filter::{Filter, Operand, Operator, TruthState};
use super::value::ValueKind;

/// The largest product of the lengths of a text and a pattern that are compared here. A longer
/// comparison is left to the database, which stops it after a timeout.
const LONGEST_LIKE: usize = 1 << 20;

/// A filter's comparison, with its values as the column's type prints them.
#[derive(Debug, Clone)]
pub(super) struct Condition {
    operator: Operator,
    is_negated: bool,
    kind: ValueKind,
    operand: Operand,
}

/// The result of a comparison.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Verdict {
    Known(bool),
    /// Only the database can compare, with this operator and this operand.
    Asked(Operator, String),
}

impl Condition {
    /// The condition of a filter whose values are `canonical`, in their order.
    pub fn new(filter: &Filter, kind: ValueKind, canonical: Vec<String>) -> Self {
        let operand = match &filter.operand {
            Operand::Value(value) => {
                Operand::Value(canonical.into_iter().next().unwrap_or_else(|| value.clone()))
            }
            Operand::Values(_) => Operand::Values(canonical),
            Operand::State(state) => Operand::State(*state),
        };
        Self { operator: filter.operator, is_negated: filter.is_negated, kind, operand }
    }

    /// Evaluates the condition on a column's value; `None` is null. An answer of the database must
    /// be inverted if [`Self::is_negated`].
    pub fn judge(&self, value: Option<&str>) -> Verdict {
        match self.holds(value) {
            Ok(holds) => Verdict::Known(holds.is_some_and(|holds| holds != self.is_negated)),
            Err((operator, value)) => Verdict::Asked(operator, value),
        }
    }

    /// Whether the answer of the database must be inverted.
    pub fn is_negated(&self) -> bool {
        self.is_negated
    }

    fn holds(&self, value: Option<&str>) -> Result<Option<bool>, (Operator, String)> {
        match (&self.operand, value) {
            (Operand::State(state), value) => Ok(Some(state.holds(value))),
            (_, None) => Ok((self.operator == Operator::IsDistinct).then_some(true)),
            (Operand::Values(operands), Some(value)) => self.is_among(value, operands),
            (Operand::Value(operand), Some(value)) => self.compares(value, operand).map(Some),
        }
    }

    fn is_among(
        &self,
        value: &str,
        operands: &[String],
    ) -> Result<Option<bool>, (Operator, String)> {
        let mut is_known = true;
        for operand in operands {
            match self.kind.equal(value, operand) {
                Some(true) => return Ok(Some(true)),
                Some(false) => {}
                None => is_known = false,
            }
        }
        if is_known {
            return Ok(Some(false));
        }
        let all = crate::store::array_literal(operands.iter().map(String::as_str));
        Err((Operator::In, all))
    }

    fn compares(&self, value: &str, operand: &str) -> Result<bool, (Operator, String)> {
        let order = || self.kind.compare(value, operand);
        let known = match self.operator {
            Operator::Eq => self.kind.equal(value, operand),
            Operator::Neq | Operator::IsDistinct => {
                self.kind.equal(value, operand).map(|equal| !equal)
            }
            Operator::Lt => order().map(Ordering::is_lt),
            Operator::Lte => order().map(Ordering::is_le),
            Operator::Gt => order().map(Ordering::is_gt),
            Operator::Gte => order().map(Ordering::is_ge),
            Operator::Like
                if self.kind == ValueKind::Text
                    && value.len().saturating_mul(operand.len()) <= LONGEST_LIKE =>
            {
                Some(is_like(value, operand))
            }
            _ => None,
        };
        known.ok_or_else(|| (self.operator, operand.to_owned()))
    }
}

impl TruthState {
    fn holds(self, value: Option<&str>) -> bool {
        match self {
            Self::Null | Self::Unknown => value.is_none(),
            Self::True => value == Some("t"),
            Self::False => value == Some("f"),
        }
    }
}

/// `like`: `%` is any text, `_` any character, and a backslash escapes them. The time is bounded by
/// the product of both lengths.
fn is_like(text: &str, pattern: &str) -> bool {
    let text: Vec<char> = text.chars().collect();
    let pattern = tokens(pattern);
    let (mut at, mut token) = (0, 0);
    // The position of the last `%`, and the end of the text that it matches so far.
    let mut any: Option<(usize, usize)> = None;
    while at < text.len() {
        match pattern.get(token) {
            Some(Token::Any) => {
                any = Some((token, at));
                token += 1;
            }
            Some(Token::One) => (at, token) = (at + 1, token + 1),
            Some(Token::Just(character)) if *character == text[at] => {
                (at, token) = (at + 1, token + 1);
            }
            _ => match any {
                Some((place, length)) => {
                    any = Some((place, length + 1));
                    (at, token) = (length + 1, place + 1);
                }
                None => return false,
            },
        }
    }
    pattern[token..].iter().all(|rest| matches!(rest, Token::Any))
}

enum Token {
    Any,
    One,
    Just(char),
}

fn tokens(pattern: &str) -> Vec<Token> {
    let mut characters = pattern.chars();
    let mut tokens = Vec::new();
    while let Some(character) = characters.next() {
        tokens.push(match character {
            '%' => Token::Any,
            '_' => Token::One,
            '\\' => Token::Just(characters.next().unwrap_or('\\')),
            other => Token::Just(other),
        });
    }
    tokens
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::changes::filter::parse;

    fn judged(filter: &str, kind: ValueKind, value: Option<&str>) -> Verdict {
        let filter = &parse(filter).unwrap()[0];
        let canonical = match &filter.operand {
            Operand::Value(value) => vec![value.clone()],
            Operand::Values(values) => values.clone(),
            Operand::State(_) => Vec::new(),
        };
        Condition::new(filter, kind, canonical).judge(value)
    }

    #[test]
    fn comparisons_with_null_are_false() {
        for filter in ["a=eq.1", "a=not.eq.1", "a=neq.1", "a=in.(1)", "a=not.in.(1)", "a=gt.1"] {
            assert_eq!(judged(filter, ValueKind::Integer, None), Verdict::Known(false), "{filter}");
        }
        assert_eq!(judged("a=isdistinct.1", ValueKind::Integer, None), Verdict::Known(true));
        assert_eq!(judged("a=is.null", ValueKind::Integer, None), Verdict::Known(true));
        assert_eq!(judged("a=not.is.null", ValueKind::Integer, Some("1")), Verdict::Known(true));
        assert_eq!(judged("a=is.false", ValueKind::Boolean, Some("f")), Verdict::Known(true));
        assert_eq!(judged("a=is.true", ValueKind::Boolean, None), Verdict::Known(false));
    }

    #[test]
    fn known_kinds_are_compared_here() {
        for (filter, kind, value, expected) in [
            ("a=eq.1.50", ValueKind::Numeric, "1.5", true),
            ("a=not.eq.1", ValueKind::Integer, "2", true),
            ("a=lt.10", ValueKind::Integer, "9", true),
            ("a=lte.9", ValueKind::Integer, "9", true),
            ("a=gt.9", ValueKind::Integer, "9", false),
            ("a=gte.9", ValueKind::Integer, "9", true),
            ("a=in.(b,a)", ValueKind::Text, "a", true),
            ("a=not.in.(b,a)", ValueKind::Text, "c", true),
            ("a=like.%b_d\\%", ValueKind::Text, "aabcd%", true),
            ("a=like.%b_d\\%", ValueKind::Text, "aabcdx", false),
            ("a=like.%a%b%", ValueKind::Text, "xxaxxb", true),
        ] {
            assert_eq!(judged(filter, kind, Some(value)), Verdict::Known(expected), "{filter}");
        }
    }

    #[test]
    fn others_are_asked_of_the_database() {
        let question = |operator, value: &str| Verdict::Asked(operator, value.to_owned());
        assert_eq!(judged("a=lt.b", ValueKind::Text, Some("a")), question(Operator::Lt, "b"));
        assert_eq!(judged("a=match.b", ValueKind::Text, Some("a")), question(Operator::Match, "b"));
        assert_eq!(
            judged("a=in.(1,2)", ValueKind::Other, Some("3")),
            question(Operator::In, "{\"1\",\"2\"}")
        );
    }
}
