//! The two texts of a transformation: the response header and the token claim.

use std::fmt::Display;

use super::parse::GravityName;
use super::{Format, Gravity, Resize, Side, Transform};

impl Transform {
    /// `x-transformations`: the applied transformation in the original's syntax; empty for an empty
    /// one.
    #[must_use]
    pub fn header(&self) -> String {
        let resize = match self.resize {
            Resize::Cover => "fill",
            Resize::Contain => "fit",
            Resize::Fill => "force",
        };
        self.text("resizing_type", resize)
    }

    /// The claim `transformations` of a token for a signed URL.
    #[must_use]
    pub fn claim(&self) -> String {
        let named = Resize::NAMES.iter().find(|(_, resize)| *resize == self.resize);
        self.text("resize", named.map_or("cover", |(name, _)| name))
    }

    /// The claim `format` of a token; the claim `transformations` does not contain the format
    /// `origin`.
    #[must_use]
    pub fn format_claim(&self) -> Option<&'static str> {
        Format::NAMES.iter().find(|(_, format)| *format == self.format).map(|(name, _)| *name)
    }

    fn text(&self, resize_name: &str, resize: &str) -> String {
        let mut parts = Vec::new();
        let mut write_part =
            |name: &str, value: &dyn Display| parts.push(format!("{name}:{value}"));
        if let Some(height) = self.height {
            write_part("height", &height);
        }
        if let Some(width) = self.width {
            write_part("width", &width);
        }
        if self.width.is_some() || self.height.is_some() {
            write_part(resize_name, &resize);
        }
        if let Some(quality) = self.quality {
            write_part("quality", &quality);
        }
        if self.format == Format::Webp {
            write_part("format", &"webp");
        }
        if let Some(gravity) = self.gravity {
            write_part("gravity", &gravity_text(gravity));
        }
        parts.join(",")
    }
}

fn gravity_text(gravity: Gravity) -> String {
    match gravity {
        Gravity::Smart => "sm".to_owned(),
        Gravity::Point(x, y) => format!("fp:{}:{}", Number(x), Number(y)),
        Gravity::Side(side, None) => side_name(side).to_owned(),
        Gravity::Side(side, Some((x, y))) => {
            format!("{}:{}:{}", side_name(side), Number(x), Number(y))
        }
    }
}

fn side_name(side: Side) -> &'static str {
    let named = |pull: &GravityName| matches!(pull, GravityName::Side(known) if *known == side);
    GravityName::NAMES.iter().find(|(_, pull)| named(pull)).map_or("ce", |(name, _)| name)
}

/// A number as JavaScript writes it.
struct Number(f64);

impl Display for Number {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let size = self.0.abs();
        if size >= 1e21 {
            write!(f, "{}", format!("{:e}", self.0).replace('e', "e+"))
        } else if size > 0.0 && size < 1e-6 {
            write!(f, "{:e}", self.0)
        } else {
            // Adding 0.0 drops the sign of a negative zero.
            write!(f, "{}", self.0 + 0.0)
        }
    }
}
