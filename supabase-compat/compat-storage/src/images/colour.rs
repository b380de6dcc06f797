//! Colour management: the picture's colour profile is applied and then dropped.

use image::{DynamicImage, RgbImage};
use moxcms::{ColorProfile, DataColorSpace, Layout, TransformOptions};

/// Converts the picture to sRGB. If the profile is invalid or for another colour space, the picture
/// stays as it is, as in browsers.
pub fn to_srgb(picture: DynamicImage, profile: &[u8]) -> DynamicImage {
    let Ok(profile) = ColorProfile::new_from_slice(profile) else { return picture };
    let colours = match (&picture, profile.color_space) {
        (DynamicImage::ImageRgb8(_), DataColorSpace::Rgb) => (Layout::Rgb, Layout::Rgb),
        (DynamicImage::ImageRgba8(_), DataColorSpace::Rgb) => (Layout::Rgba, Layout::Rgba),
        (DynamicImage::ImageLuma8(_), DataColorSpace::Gray) => (Layout::Gray, Layout::Rgb),
        _ => return picture,
    };
    converted(&picture, &profile, colours).unwrap_or(picture)
}

fn converted(
    picture: &DynamicImage,
    profile: &ColorProfile,
    (from, to): (Layout, Layout),
) -> Option<DynamicImage> {
    let srgb = ColorProfile::new_srgb();
    let transform =
        profile.create_transform_8bit(from, &srgb, to, TransformOptions::default()).ok()?;
    let mut result = match to {
        Layout::Rgba => DynamicImage::new_rgba8(picture.width(), picture.height()),
        _ => RgbImage::new(picture.width(), picture.height()).into(),
    };
    let bytes = match &mut result {
        DynamicImage::ImageRgba8(result) => &mut **result,
        DynamicImage::ImageRgb8(result) => &mut **result,
        _ => return None,
    };
    transform.transform(picture.as_bytes(), bytes).ok()?;
    Some(result)
}
