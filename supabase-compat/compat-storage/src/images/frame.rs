//! Geometry: which part of a picture is kept and how large it becomes, in whole pixels.
//!
//! The rules follow imgproxy, which renders for the original: pictures are never enlarged, a box
//! that is larger than the picture keeps its aspect ratio, and the gravity decides what is cut off.

use image::metadata::Orientation;

use super::transform::{Gravity, Resize, Side, Transform};

/// Width and height in pixels.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Size {
    pub width: u32,
    pub height: u32,
}

/// A part of a picture in fractional pixels.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Region {
    pub left: f64,
    pub top: f64,
    pub width: f64,
    pub height: f64,
}

/// The part of a picture to keep, and the size that this part becomes.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Frame {
    pub part: Region,
    pub size: Size,
}

/// The size of a picture after scaling, before and after cropping.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct ScaledPicture {
    source: Size,
    uncropped: Size,
    cropped: Size,
}

impl ScaledPicture {
    /// Computes the scaled size and the cropped size.
    #[must_use]
    pub fn new(source: Size, transform: &Transform) -> Self {
        let (across, down) = scales(source, transform);
        let side = |source: u32, scale: f64| (f64::from(source) * scale).round().max(1.0) as u32;
        let uncropped =
            Size { width: side(source.width, across), height: side(source.height, down) };
        let cut = |uncropped: u32, requested: Option<u32>| match (transform.resize, requested) {
            (Resize::Cover, Some(requested)) => uncropped.min(requested),
            _ => uncropped,
        };
        let cropped = Size {
            width: cut(uncropped.width, transform.width),
            height: cut(uncropped.height, transform.height),
        };
        Self { source, uncropped, cropped }
    }

    /// Whether the picture is cropped, so that the gravity matters.
    #[must_use]
    pub fn is_cut(&self) -> bool {
        self.uncropped != self.cropped
    }

    /// The scaled size and the cropped size.
    #[must_use]
    pub fn sizes(&self) -> (Size, Size) {
        (self.uncropped, self.cropped)
    }

    /// The frame of the whole picture, uncropped.
    #[must_use]
    pub fn uncropped(&self) -> Frame {
        Self { cropped: self.uncropped, ..*self }.at(0, 0)
    }

    /// The frame that the gravity selects.
    #[must_use]
    pub fn under(&self, gravity: Gravity) -> Frame {
        let left = offset(self.uncropped.width, self.cropped.width, gravity, Axis::Across);
        let top = offset(self.uncropped.height, self.cropped.height, gravity, Axis::Down);
        self.at(left, top)
    }

    /// The frame at an offset from the left and the top of the scaled picture.
    #[must_use]
    pub fn at(&self, left: u32, top: u32) -> Frame {
        let across = f64::from(self.source.width) / f64::from(self.uncropped.width);
        let down = f64::from(self.source.height) / f64::from(self.uncropped.height);
        let part = Region {
            left: f64::from(left) * across,
            top: f64::from(top) * down,
            width: f64::from(self.cropped.width) * across,
            height: f64::from(self.cropped.height) * down,
        };
        Frame { part, size: self.cropped }
    }
}

impl Frame {
    /// The same frame in the stored picture, before its orientation is applied; `lies` is the
    /// stored size.
    #[must_use]
    pub fn before(self, orientation: Orientation, lies: Size) -> Self {
        let (width, height) = (f64::from(lies.width), f64::from(lies.height));
        let Region { left, top, width: across, height: down } = self.part;
        let part = |left: f64, top: f64| Region { left, top, width: across, height: down };
        let transposed = |left: f64, top: f64| Region { left, top, width: down, height: across };
        let from_right = width - left - across;
        let from_bottom = height - top - down;
        let part = match orientation {
            Orientation::NoTransforms => self.part,
            Orientation::FlipHorizontal => part(from_right, top),
            Orientation::FlipVertical => part(left, from_bottom),
            Orientation::Rotate180 => part(from_right, from_bottom),
            Orientation::Rotate90 => transposed(top, height - left - across),
            Orientation::Rotate270 => transposed(width - top - down, left),
            Orientation::Rotate90FlipH => transposed(top, left),
            Orientation::Rotate270FlipH => transposed(width - top - down, height - left - across),
        };
        let size = if swaps_sides(orientation) { self.size.transpose() } else { self.size };
        Self { part: part.within(lies), size }
    }
}

