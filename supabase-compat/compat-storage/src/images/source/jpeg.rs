//! JPEG. The decoder is used directly because only its own interface tells how much memory decoding
//! takes.

use image::metadata::Orientation;
use image::{DynamicImage, GrayImage, RgbImage};
use zune_jpeg::zune_core::bytestream::ZCursor;
use zune_jpeg::zune_core::colorspace::ColorSpace;
use zune_jpeg::zune_core::options::DecoderOptions;
use zune_jpeg::{JpegDecoder, SampleRatios};

use super::super::frame::Size;
use super::super::kind::Kind;
use super::super::refusal::ImageRefusal;
use super::{Decoder, LONGEST_PROFILE, Source};

/// The maximum number of scans; cameras and encoders write a dozen, only an attack needs thousands.
const MOST_SCANS: usize = 64;

/// A JPEG whose headers were read.
pub(super) struct Jpeg<'a> {
    decoder: JpegDecoder<ZCursor<&'a [u8]>>,
    size: Size,
    is_grey: bool,
    /// The memory of the coefficients that are kept until the last scan, in sixteenths of a byte
    /// per pixel.
    coefficients: u64,
}

impl<'a> Jpeg<'a> {
    pub fn open(bytes: &'a [u8]) -> Result<Self, ImageRefusal> {
        let in_first_scan = first_scan(bytes).ok_or(ImageRefusal::Source)?;
        let options = DecoderOptions::default()
            // Files with harmless errors are read, as in browsers.
            .set_strict_mode(false)
            .set_max_width(usize::from(u16::MAX))
            .set_max_height(usize::from(u16::MAX))
            .jpeg_set_max_scans(MOST_SCANS);
        let mut decoder = JpegDecoder::new_with_options(ZCursor::new(bytes), options);
        decoder.decode_headers().map_err(|_| ImageRefusal::Source)?;
        let info = decoder.info().ok_or(ImageRefusal::Source)?;
        let is_grey = decoder.input_colorspace() == Some(ColorSpace::Luma);
        let colour = if is_grey { ColorSpace::Luma } else { ColorSpace::RGB };
        decoder.set_options(decoder.options().jpeg_set_out_colorspace(colour));
        let is_sequential = info.sof.is_sequential_dct();
        if is_sequential && in_first_scan != info.components {
            // The decoder mixes up the planes of a sequential JPEG with one plane per scan, and no
            // picture is better than a wrong one.
            return Err(ImageRefusal::Source);
        }
        let coefficients =
            if is_sequential { 0 } else { coefficients(info.components, info.sample_ratio) };
        let size = Size { width: info.width.into(), height: info.height.into() };
        Ok(Self { decoder, size, is_grey, coefficients })
    }

    pub fn into_source(self) -> Source<'a> {
        let exif = self.decoder.exif().and_then(|exif| Orientation::from_exif_chunk(exif));
        let profile = self.decoder.icc_profile();
        Source {
            kind: Kind::Jpeg,
            orientation: exif.unwrap_or(Orientation::NoTransforms),
            profile: profile.filter(|profile| profile.len() <= LONGEST_PROFILE),
            size: self.size,
            pixel: if self.is_grey { 1 } else { 3 },
            decoder: Decoder::Jpeg(Box::new(self)),
        }
    }

    pub fn extra_memory(&self) -> u64 {
        self.size.pixels() * self.coefficients / 16
    }

    pub fn decode(mut self, size: Size) -> Result<DynamicImage, ImageRefusal> {
        let length = self.decoder.output_buffer_size().ok_or(ImageRefusal::Source)?;
        let expected = size.pixels() * if self.is_grey { 1 } else { 3 };
        if length as u64 != expected {
            return Err(ImageRefusal::Source);
        }
        let mut pixels = vec![0; length];
        self.decoder.decode_into(&mut pixels).map_err(|_| ImageRefusal::Source)?;
        let Size { width, height } = size;
        let decoded = if self.is_grey {
            GrayImage::from_raw(width, height, pixels).map(DynamicImage::from)
        } else {
            RgbImage::from_raw(width, height, pixels).map(DynamicImage::from)
        };
        decoded.ok_or(ImageRefusal::Source)
    }
}

/// Two bytes per coefficient: the first plane has one for each pixel, the others have fewer.
fn coefficients(components: u8, ratio: SampleRatios) -> u64 {
    let others = u64::from(components).saturating_sub(1);
    match ratio {
        SampleRatios::HV => 32 + others * 8,
        SampleRatios::H | SampleRatios::V => 32 + others * 16,
        _ => 32 + others * 32,
    }
}

/// The number of planes in the first scan; none if the file is truncated. The decoder fills the
/// missing part of such a file with grey, and the result would be cached and served as if it were
/// the picture.
fn first_scan(bytes: &[u8]) -> Option<u8> {
    let mut rest = bytes.get(2..)?;
    loop {
        match *rest {
            // Inside scan data, the bytes of a marker are always a marker.
            [0xff, 0xda, _, _, planes, ..] => {
                return rest.windows(2).any(|pair| pair == [0xff, 0xd9]).then_some(planes);
            }
            [0xff, 0x01 | 0xd0..=0xd8, ..] => rest = &rest[2..],
            [0xff, marker, high, low, ..] if marker != 0xff => {
                rest = rest.get(2 + usize::from(u16::from_be_bytes([high, low]))..)?;
            }
            [_, ..] => rest = &rest[1..],
            [] => return None,
        }
    }
}
