//! Parses the text of a template into nodes.

use serde_json::Value;

use super::{Expression, Function, Node, TemplateError};

/// The deepest nesting; anything deeper is taken for a mistake.
const MAX_DEPTH: usize = 32;

pub(super) fn template(text: &str) -> Result<Vec<Node>, TemplateError> {
    let mut parser = Parser { parts: parts(text)?, at: 0 };
    let (nodes, end) = parser.nodes(0)?;
    match end {
        Stop::Text => Ok(nodes),
        Stop::End => Err(parser.error("an end without an if")),
        Stop::Else(_) => Err(parser.error("an else without an if")),
    }
}

enum TemplatePart {
    Text(String),
    Action { words: Vec<Word>, at: usize },
}

#[derive(Debug, Clone, PartialEq)]
enum Word {
    Name(String),
    Path(Vec<String>),
    Literal(Value),
    Open,
    Close,
}

/// What ended a list of nodes.
enum Stop {
    Text,
    End,
    /// With the condition of an `else if`.
    Else(Option<Vec<Word>>),
}

/// Splits the text at the braces and applies the trim marks.
fn parts(text: &str) -> Result<Vec<TemplatePart>, TemplateError> {
    let mut parts = Vec::new();
    let mut rest = text;
    let mut trim_next = false;
    while let Some((before, after)) = rest.split_once("{{") {
        let at = text.len() - after.len();
        let (inside, behind) =
            after.split_once("}}").ok_or_else(|| error("an action is not closed", at))?;
        // Go's text/template requires a blank beside a trim mark: `{{-3}}` prints a number.
        let trim_before = inside.starts_with("- ") || inside == "-";
        let trim_after = inside.ends_with(" -");
        let mut before = if trim_next { before.trim_start() } else { before };
        if trim_before {
            before = before.trim_end();
        }
        parts.push(TemplatePart::Text(before.to_owned()));
        let inside = inside.strip_prefix("- ").unwrap_or(inside);
        let inside = inside.strip_suffix(" -").unwrap_or(inside).trim();
        if !(inside.starts_with("/*") && inside.ends_with("*/")) {
            parts.push(TemplatePart::Action { words: words(inside, at)?, at });
        }
        rest = behind;
        trim_next = trim_after;
    }
    parts.push(TemplatePart::Text(if trim_next { rest.trim_start() } else { rest }.to_owned()));
    Ok(parts)
}

fn words(text: &str, at: usize) -> Result<Vec<Word>, TemplateError> {
    let mut words = Vec::new();
    let mut rest = text.trim_start();
    while let Some(first) = rest.chars().next() {
        let (word, length) = match first {
            '(' => (Word::Open, 1),
            ')' => (Word::Close, 1),
            '"' => string(rest).ok_or_else(|| error("a string is not closed", at))?,
            _ => bare(rest),
        };
        words.push(word);
        rest = rest.get(length..).unwrap_or_default().trim_start();
    }
    Ok(words)
}

/// A quoted string and the length of its source; `\"` and `\\` are escapes.
fn string(text: &str) -> Option<(Word, usize)> {
    let mut value = String::new();
    let mut characters = text.char_indices().skip(1);
    while let Some((at, c)) = characters.next() {
        match c {
            '"' => return Some((Word::Literal(Value::String(value)), at + 1)),
            '\\' => value.push(characters.next()?.1),
            _ => value.push(c),
        }
    }
    None
}

fn bare(text: &str) -> (Word, usize) {
    let length = text.find(|c: char| c.is_whitespace() || "()\"".contains(c)).unwrap_or(text.len());
    let word = text.get(..length).unwrap_or_default();
    let parsed = if let Some(path) = word.strip_prefix('.') {
        Word::Path(path.split('.').filter(|key| !key.is_empty()).map(str::to_owned).collect())
    } else if let Ok(value @ (Value::Bool(_) | Value::Number(_))) = serde_json::from_str(word) {
        Word::Literal(value)
    } else {
        Word::Name(word.to_owned())
    };
    (parsed, length)
}

struct Parser {
    parts: Vec<TemplatePart>,
    at: usize,
}

