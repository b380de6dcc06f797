//! The path syntax of PostgREST before JSONPath was standardised.
//!
//! Steps are `.key`, `."any key"` and `[0]`. A path may end with a comparison, `[?(@ == "x")]`,
//! which selects the first matching string of an array, and with slices of that string, `[1:-1]`.

use std::borrow::Cow;

use serde_json::Value;

use crate::claims::text_of;

#[derive(Debug, Clone)]
pub(super) enum Step {
    Key(String),
    Place(usize),
    First(Comparison, String),
    Slice(Option<i64>, Option<i64>),
}

#[derive(Debug, Clone, Copy)]
pub(super) enum Comparison {
    Is,
    IsNot,
    StartsWith,
    EndsWith,
    Contains,
}

impl Comparison {
    /// Longer operators come first, because `==^` begins with `==`.
    const SIGNS: [(&'static str, Self); 5] = [
        ("==^", Self::EndsWith),
        ("==", Self::Is),
        ("!=", Self::IsNot),
        ("^==", Self::StartsWith),
        ("*==", Self::Contains),
    ];

    fn holds(self, text: &str, expected: &str) -> bool {
        match self {
            Self::Is => text == expected,
            Self::IsNot => text != expected,
            Self::StartsWith => text.starts_with(expected),
            Self::EndsWith => text.ends_with(expected),
            Self::Contains => text.contains(expected),
        }
    }
}

/// Parses a path; the error says at which character parsing stopped.
pub(super) fn parse(text: &str) -> Result<Vec<Step>, String> {
    let mut steps = Vec::new();
    let mut rest = text;
    while !rest.is_empty() {
        let read = key(rest).or_else(|| comparison(rest)).or_else(|| slice(rest));
        let after_end = |step: &Step| matches!(step, Step::First(..) | Step::Slice(..));
        let (step, remaining) = read.or_else(|| place(rest)).ok_or_else(|| stopped(text, rest))?;
        if steps.last().is_some_and(after_end) && !matches!(step, Step::Slice(..)) {
            return Err(stopped(text, rest));
        }
        steps.push(step);
        rest = remaining;
    }
    if steps.is_empty() { Err("the path is empty".to_owned()) } else { Ok(steps) }
}

fn stopped(text: &str, rest: &str) -> String {
    format!("reading stopped at character {}", text[..text.len() - rest.len()].chars().count())
}

fn key(text: &str) -> Option<(Step, &str)> {
    let text = text.strip_prefix('.')?;
    if let Some((key, rest)) = quoted(text) {
        return Some((Step::Key(key.to_owned()), rest));
    }
    let plain = |c: char| c.is_alphanumeric() || "_$@".contains(c);
    let end = text.find(|c| !plain(c)).unwrap_or(text.len());
    (end > 0).then(|| (Step::Key(text[..end].to_owned()), &text[end..]))
}

fn quoted(text: &str) -> Option<(&str, &str)> {
    text.strip_prefix('"')?.split_once('"')
}

fn place(text: &str) -> Option<(Step, &str)> {
    let (digits, rest) = text.strip_prefix('[')?.split_once(']')?;
    let is_number = !digits.is_empty() && digits.bytes().all(|byte| byte.is_ascii_digit());
    Some((Step::Place(digits.parse().ok().filter(|_| is_number)?), rest))
}

fn comparison(text: &str) -> Option<(Step, &str)> {
    let text = text.strip_prefix("[?(@")?.trim_start();
    let (sign, comparison) =
        Comparison::SIGNS.into_iter().find(|(sign, _)| text.starts_with(sign))?;
    let (expected, rest) = quoted(text[sign.len()..].trim_start())?;
    Some((Step::First(comparison, expected.to_owned()), rest.strip_prefix(")]")?))
}

fn slice(text: &str) -> Option<(Step, &str)> {
    let (inside, rest) = text.strip_prefix('[')?.split_once(']')?;
    let (from, to) = inside.split_once(':')?;
    let end = |text: &str| match text {
        "" => Some(None),
        _ if text.starts_with('+') => None,
        _ => text.parse().ok().map(Some),
    };
    Some((Step::Slice(end(from)?, end(to)?), rest))
}

/// The value that the path selects in the claims.
pub(super) fn find<'a>(steps: &[Step], claims: &'a Value) -> Option<Cow<'a, str>> {
    let mut at = claims;
    let mut steps = steps.iter();
    while let Some(step) = steps.next() {
        at = match step {
            Step::Key(key) => at.get(key)?,
            Step::Place(place) => at.as_array()?.get(*place)?,
            Step::First(comparison, expected) => at.as_array()?.iter().find(|value| {
                value.as_str().is_some_and(|text| comparison.holds(text, expected))
            })?,
            Step::Slice(from, to) => {
                let mut text = cut(at.as_str()?, *from, *to);
                for step in steps {
                    let Step::Slice(from, to) = step else { return None };
                    text = cut(&text, *from, *to);
                }
                return Some(Cow::Owned(text));
            }
        };
    }
    Some(text_of(at))
}

/// The characters from `from` up to but not including `to`; negative positions count from the end.
fn cut(text: &str, from: Option<i64>, to: Option<i64>) -> String {
    let length = i64::try_from(text.chars().count()).unwrap_or(i64::MAX);
    let place = |at: i64| {
        let counted = if at < 0 { length.saturating_add(at) } else { at };
        usize::try_from(counted.clamp(0, length)).unwrap_or(0)
    };
    let (from, to) = (place(from.unwrap_or(0)), place(to.unwrap_or(length)));
    text.chars().skip(from).take(to.saturating_sub(from)).collect()
}
