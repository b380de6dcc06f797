//! Resizing with the Lanczos filter, the sharpest of the usual ones.

use fast_image_resize::images::{TypedImage, TypedImageRef};
use fast_image_resize::pixels::{U8, U8x2, U8x3, U8x4};
use fast_image_resize::{ImageBufferError, MulDiv, PixelTrait, ResizeOptions, Resizer};
use image::{DynamicImage, ImageBuffer, Pixel};

use super::frame::{Frame, Size};
use super::refusal::ImageRefusal;

/// Resizes a part of a picture, with eight bits per channel, which is all that the results can
/// hold. Colours of transparent pixels do not bleed into their neighbours.
///
/// # Errors
/// [`ImageRefusal::Source`] for a pixel format that no decoder here returns.
pub fn resized(picture: DynamicImage, frame: &Frame) -> Result<DynamicImage, ImageRefusal> {
    let picture = with_eight_bits(picture);
    if is_the_same(&picture, frame) {
        return Ok(picture);
    }
    // One call per pixel format: the library's dynamic call would link the code for all fourteen
    // formats, 2 MB.
    let resized = match picture {
        DynamicImage::ImageLuma8(pixels) => resize::<U8, _>(pixels, frame)?.into(),
        DynamicImage::ImageLumaA8(pixels) => resize_with_alpha::<U8x2, _>(pixels, frame)?.into(),
        DynamicImage::ImageRgb8(pixels) => resize::<U8x3, _>(pixels, frame)?.into(),
        DynamicImage::ImageRgba8(pixels) => resize_with_alpha::<U8x4, _>(pixels, frame)?.into(),
        _ => return Err(ImageRefusal::Source),
    };
    Ok(resized)
}

fn is_the_same(picture: &DynamicImage, frame: &Frame) -> bool {
    let full_size = Size { width: picture.width(), height: picture.height() };
    frame.size == full_size && frame.part.left == 0.0 && frame.part.top == 0.0
}

fn with_eight_bits(picture: DynamicImage) -> DynamicImage {
    match picture {
        DynamicImage::ImageLuma16(_) => picture.into_luma8().into(),
        DynamicImage::ImageLumaA16(_) => picture.into_luma_alpha8().into(),
        DynamicImage::ImageRgb16(_) => picture.into_rgb8().into(),
        DynamicImage::ImageRgba16(_) => picture.into_rgba8().into(),
        picture => picture,
    }
}

type Pixels<P> = ImageBuffer<P, Vec<u8>>;

fn resize_with_alpha<V: PixelTrait, P: Pixel<Subpixel = u8>>(
    mut pixels: Pixels<P>,
    frame: &Frame,
) -> Result<Pixels<P>, ImageRefusal> {
    let alpha = MulDiv::new();
    // In place: a copy would double the memory of a large picture.
    let multiplied = alpha.multiply_alpha_inplace_typed(&mut view_mut::<V, P>(&mut pixels)?);
    multiplied.map_err(|_| ImageRefusal::Source)?;
    let mut result = resize::<V, P>(pixels, frame)?;
    let divided = alpha.divide_alpha_inplace_typed(&mut view_mut::<V, P>(&mut result)?);
    divided.map_err(|_| ImageRefusal::Source)?;
    Ok(result)
}

fn resize<V: PixelTrait, P: Pixel<Subpixel = u8>>(
    pixels: Pixels<P>,
    frame: &Frame,
) -> Result<Pixels<P>, ImageRefusal> {
    let mut result = Pixels::<P>::new(frame.size.width, frame.size.height);
    let part = frame.part;
    let options =
        ResizeOptions::new().crop(part.left, part.top, part.width, part.height).use_alpha(false);
    let source = TypedImageRef::<V>::from_buffer(pixels.width(), pixels.height(), &pixels);
    let source = source.map_err(refusal_of)?;
    let done = Resizer::new().resize_typed(&source, &mut view_mut::<V, P>(&mut result)?, &options);
    done.map_err(|_| ImageRefusal::Source)?;
    Ok(result)
}

fn view_mut<V: PixelTrait, P: Pixel<Subpixel = u8>>(
    pixels: &mut Pixels<P>,
) -> Result<TypedImage<'_, V>, ImageRefusal> {
    let (width, height) = pixels.dimensions();
    TypedImage::from_buffer(width, height, pixels).map_err(refusal_of)
}

fn refusal_of(_: ImageBufferError) -> ImageRefusal {
    ImageRefusal::Source
}
