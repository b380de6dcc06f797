//! Expressions over a row: their types, their values and their evaluation.

use std::cmp::Ordering;

use chrono::{DateTime, NaiveDateTime, SecondsFormat, TimeZone as _, Utc};
use regex::Regex;
use serde_json::Value;

use super::QueryError;

/// An SQL value.
#[derive(Debug, Clone, PartialEq)]
pub(super) enum Cell {
    Null,
    Bool(bool),
    Int(i64),
    Float(f64),
    Text(String),
    /// Microseconds since 1970, the unit of Logflare's times.
    Time(i64),
    /// A struct or an array.
    Json(Value),
}

/// An expression that is evaluated on one row.
#[derive(Debug, Clone)]
pub(super) enum Expression {
    Literal(Cell),
    /// The parts of a name, in lower case.
    Path(Vec<String>),
    Not(Box<Expression>),
    And(Box<Expression>, Box<Expression>),
    Or(Box<Expression>, Box<Expression>),
    Compare(Box<Expression>, fn(Ordering) -> bool, Box<Expression>),
    In(Box<Expression>, Vec<Expression>),
    /// `like`, `ilike`, `regexp_contains`, `starts_with`.
    Match(Box<Expression>, Regex),
    IsNull(Box<Expression>),
    Case(Vec<(Expression, Expression)>, Option<Box<Expression>>),
    Cast {
        value: Box<Expression>,
        to: CellType,
        is_safe: bool,
    },
    /// The first value that is not null.
    Coalesce(Vec<Expression>),
    Truncate(Box<Expression>, TimePart),
    /// `lower` or `upper` of a text.
    Letters {
        value: Box<Expression>,
        is_upper: bool,
    },
}

/// The target type of a cast.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum CellType {
    Int,
    Float,
    Text,
    Time,
    /// A time as text, without a zone.
    DateTime,
}

/// The precision to which a time is truncated.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum TimePart {
    Second,
    Minute,
    Hour,
    Day,
}

/// Resolves the names in an expression.
pub(super) trait Scope {
    /// The value of a name.
    ///
    /// # Errors
    /// The name is unknown.
    fn look_up(&self, path: &[String]) -> Result<Cell, QueryError>;
}

impl Expression {
    /// The value of the expression.
    pub fn evaluate(&self, scope: &dyn Scope) -> Result<Cell, QueryError> {
        Ok(match self {
            Self::Literal(cell) => cell.clone(),
            Self::Path(path) => scope.look_up(path)?,
            Self::Not(inner) => boolean_cell(inner.holds(scope)?.map(|holds| !holds)),
            Self::And(left, right) => {
                boolean_cell(match (left.holds(scope)?, right.holds(scope)?) {
                    (Some(false), _) | (_, Some(false)) => Some(false),
                    (Some(true), Some(true)) => Some(true),
                    _ => None,
                })
            }
            Self::Or(left, right) => {
                boolean_cell(match (left.holds(scope)?, right.holds(scope)?) {
                    (Some(true), _) | (_, Some(true)) => Some(true),
                    (Some(false), Some(false)) => Some(false),
                    _ => None,
                })
            }
            Self::Compare(left, is_so, right) => {
                let order = left.evaluate(scope)?.compare(&right.evaluate(scope)?)?;
                boolean_cell(order.map(is_so))
            }
            Self::In(value, list) => {
                let value = value.evaluate(scope)?;
                let (mut is_found, mut unknown) = (false, value == Cell::Null);
                for one in list {
                    match value.compare(&one.evaluate(scope)?)? {
                        Some(order) => is_found |= order.is_eq(),
                        None => unknown = true,
                    }
                }
                boolean_cell(if is_found { Some(true) } else { (!unknown).then_some(false) })
            }
            Self::Match(value, pattern) => match value.evaluate(scope)? {
                Cell::Null => Cell::Null,
                Cell::Text(text) => Cell::Bool(pattern.is_match(&text)),
                _ => return Err(QueryError::query("No matching signature: a text is expected")),
            },
            Self::IsNull(value) => Cell::Bool(value.evaluate(scope)? == Cell::Null),
            Self::Case(branches, otherwise) => {
                for (condition, value) in branches {
                    if condition.holds(scope)? == Some(true) {
                        return value.evaluate(scope);
                    }
                }
                otherwise.as_ref().map_or(Ok(Cell::Null), |value| value.evaluate(scope))?
            }
            Self::Cast { value, to, is_safe } => {
                let value = value.evaluate(scope)?;
                match value.cast(*to) {
                    Some(cell) => cell,
                    None if *is_safe => Cell::Null,
                    None => return Err(QueryError::query(format!("Bad value for cast to {to:?}"))),
                }
            }
            Self::Coalesce(values) => {
                for value in values {
                    let cell = value.evaluate(scope)?;
                    if cell != Cell::Null {
                        return Ok(cell);
                    }
                }
                Cell::Null
            }
            Self::Truncate(value, part) => match value.evaluate(scope)? {
                Cell::Time(micros) => Cell::Time(part.truncate(micros)),
                Cell::Null => Cell::Null,
                _ => return Err(QueryError::query("No matching signature: a time is expected")),
            },
            Self::Letters { value, is_upper } => match value.evaluate(scope)? {
                Cell::Text(text) if *is_upper => Cell::Text(text.to_uppercase()),
                Cell::Text(text) => Cell::Text(text.to_lowercase()),
                Cell::Null => Cell::Null,
                _ => return Err(QueryError::query("No matching signature: a text is expected")),
            },
        })
    }

