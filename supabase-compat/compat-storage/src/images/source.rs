//! A picture as it was uploaded: opened, measured and, if there is memory for it, decoded.
//!
//! Every decoder is written in Rust and reads untrusted input without `unsafe`; allocations follow
//! from a header that was checked before. Only the first frame of an animation is read.

mod jpeg;

use image::codecs::gif::GifDecoder;
use image::codecs::png::PngDecoder;
use image::codecs::webp::WebPDecoder;
use image::metadata::Orientation;
use image::{DynamicImage, ImageDecoder, Limits as DecoderLimits};

use super::cancel_flag::{CancelFlag, CancellableReader};
use super::frame::{Size, swaps_sides};
use super::kind::Kind;
use super::refusal::ImageRefusal;
use jpeg::Jpeg;

/// The maximum size of a PNG's texts and profiles in bytes.
const PNG_EXTRAS: u64 = 16 << 20;

/// The maximum size of a colour profile in bytes; a larger one is ignored.
const LONGEST_PROFILE: usize = 4 << 20;

/// An opened picture.
pub struct Source<'a> {
    /// The format of the file.
    pub kind: Kind,
    /// The orientation that must be applied for display.
    pub orientation: Orientation,
    /// The colour profile (ICC), if there is one.
    pub profile: Option<Vec<u8>>,
    /// The stored size, before the orientation is applied.
    pub size: Size,
    /// The size of a decoded pixel in bytes.
    pub pixel: u64,
    decoder: Decoder<'a>,
}

enum Decoder<'a> {
    Jpeg(Box<Jpeg<'a>>),
    Png(Box<PngDecoder<CancellableReader<'a>>>),
    Gif(Box<GifDecoder<CancellableReader<'a>>>),
    Webp(Box<WebPDecoder<CancellableReader<'a>>>),
}

impl<'a> Source<'a> {
    /// Reads the headers before the pixels.
    ///
    /// # Errors
    /// [`ImageRefusal::Source`], and [`ImageRefusal::Resolution`] past `most_pixels`.
    pub fn open(
        bytes: &'a [u8],
        most_pixels: u64,
        cancel_flag: &CancelFlag,
    ) -> Result<Self, ImageRefusal> {
        let kind = Kind::of(bytes).ok_or(ImageRefusal::Source)?;
        let reader = CancellableReader::new(bytes, cancel_flag.clone());
        let source = match kind {
            Kind::Jpeg => Jpeg::open(bytes)?.into_source(),
            Kind::Png => {
                let mut limits = DecoderLimits::no_limits();
                limits.max_alloc = Some(PNG_EXTRAS);
                Self::opened(kind, PngDecoder::with_limits(reader, limits), Decoder::png)?
            }
            Kind::Gif => Self::opened(kind, GifDecoder::new(reader), Decoder::gif)?,
            Kind::Webp => Self::opened(kind, WebPDecoder::new(reader), Decoder::webp)?,
        };
        match source.size.pixels() {
            0 => Err(ImageRefusal::Source),
            pixels if pixels > most_pixels => Err(ImageRefusal::Resolution),
            _ => Ok(source),
        }
    }

    fn opened<D: ImageDecoder>(
        kind: Kind,
        decoder: image::ImageResult<D>,
        wrap: impl FnOnce(D) -> Decoder<'a>,
    ) -> Result<Self, ImageRefusal> {
        let mut decoder = decoder.map_err(|_| ImageRefusal::Source)?;
        let (width, height) = decoder.dimensions();
        let profile = decoder.icc_profile().ok().flatten();
        Ok(Self {
            kind,
            orientation: decoder.orientation().unwrap_or(Orientation::NoTransforms),
            profile: profile.filter(|profile| profile.len() <= LONGEST_PROFILE),
            size: Size { width, height },
            pixel: u64::from(decoder.color_type().bytes_per_pixel()),
            decoder: wrap(decoder),
        })
    }

    /// The displayed size, after the orientation is applied.
    #[must_use]
    pub fn displayed_size(&self) -> Size {
        if swaps_sides(self.orientation) { self.size.transpose() } else { self.size }
    }

    /// The peak memory of decoding in bytes, including the pixels.
    #[must_use]
    pub fn memory(&self) -> u64 {
        let beside = match &self.decoder {
            Decoder::Jpeg(jpeg) => jpeg.extra_memory(),
            // PNG is inflated row by row.
            Decoder::Png(_) => PNG_EXTRAS,
            // The frame before it is drawn onto the canvas.
            Decoder::Gif(_) => self.size.pixels() * 5,
            // Planes, transparency, or a frame before it is drawn onto the canvas.
            Decoder::Webp(_) => self.size.pixels() * 5,
        };
        self.size.pixels() * self.pixel + beside
    }

    /// Decodes the pixels in the stored orientation.
    ///
    /// # Errors
    /// [`ImageRefusal::Source`] if the file is damaged.
    pub fn decode(self) -> Result<DynamicImage, ImageRefusal> {
        let decoded = match self.decoder {
            Decoder::Jpeg(jpeg) => return jpeg.decode(self.size),
            Decoder::Png(decoder) => DynamicImage::from_decoder(*decoder),
            Decoder::Gif(decoder) => DynamicImage::from_decoder(*decoder),
            Decoder::Webp(decoder) => DynamicImage::from_decoder(*decoder),
        };
        decoded.map_err(|_| ImageRefusal::Source)
    }
}

impl<'a> Decoder<'a> {
    fn png(decoder: PngDecoder<CancellableReader<'a>>) -> Self {
        Self::Png(Box::new(decoder))
    }

    fn gif(decoder: GifDecoder<CancellableReader<'a>>) -> Self {
        Self::Gif(Box::new(decoder))
    }

    fn webp(decoder: WebPDecoder<CancellableReader<'a>>) -> Self {
        Self::Webp(Box::new(decoder))
    }
}
