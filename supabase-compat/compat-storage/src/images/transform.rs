//! What is asked of a picture: its size, how it is brought to it, its quality and its form.
//!
//! Read from a query, from the `transform` of a body or from a signed token, and written back as
//! the header `x-transformations` and as the claim of a token, each in the original's words.

mod parse;
mod text;

use serde_json::{Map, Value};

pub use parse::InvalidTransform;

/// Pixels a side may be asked for at most; more is asked for as this much.
const MOST_PIXELS: f64 = 2000.0;

/// What is asked of a picture. Without anything it is only written anew.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub struct Transform {
    /// Height of the result in pixels, 1 to 2000.
    pub height: Option<u32>,
    /// Width of the result in pixels, 1 to 2000.
    pub width: Option<u32>,
    /// How both are reached.
    pub resize: Resize,
    /// 20 to 100.
    pub quality: Option<u8>,
    /// The form of the result.
    pub format: Format,
    /// What stays in sight where something is cut off.
    pub gravity: Option<Gravity>,
}

/// How a picture comes to its size. None of them makes it larger than it is.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum Resize {
    /// Its sides keep their ratio, the box is filled and what sticks out is cut off.
    #[default]
    Cover,
    /// Its sides keep their ratio and all of it is in the box.
    Contain,
    /// Its sides become those of the box.
    Fill,
}

/// The form of the result.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum Format {
    /// WebP for whoever accepts it, else that of the source.
    #[default]
    Accepted,
    /// That of the source.
    Origin,
    /// WebP, whoever asks.
    Webp,
}

/// What stays in sight.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Gravity {
    /// What lies at a side or in the middle, and how far from there: pixels, or from -1 to 1 a
    /// part of the picture.
    Side(Side, Option<(f64, f64)>),
    /// Where there is most to see.
    Smart,
    /// A point, as parts of width and height.
    Point(f64, f64),
}

/// A place in the picture.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Side {
    North,
    South,
    East,
    West,
    NorthEast,
    NorthWest,
    SouthEast,
    SouthWest,
    Centre,
}

impl Transform {
    /// Reads a decoded query. What it does not know is left alone; what comes twice is no value.
    ///
    /// # Errors
    /// In the words of the original's schema.
    pub fn from_query<'a>(
        pairs: impl Iterator<Item = (&'a str, &'a str)>,
    ) -> Result<Self, InvalidTransform> {
        let mut fields = Map::new();
        for (name, value) in pairs {
            let value = Value::String(value.to_owned());
            let value = if fields.contains_key(name) { Value::Array(Vec::new()) } else { value };
            fields.insert(name.to_owned(), value);
        }
        Self::from_fields(&fields, "querystring")
    }

    /// Reads fields of a body; `place` is what a refusal calls them.
    ///
    /// # Errors
    /// In the words of the original's schema.
    pub fn from_fields(fields: &Map<String, Value>, place: &str) -> Result<Self, InvalidTransform> {
        let fields = parse::Fields { fields, place };
        // In the order of the original's schema, since the first that is wrong is told.
        let height = fields.integer("height", 0.0, f64::INFINITY)?;
        let width = fields.integer("width", 0.0, f64::INFINITY)?;
        let resize = fields.word("resize", Resize::NAMES)?.unwrap_or_default();
        let format = fields.word("format", Format::NAMES)?.unwrap_or_default();
        let quality = fields.integer("quality", 20.0, 100.0)?;
        let gravity = fields.word("gravity", parse::GravityName::NAMES)?;
        let offset = (fields.number("x_offset")?, fields.number("y_offset")?);
        Ok(Self {
            height: height.and_then(pixels),
            width: width.and_then(pixels),
            resize,
            quality: quality.map(|quality| quality as u8),
            format,
            gravity: gravity.map(|pull| pull.with(offset)).transpose()?,
        })
    }

    /// Reads the claims of a token, which is ours; what is not understood in them is left out.
    /// Nothing is said to have no coordinates of a focal point here: such a token is never made.
    #[must_use]
    pub fn from_claims(transformations: &str, format: Option<&str>) -> Self {
        let mut fields = Map::new();
        for (name, value) in transformations.split(',').filter_map(|part| part.split_once(':')) {
            let mut values = value.split(':');
            fields.insert(name.to_owned(), values.next().unwrap_or_default().into());
            if name == "gravity" {
                for (offset, value) in ["x_offset", "y_offset"].into_iter().zip(values) {
                    fields.insert(offset.to_owned(), value.into());
                }
            }
        }
        if let Some(format) = format {
            fields.insert("format".to_owned(), format.into());
        }
        parse::without_the_wrong(fields)
    }

    /// Whether anything but the form is asked for: the addresses of others are those of the object
    /// itself.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.claim().is_empty()
    }
}

/// A side; none where none or nothing is asked for.
fn pixels(number: f64) -> Option<u32> {
    (number >= 1.0).then(|| number.min(MOST_PIXELS) as u32)
}

#[cfg(test)]
mod tests;
