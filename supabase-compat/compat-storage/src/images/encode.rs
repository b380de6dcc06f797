//! Encodes pixels into a file without any metadata: no profile, location, camera data or thumbnail.

use image::codecs::gif::GifEncoder;
use image::codecs::png::{CompressionType, FilterType, PngEncoder};
use image::{DynamicImage, ExtendedColorType, ImageEncoder as _};
use jpeg_encoder::{ColorType, Encoder, SamplingFactor};
use webpx::EncoderConfig;

use super::cancel_flag::CancelFlag;
use super::kind::Kind;
use super::refusal::ImageRefusal;

/// The maximum side of a WebP in pixels.
pub const LONGEST_WEBP: u32 = 16_383;

/// From this quality on, JPEG chroma has full resolution; below it is subsampled.
const FINE_COLOURS: u8 = 90;

/// The effort of choosing a GIF's palette: 1 (best) to 30 (fast).
const GIF_SPEED: i32 = 10;

/// Encodes a picture; `quality` is 1 to 100 and has no effect on PNG and GIF.
///
/// # Errors
/// [`ImageRefusal::Source`] if the format cannot hold the picture, [`ImageRefusal::TimedOut`] when
/// cancelled.
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

/// Drops the alpha channel of an opaque picture, which makes the file smaller and faster to decode.
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
