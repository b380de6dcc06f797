//! A picture as it was uploaded: opened, measured and, where there is room for it, decoded.
//!
//! Every decoder is written in Rust without `unsafe` reading of what strangers wrote; what is
//! allocated follows from a header that was judged before. Of an animation the first frame is read.

mod jpeg;

use image::codecs::gif::GifDecoder;
use image::codecs::png::PngDecoder;
use image::codecs::webp::WebPDecoder;
use image::metadata::Orientation;
use image::{DynamicImage, ImageDecoder, Limits as DecoderLimits};

use super::cancel_flag::{CancelFlag, CancellableReader};
use super::frame::{Size, is_turned};
use super::kind::Kind;
use super::refusal::ImageRefusal;
use jpeg::Jpeg;

/// Bytes a PNG's texts and profiles may take.
const PNG_EXTRAS: u64 = 16 << 20;

/// Bytes of the largest colour profile that is read; a longer one counts as none.
const LONGEST_PROFILE: usize = 4 << 20;

/// A picture that was opened.
pub struct Source<'a> {
    /// Its kind.
    pub kind: Kind,
    /// How it must be turned to be seen as it was meant.
    pub orientation: Orientation,
    /// What its colours mean, where it says so (ICC).
    pub profile: Option<Vec<u8>>,
    /// Its size as it lies in the file.
    pub size: Size,
    /// Bytes of one pixel, decoded.
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
    /// Reads what stands before the pixels.
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

    /// Its size as it is seen.
    #[must_use]
    pub fn seen(&self) -> Size {
        if is_turned(self.orientation) { self.size.turned() } else { self.size }
    }

    /// Bytes that decoding takes at most, the pixels among them.
    #[must_use]
    pub fn memory(&self) -> u64 {
        let beside = match &self.decoder {
            Decoder::Jpeg(jpeg) => jpeg.memory_beside(),
            // Inflated row by row.
            Decoder::Png(_) => PNG_EXTRAS,
            // The frame before it is laid onto the canvas.
            Decoder::Gif(_) => self.size.pixels() * 5,
            // Planes, transparency, or a frame before it is laid onto the canvas.
            Decoder::Webp(_) => self.size.pixels() * 5,
        };
        self.size.pixels() * self.pixel + beside
    }

    /// Its pixels, as they lie in the file.
    ///
    /// # Errors
    /// [`ImageRefusal::Source`] when they are broken.
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