impl Region {
    /// Clamps the region to a size: rounding errors may reach past the edge.
    fn within(self, size: Size) -> Self {
        let (width, height) = (f64::from(size.width), f64::from(size.height));
        let (left, top) = (self.left.clamp(0.0, width), self.top.clamp(0.0, height));
        Self {
            left,
            top,
            width: self.width.min(width - left),
            height: self.height.min(height - top),
        }
    }
}

impl Size {
    /// Swaps width and height.
    #[must_use]
    pub fn transpose(self) -> Self {
        Self { width: self.height, height: self.width }
    }

    /// The number of pixels.
    #[must_use]
    pub fn pixels(self) -> u64 {
        u64::from(self.width) * u64::from(self.height)
    }
}

/// Whether an orientation swaps width and height.
#[must_use]
pub fn swaps_sides(orientation: Orientation) -> bool {
    matches!(
        orientation,
        Orientation::Rotate90
            | Orientation::Rotate270
            | Orientation::Rotate90FlipH
            | Orientation::Rotate270FlipH
    )
}

/// The scale factors of width and height, at most 1.
fn scales(source: Size, transform: &Transform) -> (f64, f64) {
    let scale = |requested: Option<u32>, source: u32| {
        requested.map(|requested| f64::from(requested) / f64::from(source))
    };
    let (across, down) =
        (scale(transform.width, source.width), scale(transform.height, source.height));
    let (across, down) = match (across, down, transform.resize) {
        (None, None, _) => (1.0, 1.0),
        (Some(across), Some(down), Resize::Cover) => (across.max(down), across.max(down)),
        (Some(across), Some(down), Resize::Contain) => (across.min(down), across.min(down)),
        (across, down, Resize::Fill) => (across.unwrap_or(1.0), down.unwrap_or(1.0)),
        (Some(only), None, _) | (None, Some(only), _) => (only, only),
    };
    let most = across.max(down).max(1.0);
    (across / most, down / most)
}

#[derive(Clone, Copy)]
enum Axis {
    Across,
    Down,
}

/// The offset of the kept part on an axis.
fn offset(uncropped: u32, length: u32, gravity: Gravity, axis: Axis) -> u32 {
    let spare = f64::from(uncropped - length);
    let start = match gravity {
        Gravity::Smart => spare / 2.0,
        Gravity::Point(x, y) => axis.of(x, y) * f64::from(uncropped) - f64::from(length) / 2.0,
        Gravity::Side(side, offset) => {
            let (x, y) = offset.unwrap_or_default();
            let from_there = axis.of(x, y);
            // An offset below 1 is a fraction of the whole length.
            let pixels =
                if from_there.abs() < 1.0 { from_there * f64::from(uncropped) } else { from_there };
            match axis.pull(side) {
                Anchor::Start => pixels,
                Anchor::Middle => spare / 2.0 + pixels,
                Anchor::End => spare - pixels,
            }
        }
    };
    start.round().clamp(0.0, spare) as u32
}

enum Anchor {
    Start,
    Middle,
    End,
}

impl Axis {
    fn of(self, x: f64, y: f64) -> f64 {
        match self {
            Self::Across => x,
            Self::Down => y,
        }
    }

    fn pull(self, side: Side) -> Anchor {
        match (self, side) {
            (Self::Across, Side::West | Side::NorthWest | Side::SouthWest)
            | (Self::Down, Side::North | Side::NorthEast | Side::NorthWest) => Anchor::Start,
            (Self::Across, Side::East | Side::NorthEast | Side::SouthEast)
            | (Self::Down, Side::South | Side::SouthEast | Side::SouthWest) => Anchor::End,
            _ => Anchor::Middle,
        }
    }
}

#[cfg(test)]
mod tests;
