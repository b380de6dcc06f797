//! Pixels as a file that holds nothing else: no profile, no place, no camera, no thumbnail.

use image::codecs::gif::GifEncoder;
use image::codecs::png::{CompressionType, FilterType, PngEncoder};
use image::{DynamicImage, ExtendedColorType, ImageEncoder as _};
use jpeg_encoder::{ColorType, Encoder, SamplingFactor};
use webpx::EncoderConfig;

use super::cancel_flag::CancelFlag;
use super::kind::Kind;
use super::refusal::ImageRefusal;

/// Pixels of the longest side that a WebP can have.
pub const LONGEST_WEBP: u32 = 16_383;

/// From here on colours are as fine as light, below they may be half as fine.
const FINE_COLOURS: u8 = 90;

/// How thoroughly colours of a GIF are chosen: 1 (best) to 30 (fast).
const GIF_SPEED: i32 = 10;

/// Writes a picture; `quality` is of 1 to 100 and means nothing to PNG and GIF.
///
/// # Errors
/// [`ImageRefusal::Source`] for what a kind cannot hold, [`ImageRefusal::TimedOut`] when told to
/// stop.
pub fn encode(
    picture: DynamicImage,
    kind: Kind,
    quality: u8,
    cancel_flag: &CancelFlag,
) -> Result<Vec<u8>, ImageRefusal> {
    let picture = without_needless_alpha(picture);
    let bytes = match kind {
        Kind::Jpeg => jpeg(&picture, quality),
        Kind::Png => png(&picture),
        Kind::Gif => gif(&picture),
        Kind::Webp => webp(picture, quality, cancel_flag),
    };
    match bytes {
        Some(bytes) => Ok(bytes),
        None if cancel_flag.is_given() => Err(ImageRefusal::TimedOut),
        None => Err(ImageRefusal::Source),
    }
}

fn jpeg(picture: &DynamicImage, quality: u8) -> Option<Vec<u8>> {
    let (width, height) = sides(picture)?;
    let mut bytes = Vec::new();
    let mut encoder = Encoder::new(&mut bytes, quality);
    let fine = quality >= FINE_COLOURS;
    encoder.set_sampling_factor(if fine { SamplingFactor::F_1_1 } else { SamplingFactor::F_2_2 });
    let done = match picture {
        DynamicImage::ImageLuma8(grey) => encoder.encode(grey, width, height, ColorType::Luma),
        other => encoder.encode(&other.to_rgb8(), width, height, ColorType::Rgb),
    };
    done.ok().map(|()| bytes)
}

fn sides(picture: &DynamicImage) -> Option<(u16, u16)> {
    Some((picture.width().try_into().ok()?, picture.height().try_into().ok()?))
}

fn png(picture: &DynamicImage) -> Option<Vec<u8>> {
    let mut bytes = Vec::new();
    let encoder =
        PngEncoder::new_with_quality(&mut bytes, CompressionType::Default, FilterType::Adaptive);
    let colour = picture.color().into();
    encoder.write_image(picture.as_bytes(), picture.width(), picture.height(), colour).ok()?;
    Some(bytes)
}

fn gif(picture: &DynamicImage) -> Option<Vec<u8>> {
    let (width, height) = (picture.width(), picture.height());
    let mut bytes = Vec::new();
    let mut encoder = GifEncoder::new_with_speed(&mut bytes, GIF_SPEED);
    encoder.encode(&picture.to_rgba8(), width, height, ExtendedColorType::Rgba8).ok()?;
    drop(encoder);
    Some(bytes)
}

fn webp(picture: DynamicImage, quality: u8, cancel_flag: &CancelFlag) -> Option<Vec<u8>> {
    let (width, height) = (picture.width(), picture.height());
    let config = EncoderConfig::new().quality(f32::from(quality));
    let encoded = if picture.color().has_alpha() {
        config.encode_rgba(&picture.into_rgba8(), width, height, cancel_flag.clone())
    } else {
        config.encode_rgb(&picture.into_rgb8(), width, height, cancel_flag.clone())
    };
    encoded.ok()
}

/// A picture that may be transparent and is so nowhere is smaller and decoded faster without.
fn without_needless_alpha(picture: DynamicImage) -> DynamicImage {
    match picture {
        DynamicImage::ImageRgba8(pixels) if pixels.pixels().all(|pixel| pixel.0[3] == 255) => {
            DynamicImage::ImageRgba8(pixels).into_rgb8().into()
        }
        DynamicImage::ImageLumaA8(pixels) if pixels.pixels().all(|pixel| pixel.0[1] == 255) => {
            DynamicImage::ImageLumaA8(pixels).into_luma8().into()
        }
        picture => picture,
    }
}