    /// Whether a condition holds; none if its value is null.
    pub fn holds(&self, scope: &dyn Scope) -> Result<Option<bool>, QueryError> {
        match self.evaluate(scope)? {
            Cell::Bool(holds) => Ok(Some(holds)),
            Cell::Null => Ok(None),
            _ => Err(QueryError::query("No matching signature: a condition is expected")),
        }
    }
}

fn boolean_cell(holds: Option<bool>) -> Cell {
    holds.map_or(Cell::Null, Cell::Bool)
}

impl Cell {
    /// Converts a JSON value.
    pub fn of_json(value: &Value) -> Self {
        match value {
            Value::Null => Self::Null,
            Value::Bool(value) => Self::Bool(*value),
            Value::Number(number) => number
                .as_i64()
                .map(Self::Int)
                .unwrap_or_else(|| Self::Float(number.as_f64().unwrap_or_default())),
            Value::String(text) => Self::Text(text.clone()),
            other => Self::Json(other.clone()),
        }
    }

    /// Converts the value to its JSON form in an answer.
    pub fn into_json(self) -> Value {
        match self {
            Self::Null => Value::Null,
            Self::Bool(value) => value.into(),
            Self::Int(value) | Self::Time(value) => value.into(),
            Self::Float(value) => value.into(),
            Self::Text(text) => text.into(),
            Self::Json(value) => value,
        }
    }

    /// Compares two values; none if one is null.
    ///
    /// # Errors
    /// The types cannot be compared.
    pub fn compare(&self, other: &Self) -> Result<Option<Ordering>, QueryError> {
        let (left, right) = match (self, other) {
            (Self::Null, _) | (_, Self::Null) => return Ok(None),
            (Self::Bool(left), Self::Bool(right)) => return Ok(Some(left.cmp(right))),
            (Self::Int(left), Self::Int(right)) => return Ok(Some(left.cmp(right))),
            (Self::Text(left), Self::Text(right)) => return Ok(Some(left.cmp(right))),
            (Self::Time(left), Self::Time(right)) => return Ok(Some(left.cmp(right))),
            (Self::Time(left), Self::Text(right)) => return Ok(Some(left.cmp(&micros(right)?))),
            (Self::Text(left), Self::Time(right)) => return Ok(Some(micros(left)?.cmp(right))),
            (Self::Int(left), Self::Float(right)) => (*left as f64, *right),
            (Self::Float(left), Self::Int(right)) => (*left, *right as f64),
            (Self::Float(left), Self::Float(right)) => (*left, *right),
            _ => return Err(QueryError::query("No matching signature for operator")),
        };
        Ok(left.partial_cmp(&right))
    }

