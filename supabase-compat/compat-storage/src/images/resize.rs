//! Pixels at another size, with the sharpest of the usual filters (Lanczos).

use fast_image_resize::{MulDiv, ResizeOptions, Resizer};
use image::DynamicImage;

use super::frame::{Frame, Size};
use super::refusal::ImageRefusal;

/// A part of a picture at its size. Colours of what is transparent do not show around it.
///
/// # Errors
/// [`ImageRefusal::Source`] for a form of pixels that no decoder here gives.
pub fn resized(mut picture: DynamicImage, frame: &Frame) -> Result<DynamicImage, ImageRefusal> {
    if is_the_same(&picture, frame) {
        return Ok(picture);
    }
    let Size { width, height } = frame.size;
    let mut result = DynamicImage::new(width, height, picture.color());
    let has_alpha = picture.color().has_alpha();
    let alpha = MulDiv::new();
    if has_alpha {
        // In place: a copy would double what a large picture takes.
        alpha.multiply_alpha_inplace(&mut picture).map_err(|_| ImageRefusal::Source)?;
    }
    let part = frame.part;
    let options =
        ResizeOptions::new().crop(part.left, part.top, part.width, part.height).use_alpha(false);
    let done = Resizer::new().resize(&picture, &mut result, &options);
    done.map_err(|_| ImageRefusal::Source)?;
    drop(picture);
    if has_alpha {
        alpha.divide_alpha_inplace(&mut result).map_err(|_| ImageRefusal::Source)?;
    }
    Ok(result)
}

fn is_the_same(picture: &DynamicImage, frame: &Frame) -> bool {
    let whole = Size { width: picture.width(), height: picture.height() };
    frame.size == whole && frame.part.left == 0.0 && frame.part.top == 0.0
}
