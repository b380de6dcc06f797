//! The expressions of a statement, by descending precedence.

use regex::{Regex, RegexBuilder};

use super::super::QueryError;
use super::super::expression::{Cell, CellType, Expression, TimePart};
use super::super::tokens::Token;
use super::{Parser, unexpected};

/// The deepest nesting of expressions.
const DEEPEST: usize = 64;
/// The most values in all expressions together, because each may nest one level deeper.
const MOST_VALUES: usize = 400;
/// The most bytes of a compiled pattern.
const LARGEST_PATTERN: usize = 1 << 20;

/// The test that a comparison operator makes on an ordering.
type OrderTest = fn(std::cmp::Ordering) -> bool;

impl Parser<'_> {
    /// Parses an expression.
    pub(super) fn expression(&mut self) -> Result<Expression, QueryError> {
        self.depth += 1;
        if self.depth > DEEPEST {
            return Err(QueryError::Resources("the query is nested too deeply"));
        }
        let mut left = self.conjunction()?;
        while self.take("or") {
            left = Expression::Or(left.into(), self.conjunction()?.into());
        }
        self.depth -= 1;
        Ok(left)
    }

    fn conjunction(&mut self) -> Result<Expression, QueryError> {
        let mut left = self.negation()?;
        while self.take("and") {
            left = Expression::And(left.into(), self.negation()?.into());
        }
        Ok(left)
    }

    fn negation(&mut self) -> Result<Expression, QueryError> {
        let mut is_negated = false;
        while self.take("not") {
            is_negated = !is_negated;
        }
        let inner = self.comparison()?;
        Ok(if is_negated { Expression::Not(inner.into()) } else { inner })
    }

    fn comparison(&mut self) -> Result<Expression, QueryError> {
        let left = self.primary()?;
        let signs: [(&str, OrderTest); 7] = [
            ("<=", |order| order.is_le()),
            (">=", |order| order.is_ge()),
            ("<>", |order| order.is_ne()),
            ("!=", |order| order.is_ne()),
            ("=", |order| order.is_eq()),
            ("<", |order| order.is_lt()),
            (">", |order| order.is_gt()),
        ];
        for (sign, is_so) in signs {
            if self.take(sign) {
                return Ok(Expression::Compare(left.into(), is_so, self.primary()?.into()));
            }
        }
        if self.take("is") {
            let is_negated = self.take("not");
            self.expect("null")?;
            let inner = Expression::IsNull(left.into());
            return Ok(if is_negated { Expression::Not(inner.into()) } else { inner });
        }
        let is_negated = self.take("not");
        let found = self.test(left)?;
        match (found, is_negated) {
            (Ok(test), true) => Ok(Expression::Not(test.into())),
            (Ok(test), false) => Ok(test),
            (Err(left), false) => Ok(left),
            (Err(_), true) => Err(QueryError::query("Syntax error: Unexpected NOT")),
        }
    }

    /// Parses `in`, `between` or `like` after a value; returns the value if none follows.
    fn test(&mut self, left: Expression) -> Result<Result<Expression, Expression>, QueryError> {
        if self.take("in") {
            self.expect("(")?;
            let list = self.list()?;
            return Ok(Ok(Expression::In(left.into(), list)));
        }
        if self.take("between") {
            let low = self.primary()?;
            self.expect("and")?;
            let high = self.primary()?;
            let above = Expression::Compare(left.clone().into(), |order| order.is_ge(), low.into());
            let below = Expression::Compare(left.into(), |order| order.is_le(), high.into());
            return Ok(Ok(Expression::And(above.into(), below.into())));
        }
        let is_insensitive = self.is_next("ilike");
        if self.take("like") || self.take("ilike") {
            let Token::Text(pattern) = self.next()? else {
                return Err(QueryError::query("Unsupported query: LIKE expects a text"));
            };
            let pattern = like(&pattern, is_insensitive)?;
            return Ok(Ok(Expression::Match(left.into(), pattern)));
        }
        Ok(Err(left))
    }

    /// Parses expressions up to the closing bracket.
    fn list(&mut self) -> Result<Vec<Expression>, QueryError> {
        let mut list = vec![self.expression()?];
        while self.take(",") {
            list.push(self.expression()?);
        }
        self.expect(")")?;
        Ok(list)
    }

    fn count_value(&mut self) -> Result<(), QueryError> {
        self.values += 1;
        if self.values > MOST_VALUES {
            return Err(QueryError::Resources("the query has too many expressions"));
        }
        Ok(())
    }

    pub(super) fn primary(&mut self) -> Result<Expression, QueryError> {
        self.count_value()?;
        let mut value = match self.next()? {
            Token::Text(text) => Expression::Literal(Cell::Text(text)),
            Token::Number(text) => number(&text)?,
            Token::Sign("-") => match self.next()? {
                Token::Number(text) => number(&format!("-{text}"))?,
                other => return Err(unexpected(&other)),
            },
            Token::Sign("(") => {
                let inner = self.expression()?;
                self.expect(")")?;
                inner
            }
            Token::Word(word) => self.word(&word)?,
            Token::Name(name) => self.path(name)?,
            other => return Err(unexpected(&other)),
        };
        while self.take("::") {
            self.count_value()?;
            let to = self.cell_type()?;
            value = Expression::Cast { value: value.into(), to, is_safe: false };
        }
        Ok(value)
    }

    fn path(&mut self, first: String) -> Result<Expression, QueryError> {
        let mut path = vec![first.to_ascii_lowercase()];
        while self.take(".") {
            path.push(self.name()?);
        }
        Ok(Expression::Path(path))
    }

    /// Parses a keyword, a call, or a name.
    fn word(&mut self, word: &str) -> Result<Expression, QueryError> {
        let small = word.to_ascii_lowercase();
        match small.as_str() {
            "true" => return Ok(Expression::Literal(Cell::Bool(true))),
            "false" => return Ok(Expression::Literal(Cell::Bool(false))),
            "null" => return Ok(Expression::Literal(Cell::Null)),
            "case" => return self.case(),
            _ => {}
        }
        if !self.take("(") {
            return match small.as_str() {
                "select" | "from" | "where" | "group" | "order" | "limit" | "with" | "distinct"
                | "union" | "having" => Err(unexpected(&Token::Word(word.to_owned()))),
                _ => self.path(small),
            };
        }
        match small.as_str() {
            "cast" | "safe_cast" => {
                let value = self.expression()?.into();
                self.expect("as")?;
                let to = self.cell_type()?;
                self.expect(")")?;
                Ok(Expression::Cast { value, to, is_safe: small == "safe_cast" })
            }
            "timestamp_trunc" => {
                let value = self.expression()?.into();
                self.expect(",")?;
                let part = self.name()?;
                self.expect(")")?;
                let part = TimePart::from_name(&part).ok_or_else(|| {
                    QueryError::query(format!("A valid date part is expected, not {part}"))
                })?;
                Ok(Expression::Truncate(value, part))
            }
            "regexp_contains" | "starts_with" | "ends_with" => {
                let value = self.expression()?.into();
                self.expect(",")?;
                let Token::Text(pattern) = self.next()? else {
                    return Err(QueryError::query("Unsupported query: a pattern is a text"));
                };
                self.expect(")")?;
                let pattern = match small.as_str() {
                    "starts_with" => format!("^{}", regex::escape(&pattern)),
                    "ends_with" => format!("{}$", regex::escape(&pattern)),
                    _ => pattern,
                };
                Ok(Expression::Match(value, compiled(&pattern, false)?))
            }
            "coalesce" | "ifnull" => Ok(Expression::Coalesce(self.list()?)),
            "lower" | "upper" => {
                let value = self.expression()?.into();
                self.expect(")")?;
                Ok(Expression::Letters { value, is_upper: small == "upper" })
            }
            "datetime" => {
                let value = self.expression()?.into();
                self.expect(")")?;
                Ok(Expression::Cast { value, to: CellType::DateTime, is_safe: false })
            }
            _ => Err(QueryError::query(format!("Function not found: {small}"))),
        }
    }

    fn case(&mut self) -> Result<Expression, QueryError> {
        let mut branches = Vec::new();
        while self.take("when") {
            let condition = self.expression()?;
            self.expect("then")?;
            branches.push((condition, self.expression()?));
        }
        let otherwise = self.take("else").then(|| self.expression()).transpose()?;
        self.expect("end")?;
        if branches.is_empty() {
            return Err(QueryError::query("Unsupported query: CASE of a value"));
        }
        Ok(Expression::Case(branches, otherwise.map(Box::new)))
    }

    fn cell_type(&mut self) -> Result<CellType, QueryError> {
        let name = self.name()?;
        Ok(match name.as_str() {
            "int64" | "int" | "integer" | "bigint" => CellType::Int,
            "float64" | "numeric" => CellType::Float,
            "string" | "text" | "varchar" => CellType::Text,
            "timestamp" => CellType::Time,
            "datetime" => CellType::DateTime,
            _ => return Err(QueryError::query(format!("Type not found: {name}"))),
        })
    }
}

fn number(text: &str) -> Result<Expression, QueryError> {
    let cell = text.parse().map(Cell::Int).or_else(|_| text.parse().map(Cell::Float));
    cell.map(Expression::Literal)
        .map_err(|_| QueryError::query("Syntax error: Invalid numeric literal"))
}

/// Compiles the pattern of a `like`.
fn like(pattern: &str, is_insensitive: bool) -> Result<Regex, QueryError> {
    let mut expression = String::from("(?s)^");
    let mut characters = pattern.chars();
    while let Some(character) = characters.next() {
        match character {
            '%' => expression.push_str(".*"),
            '_' => expression.push('.'),
            '\\' => {
                expression.extend(characters.next().map(|next| regex::escape(&next.to_string())))
            }
            other => expression.push_str(&regex::escape(&other.to_string())),
        }
    }
    expression.push('$');
    compiled(&expression, is_insensitive)
}

fn compiled(pattern: &str, is_insensitive: bool) -> Result<Regex, QueryError> {
    let mut builder = RegexBuilder::new(pattern);
    builder.case_insensitive(is_insensitive).size_limit(LARGEST_PATTERN);
    builder.build().map_err(|_| QueryError::query("Cannot parse regular expression"))
}