    /// A total order of all values, which sorts values of different types by type.
    pub fn total_order(&self, other: &Self) -> Ordering {
        match (self, other) {
            (Self::Bool(left), Self::Bool(right)) => left.cmp(right),
            (Self::Int(left), Self::Int(right)) | (Self::Time(left), Self::Time(right)) => {
                left.cmp(right)
            }
            (Self::Float(left), Self::Float(right)) => left.total_cmp(right),
            (Self::Text(left), Self::Text(right)) => left.cmp(right),
            _ => self.rank().cmp(&other.rank()),
        }
    }

    fn rank(&self) -> u8 {
        match self {
            Self::Null => 0,
            Self::Bool(_) => 1,
            Self::Int(_) => 2,
            Self::Float(_) => 3,
            Self::Time(_) => 4,
            Self::Text(_) => 5,
            Self::Json(_) => 6,
        }
    }

    fn cast(self, to: CellType) -> Option<Self> {
        Some(match (self, to) {
            (Self::Null, _) => Self::Null,
            (Self::Int(value), CellType::Int) => Self::Int(value),
            (Self::Float(value), CellType::Int) => Self::Int(value.round() as i64),
            (Self::Text(text), CellType::Int) => Self::Int(text.trim().parse().ok()?),
            (Self::Int(value), CellType::Float) => Self::Float(value as f64),
            (Self::Float(value), CellType::Float) => Self::Float(value),
            (Self::Text(text), CellType::Float) => Self::Float(text.trim().parse().ok()?),
            (Self::Time(micros), CellType::Text) => Self::Text(text_of(micros)?),
            (Self::Time(micros), CellType::Time) => Self::Time(micros),
            (Self::Time(micros), CellType::DateTime) => {
                Self::Text(text_of(micros)?.trim_end_matches('Z').to_owned())
            }
            (Self::Text(text), CellType::Time) => Self::Time(time(&text)?.timestamp_micros()),
            (Self::Text(text), CellType::Text) => Self::Text(text),
            (Self::Int(value), CellType::Text) => Self::Text(value.to_string()),
            (Self::Float(value), CellType::Text) => Self::Text(value.to_string()),
            (Self::Bool(value), CellType::Text) => Self::Text(value.to_string()),
            _ => return None,
        })
    }
}

fn micros(text: &str) -> Result<i64, QueryError> {
    let time = time(text).ok_or_else(|| super::invalid_time(text))?;
    Ok(time.timestamp_micros())
}

fn text_of(micros: i64) -> Option<String> {
    let time = Utc.timestamp_micros(micros).single()?;
    Some(time.to_rfc3339_opts(SecondsFormat::Micros, true))
}

/// Parses a time that a client wrote: with a zone, or in UTC without one.
pub(super) fn time(text: &str) -> Option<DateTime<Utc>> {
    let with_zone = DateTime::parse_from_rfc3339(text).ok().map(|time| time.to_utc());
    with_zone.or_else(|| {
        let forms = ["%Y-%m-%dT%H:%M:%S%.f", "%Y-%m-%d %H:%M:%S%.f"];
        let mut read =
            forms.iter().filter_map(|form| NaiveDateTime::parse_from_str(text, form).ok());
        read.next().map(|time| time.and_utc())
    })
}

impl TimePart {
    /// The part of this name.
    pub fn from_name(name: &str) -> Option<Self> {
        Some(match name.to_ascii_lowercase().as_str() {
            "second" => Self::Second,
            "minute" => Self::Minute,
            "hour" => Self::Hour,
            "day" => Self::Day,
            _ => return None,
        })
    }

    /// Truncates a time in microseconds to the beginning of its part.
    pub fn truncate(self, micros: i64) -> i64 {
        let length = match self {
            Self::Second => 1,
            Self::Minute => 60,
            Self::Hour => 3600,
            Self::Day => 86_400,
        } * 1_000_000;
        micros.div_euclid(length) * length
    }
}
