//! A transformation of a picture: its size, resize mode, quality and format.
//!
//! It is read from a query, from the `transform` of a body or from a signed token, and written as
//! the header `x-transformations` and as the claim of a token, each in the original's syntax.

mod parse;
mod text;

use serde_json::{Map, Value};

pub use parse::InvalidTransform;

/// The maximum side in pixels; larger requests are reduced to it.
const MOST_PIXELS: f64 = 2000.0;

/// A requested transformation. An empty one only re-encodes the picture.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub struct Transform {
    /// Height of the result in pixels, 1 to 2000.
    pub height: Option<u32>,
    /// Width of the result in pixels, 1 to 2000.
    pub width: Option<u32>,
    /// The resize mode.
    pub resize: Resize,
    /// The quality, 20 to 100.
    pub quality: Option<u8>,
    /// The format of the result.
    pub format: Format,
    /// The part to keep when the picture is cropped.
    pub gravity: Option<Gravity>,
}

/// The resize mode. No mode enlarges a picture.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum Resize {
    /// Keeps the aspect ratio, fills the box and crops the rest.
    #[default]
    Cover,
    /// Keeps the aspect ratio and fits the whole picture into the box.
    Contain,
    /// Stretches the picture to the sides of the box.
    Fill,
}

/// The format of the result.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum Format {
    /// WebP if the client accepts it, otherwise the format of the source.
    #[default]
    Accepted,
    /// The format of the source.
    Origin,
    /// WebP for every client.
    Webp,
}

/// The part to keep when the picture is cropped.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Gravity {
    /// The part at a side or in the middle, and an offset from there: pixels, or between -1 and 1 a
    /// fraction of the picture.
    Side(Side, Option<(f64, f64)>),
    /// The most interesting part.
    Smart,
    /// A focal point, as fractions of width and height.
    Point(f64, f64),
}

/// A side, a corner or the centre of the picture.
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
    /// Parses a decoded query. Unknown parameters are ignored; a repeated parameter has no valid
    /// value.
    ///
    /// # Errors
    /// The message is that of the original's schema.
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

    /// Parses fields of a body; `place` is their path in error messages.
    ///
    /// # Errors
    /// The message is that of the original's schema.
    pub fn from_fields(fields: &Map<String, Value>, place: &str) -> Result<Self, InvalidTransform> {
        let fields = parse::Fields { fields, place };
        // In the order of the original's schema, since only the first error is reported.
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

    /// Parses the claims of a token that this service signed; invalid parts are ignored. A focal
    /// point without coordinates is no error here, since such a token is never signed.
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

    /// Whether no transformation is requested; `format=origin` alone is none. The signed URL of
    /// such a picture is that of the object itself.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.claim().is_empty()
    }
}

/// A side in pixels; none for zero.
fn pixels(number: f64) -> Option<u32> {
    (number >= 1.0).then(|| number.min(MOST_PIXELS) as u32)
}

#[cfg(test)]
mod tests;