impl Parser {
    fn nodes(&mut self, depth: usize) -> Result<(Vec<Node>, Stop), TemplateError> {
        if depth > MAX_DEPTH {
            return Err(self.error("conditions nest too deep"));
        }
        let mut nodes = Vec::new();
        while let Some(piece) = self.parts.get(self.at) {
            self.at += 1;
            match piece {
                TemplatePart::Text(text) => nodes.push(Node::Text(text.clone())),
                TemplatePart::Action { words, .. } => {
                    let words = words.clone();
                    match words.first() {
                        Some(Word::Name(name)) if name == "end" => return Ok((nodes, Stop::End)),
                        Some(Word::Name(name)) if name == "else" => {
                            let condition = words.get(2..).filter(|rest| !rest.is_empty());
                            return Ok((nodes, Stop::Else(condition.map(<[Word]>::to_vec))));
                        }
                        Some(Word::Name(name)) if name == "if" => {
                            nodes.push(self.condition(words.get(1..).unwrap_or_default(), depth)?);
                        }
                        _ => nodes.push(Node::Print(self.expression(&words)?)),
                    }
                }
            }
        }
        Ok((nodes, Stop::Text))
    }

    fn condition(&mut self, words: &[Word], depth: usize) -> Result<Node, TemplateError> {
        let condition = self.expression(words)?;
        let (then, end) = self.nodes(depth + 1)?;
        let otherwise = match end {
            Stop::End => Vec::new(),
            Stop::Else(Some(words)) => vec![self.condition(&words, depth + 1)?],
            Stop::Else(None) => match self.nodes(depth + 1)? {
                (nodes, Stop::End) => nodes,
                _ => return Err(self.error("an if is not ended")),
            },
            Stop::Text => return Err(self.error("an if is not ended")),
        };
        Ok(Node::If { condition, then, otherwise })
    }

    fn expression(&self, words: &[Word]) -> Result<Expression, TemplateError> {
        let (expression, used) = self.call(words, 0)?;
        if used == words.len() {
            Ok(expression)
        } else {
            Err(self.error("something unexpected follows"))
        }
    }

    /// Parses one call or operand; returns it with the number of words it took.
    fn call(&self, words: &[Word], depth: usize) -> Result<(Expression, usize), TemplateError> {
        if depth > MAX_DEPTH {
            return Err(self.error("parentheses nest too deep"));
        }
        let Some(Word::Name(name)) = words.first() else { return self.operand(words, depth) };
        let function = match name.as_str() {
            "eq" => Function::Eq,
            "ne" => Function::Ne,
            "and" => Function::And,
            "or" => Function::Or,
            "not" => Function::Not,
            other => return Err(self.error(&format!("unknown function or action: {other}"))),
        };
        let mut used = 1;
        let mut arguments = Vec::new();
        while words.get(used).is_some_and(|word| *word != Word::Close) {
            let (argument, length) = self.operand(words.get(used..).unwrap_or_default(), depth)?;
            arguments.push(argument);
            used += length;
        }
        Ok((Expression::Call(function, arguments), used))
    }

    fn operand(&self, words: &[Word], depth: usize) -> Result<(Expression, usize), TemplateError> {
        match words.first() {
            Some(Word::Path(path)) => Ok((Expression::Path(path.clone()), 1)),
            Some(Word::Literal(value)) => Ok((Expression::Literal(value.clone()), 1)),
            Some(Word::Open) => {
                let (inner, length) = self.call(words.get(1..).unwrap_or_default(), depth + 1)?;
                match words.get(length + 1) {
                    Some(Word::Close) => Ok((inner, length + 2)),
                    _ => Err(self.error("a parenthesis is not closed")),
                }
            }
            Some(Word::Name(name)) => {
                Err(self.error(&format!("unknown function or action: {name}")))
            }
            Some(Word::Close) | None => Err(self.error("a value is missing")),
        }
    }

    fn error(&self, problem: &str) -> TemplateError {
        let parts_before = self.parts.get(..self.at).unwrap_or_default();
        let at = parts_before.iter().rev().find_map(|piece| match piece {
            TemplatePart::Action { at, .. } => Some(*at),
            TemplatePart::Text(_) => None,
        });
        error(problem, at.unwrap_or(0))
    }
}

fn error(problem: &str, at: usize) -> TemplateError {
    TemplateError { problem: problem.to_owned(), at }
}
