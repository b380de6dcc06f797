//! Parses values as the original's validator does: a text counts as the number that it contains,
//! and each error is a sentence about one field.

use serde_json::{Map, Value};

use super::{Format, Gravity, Resize, Side, Transform};
use crate::model::scalar::number;

/// Why a transformation is invalid.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum InvalidTransform {
    /// A field is invalid: the message.
    #[error("{0}")]
    Field(String),
    /// A focal point lacks valid coordinates.
    #[error("Focal point requires x and y coordinates within 0-1 range")]
    FocalPoint,
}

/// The fields to parse, and their path in error messages.
pub(super) struct Fields<'a> {
    pub fields: &'a Map<String, Value>,
    pub place: &'a str,
}

/// A gravity by its name, before its offsets are parsed.
#[derive(Debug, Clone, Copy)]
pub(super) enum GravityName {
    Side(Side),
    Smart,
    Point,
}

impl Fields<'_> {
    /// Parses a whole number within a range.
    pub fn integer(
        &self,
        name: &str,
        least: f64,
        most: f64,
    ) -> Result<Option<f64>, InvalidTransform> {
        let Some(value) = self.fields.get(name) else { return Ok(None) };
        let is_integer = |number: &f64| number.is_infinite() || number.fract() == 0.0;
        let number = number(value).filter(is_integer);
        let number = number.ok_or_else(|| self.refuse(name, "must be integer"))?;
        let number = self.finite(name, number)?;
        if number < least {
            return Err(self.refuse(name, &format!("must be >= {least}")));
        }
        if number > most {
            return Err(self.refuse(name, &format!("must be <= {most}")));
        }
        Ok(Some(number))
    }

    /// Parses any number.
    pub fn number(&self, name: &str) -> Result<Option<f64>, InvalidTransform> {
        let Some(value) = self.fields.get(name) else { return Ok(None) };
        let number = number(value).ok_or_else(|| self.refuse(name, "must be number"))?;
        self.finite(name, number).map(Some)
    }

    /// Parses one of the allowed values.
    pub fn word<T: Copy>(
        &self,
        name: &str,
        known: &[(&str, T)],
    ) -> Result<Option<T>, InvalidTransform> {
        let Some(value) = self.fields.get(name) else { return Ok(None) };
        let known = known.iter().find(|(word, _)| value.as_str() == Some(*word));
        let refusal = || self.refuse(name, "must be equal to one of the allowed values");
        known.map(|(_, meaning)| Some(*meaning)).ok_or_else(refusal)
    }

    fn finite(&self, name: &str, number: f64) -> Result<f64, InvalidTransform> {
        let refusal = || self.refuse(name, "must pass \"finite\" keyword validation");
        if number.is_finite() { Ok(number) } else { Err(refusal()) }
    }

    fn refuse(&self, name: &str, rule: &str) -> InvalidTransform {
        InvalidTransform::Field(format!("{}/{name} {rule}", self.place))
    }
}

impl GravityName {
    pub fn with(self, (x, y): (Option<f64>, Option<f64>)) -> Result<Gravity, InvalidTransform> {
        let part = |value: Option<f64>| value.filter(|value| (0.0..=1.0).contains(value));
        match self {
            Self::Smart => Ok(Gravity::Smart),
            Self::Point => {
                let point = part(x).zip(part(y)).ok_or(InvalidTransform::FocalPoint)?;
                Ok(Gravity::Point(point.0, point.1))
            }
            Self::Side(side) => {
                let offset = (x.is_some() || y.is_some())
                    .then(|| (x.unwrap_or_default(), y.unwrap_or_default()));
                Ok(Gravity::Side(side, offset))
            }
        }
    }

    pub const NAMES: &[(&str, Self)] = &[
        ("no", Self::Side(Side::North)),
        ("so", Self::Side(Side::South)),
        ("ea", Self::Side(Side::East)),
        ("we", Self::Side(Side::West)),
        ("noea", Self::Side(Side::NorthEast)),
        ("nowe", Self::Side(Side::NorthWest)),
        ("soea", Self::Side(Side::SouthEast)),
        ("sowe", Self::Side(Side::SouthWest)),
        ("ce", Self::Side(Side::Centre)),
        ("sm", Self::Smart),
        ("fp", Self::Point),
    ];
}

impl Resize {
    pub(super) const NAMES: &[(&str, Self)] =
        &[("cover", Self::Cover), ("contain", Self::Contain), ("fill", Self::Fill)];
}

impl Format {
    /// `avif` is not supported: encoding it costs more than a request may.
    pub(super) const NAMES: &[(&str, Self)] = &[("origin", Self::Origin), ("webp", Self::Webp)];
}

/// Parses the valid fields and ignores the others.
pub(super) fn without_the_wrong(mut fields: Map<String, Value>) -> Transform {
    loop {
        match Transform::from_fields(&fields, "") {
            Ok(transform) => return transform,
            Err(InvalidTransform::FocalPoint) => fields.remove("gravity"),
            Err(InvalidTransform::Field(sentence)) => {
                let name = sentence.trim_start_matches('/').split(' ').next().unwrap_or_default();
                fields.remove(name)
            }
        };
    }
}
