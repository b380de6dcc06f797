//! Renders one picture from another: bytes in, bytes out, without other side effects.

use image::DynamicImage;
use image::metadata::Orientation;

use super::attention;
use super::cancel_flag::CancelFlag;
use super::colour::to_srgb;
use super::encode::{LONGEST_WEBP, encode};
use super::frame::{ScaledPicture, Size};
use super::kind::Kind;
use super::refusal::ImageRefusal;
use super::resize::resized;
use super::source::Source;
use super::transform::{Gravity, Side, Transform};

/// The default quality.
const QUALITY: u8 = 80;

/// The memory of an encoder in bytes per pixel, in addition to the pixels.
const ENCODER: u64 = 8;

/// A rendered picture.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Picture {
    /// The format of the file.
    pub kind: Kind,
    /// The encoded file.
    pub bytes: bytes::Bytes,
}

/// A rendering whose source was inspected, ready to run.
pub struct Rendering<'a> {
    source: Source<'a>,
    transform: &'a Transform,
    scaled: ScaledPicture,
    kind: Kind,
    cancel_flag: &'a CancelFlag,
}

impl<'a> Rendering<'a> {
    /// Reads the headers of a picture; `webp` requests a WebP instead of the format of the source.
    ///
    /// # Errors
    /// [`ImageRefusal::Source`], [`ImageRefusal::Resolution`].
    pub fn of(
        bytes: &'a [u8],
        transform: &'a Transform,
        webp: bool,
        most_pixels: u64,
        cancel_flag: &'a CancelFlag,
    ) -> Result<Self, ImageRefusal> {
        let source = Source::open(bytes, most_pixels, cancel_flag)?;
        let scaled = ScaledPicture::new(source.displayed_size(), transform);
        let (_, cropped) = scaled.sizes();
        let can_be = cropped.width.max(cropped.height) <= LONGEST_WEBP;
        let kind = if webp && can_be { Kind::Webp } else { source.kind };
        Ok(Self { source, transform, scaled, kind, cancel_flag })
    }

    /// The peak memory of the rendering in bytes.
    #[must_use]
    pub fn memory(&self) -> u64 {
        let (uncropped, cropped) = self.scaled.sizes();
        let pixel = self.source.pixel;
        let decoded = self.source.size.pixels() * pixel;
        // The intermediate picture, whose width is already reduced and whose height is not.
        let narrow = u64::from(uncropped.width.max(uncropped.height))
            * u64::from(self.source.size.height.max(self.source.size.width));
        let resizing =
            decoded + (narrow.min(self.source.size.pixels()) + uncropped.pixels()) * pixel;
        let encoding = cropped.pixels() * (pixel + 4 + ENCODER);
        self.source.memory().max(resizing).max(encoding)
    }

    /// Decodes, resizes, crops and encodes the picture.
    ///
    /// # Errors
    /// [`ImageRefusal::Source`], [`ImageRefusal::TimedOut`] when cancelled.
    pub fn run(mut self) -> Result<Picture, ImageRefusal> {
        let (lies, orientation) = (self.source.size, self.source.orientation);
        let profile = self.source.profile.take();
        let decoded =
            self.source.decode().map_err(|refusal| refusal_of(refusal, self.cancel_flag))?;
        let gravity = self.transform.gravity.unwrap_or(Gravity::Side(Side::Centre, None));
        let picture = if gravity == Gravity::Smart && self.scaled.is_cut() {
            smart(decoded, &self.scaled, orientation, lies)?
        } else {
            let frame = self.scaled.under(gravity).before(orientation, lies);
            apply_orientation(resized(decoded, &frame)?, orientation)
        };
        let picture = match profile {
            Some(profile) => to_srgb(picture, &profile),
            None => picture,
        };
        let quality = self.transform.quality.unwrap_or(QUALITY);
        let bytes = encode(picture, self.kind, quality, self.cancel_flag)?;
        Ok(Picture { kind: self.kind, bytes: bytes.into() })
    }
}

/// Scales the whole picture, finds the best crop and cuts there.
fn smart(
    decoded: DynamicImage,
    scaled: &ScaledPicture,
    orientation: Orientation,
    lies: Size,
) -> Result<DynamicImage, ImageRefusal> {
    let uncropped = resized(decoded, &scaled.uncropped().before(orientation, lies))?;
    let uncropped = apply_orientation(uncropped, orientation);
    let (left, top) = attention::best(&uncropped, scaled)?;
    let (_, cropped) = scaled.sizes();
    Ok(uncropped.crop_imm(left, top, cropped.width, cropped.height))
}

fn apply_orientation(mut picture: DynamicImage, orientation: Orientation) -> DynamicImage {
    picture.apply_orientation(orientation);
    picture
}

fn refusal_of(refusal: ImageRefusal, cancel_flag: &CancelFlag) -> ImageRefusal {
    if cancel_flag.is_given() { ImageRefusal::TimedOut } else { refusal }
}

#[cfg(test)]
mod tests;
