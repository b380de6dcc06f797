//! Smart gravity: finds the part with the most edges and strong colours, on a small copy of the
//! picture.

use image::{DynamicImage, RgbImage};

use super::frame::{Frame, Region, ScaledPicture, Size};
use super::refusal::ImageRefusal;
use super::resize::resized;

/// The longer side of the copy in pixels.
const LOOK: u32 = 128;

/// The left and top offset of the best crop, in pixels of the scaled picture.
pub fn best(picture: &DynamicImage, scaled: &ScaledPicture) -> Result<(u32, u32), ImageRefusal> {
    let (uncropped, cropped) = scaled.sizes();
    let longer = uncropped.width.max(uncropped.height);
    let small = |side: u32| (side * LOOK).div_ceil(longer.max(LOOK)).max(1);
    let size = Size { width: small(uncropped.width), height: small(uncropped.height) };
    let part = Region {
        left: 0.0,
        top: 0.0,
        width: f64::from(picture.width()),
        height: f64::from(picture.height()),
    };
    let copy = resized(picture.clone(), &Frame { part, size })?.to_rgb8();
    let sums = Sums::of(&copy);
    let window = Size {
        width: small(cropped.width).min(size.width),
        height: small(cropped.height).min(size.height),
    };
    let (left, top) = sums.richest(window);
    // Lengths of the copy are rounded up, so an offset scaled back could reach past the edge.
    let back = |place: u32, small: u32, uncropped: u32, length: u32| {
        (place * uncropped / small).min(uncropped - length)
    };
    Ok((
        back(left, size.width, uncropped.width, cropped.width),
        back(top, size.height, uncropped.height, cropped.height),
    ))
}

/// A summed-area table of the weights: for each pixel corner, the sum above it and to its left.
struct Sums {
    size: Size,
    sums: Vec<u64>,
}

impl Sums {
    fn of(picture: &RgbImage) -> Self {
        let size = Size { width: picture.width(), height: picture.height() };
        let row = size.width as usize + 1;
        let mut sums = vec![0; row * (size.height as usize + 1)];
        for (x, y, _) in picture.enumerate_pixels() {
            let at = (y as usize + 1) * row + x as usize + 1;
            let before = sums[at - 1] + sums[at - row] - sums[at - row - 1];
            sums[at] = before + weight(picture, x, y);
        }
        Self { size, sums }
    }

    /// The offset at which a window has the greatest sum; among equals, the one nearest to the
    /// middle.
    fn richest(&self, window: Size) -> (u32, u32) {
        let (across, down) = (self.size.width - window.width, self.size.height - window.height);
        let places = (0..=down).flat_map(|top| (0..=across).map(move |left| (left, top)));
        let aside = |left: u32, top: u32| (left * 2).abs_diff(across) + (top * 2).abs_diff(down);
        let best = places.min_by_key(|(left, top)| {
            (u64::MAX - self.within(*left, *top, window), aside(*left, *top))
        });
        best.unwrap_or_default()
    }

    fn within(&self, left: u32, top: u32, window: Size) -> u64 {
        let row = self.size.width as usize + 1;
        let at = |x: u32, y: u32| self.sums[y as usize * row + x as usize];
        let (right, bottom) = (left + window.width, top + window.height);
        at(right, bottom) + at(left, top) - at(left, bottom) - at(right, top)
    }
}

/// The weight of a pixel: its contrast to its neighbours plus its saturation.
fn weight(picture: &RgbImage, x: u32, y: u32) -> u64 {
    let pixel = |x: u32, y: u32| picture.get_pixel(x, y).0.map(i64::from);
    let light = |[red, green, blue]: [i64; 3]| red * 3 + green * 6 + blue;
    let here = pixel(x, y);
    let across = light(here) - light(pixel((x + 1).min(picture.width() - 1), y));
    let down = light(here) - light(pixel(x, (y + 1).min(picture.height() - 1)));
    let colour = here.iter().max().unwrap_or(&0) - here.iter().min().unwrap_or(&0);
    across.unsigned_abs() + down.unsigned_abs() + colour.unsigned_abs()
}
