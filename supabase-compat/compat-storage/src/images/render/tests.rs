use std::io::Cursor;

use compat_testkit::property_test;
use image::codecs::gif::GifEncoder;
use image::{
    ColorType, DynamicImage, Frame, GenericImageView as _, ImageEncoder as _, ImageFormat, Rgb,
    RgbImage, Rgba, RgbaImage,
};
use proptest::prelude::*;

use super::*;
use crate::images::transform::Format;

const RED: Rgb<u8> = Rgb([220, 20, 20]);
const GREEN: Rgb<u8> = Rgb([20, 200, 20]);
const BLUE: Rgb<u8> = Rgb([20, 20, 220]);
const WHITE: Rgb<u8> = Rgb([250, 250, 250]);

const MOST: u64 = 50_000_000;

/// Four quarters: red and green above, blue and white below.
fn quarters(width: u32, height: u32) -> RgbImage {
    RgbImage::from_fn(width, height, |x, y| match (x < width / 2, y < height / 2) {
        (true, true) => RED,
        (false, true) => GREEN,
        (true, false) => BLUE,
        (false, false) => WHITE,
    })
}

fn file(picture: impl Into<DynamicImage>, format: ImageFormat) -> Vec<u8> {
    let mut bytes = Cursor::new(Vec::new());
    picture.into().write_to(&mut bytes, format).unwrap();
    bytes.into_inner()
}

/// Noise, which no encoder can compress well.
fn noise(width: u32, height: u32) -> RgbImage {
    let mut state = 1_u32;
    RgbImage::from_fn(width, height, |_, _| {
        state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
        Rgb([(state >> 24) as u8, (state >> 16) as u8, (state >> 8) as u8])
    })
}

fn transform(query: &str) -> Transform {
    let pairs: Vec<_> = url::form_urlencoded::parse(query.as_bytes()).collect();
    Transform::from_query(pairs.iter().map(|(name, value)| (name.as_ref(), value.as_ref())))
        .unwrap()
}

fn rendered(bytes: &[u8], query: &str) -> Result<Picture, ImageRefusal> {
    let transform = transform(query);
    let webp = transform.format == Format::Webp;
    Rendering::of(bytes, &transform, webp, MOST, &CancelFlag::default())?.run()
}

fn render(bytes: &[u8], query: &str) -> DynamicImage {
    let picture = rendered(bytes, query).unwrap();
    assert_eq!(Kind::of(&picture.bytes), Some(picture.kind));
    image::load_from_memory(&picture.bytes).unwrap()
}

/// The colour at a position given in percent.
fn at(picture: &DynamicImage, x: u32, y: u32) -> Rgb<u8> {
    let pixel = picture.get_pixel(picture.width() * x / 100, picture.height() * y / 100);
    let near = |colour: &Rgb<u8>| {
        pixel.0.iter().zip(colour.0).all(|(one, other)| one.abs_diff(other) < 40)
    };
    *[RED, GREEN, BLUE, WHITE].iter().find(|colour| near(colour)).unwrap_or(&Rgb([0, 0, 0]))
}

fn corners(picture: &DynamicImage) -> [Rgb<u8>; 4] {
    [at(picture, 10, 10), at(picture, 90, 10), at(picture, 10, 90), at(picture, 90, 90)]
}

#[test]
fn every_kind_renders_at_its_size() {
    for (format, kind) in [
        (ImageFormat::Jpeg, Kind::Jpeg),
        (ImageFormat::Png, Kind::Png),
        (ImageFormat::Gif, Kind::Gif),
        (ImageFormat::WebP, Kind::Webp),
    ] {
        let bytes = file(quarters(80, 60), format);
        for (query, expected) in [("width=40", kind), ("width=40&format=webp", Kind::Webp)] {
            let picture = rendered(&bytes, query).unwrap();
            assert_eq!((picture.kind, Kind::of(&picture.bytes)), (expected, Some(expected)));
            let picture = image::load_from_memory(&picture.bytes).unwrap();
            assert_eq!(picture.dimensions(), (40, 30), "{format:?}");
            assert_eq!(corners(&picture), [RED, GREEN, BLUE, WHITE], "{format:?} {query}");
        }
    }
}

#[test]
fn cropping_follows_the_gravity() {
    let bytes = file(quarters(200, 100), ImageFormat::Png);
    for (query, expected) in [
        ("width=50&height=50", [RED, GREEN, BLUE, WHITE]),
        ("width=50&height=50&gravity=we", [RED, RED, BLUE, BLUE]),
        ("width=50&height=50&gravity=noea", [GREEN, GREEN, WHITE, WHITE]),
        ("width=100&height=25&gravity=so", [BLUE, WHITE, BLUE, WHITE]),
        ("width=50&height=50&gravity=fp&x_offset=0.9&y_offset=0.5", [GREEN, GREEN, WHITE, WHITE]),
        ("width=50&height=50&resize=fill", [RED, GREEN, BLUE, WHITE]),
    ] {
        assert_eq!(corners(&render(&bytes, query)), expected, "{query}");
    }
}

#[test]
fn smart_gravity_keeps_what_stands_out() {
    let mut picture = RgbImage::from_pixel(300, 100, Rgb([128, 128, 128]));
    image::imageops::overlay(&mut picture, &quarters(60, 60), 230, 20);
    let bytes = file(picture, ImageFormat::Png);
    let cropped = render(&bytes, "width=100&height=100&gravity=sm");
    let pixels = cropped.to_rgb8();
    let count = |colour: Rgb<u8>| pixels.pixels().filter(|pixel| **pixel == colour).count();
    assert_eq!(cropped.dimensions(), (100, 100));
    for colour in [RED, GREEN, BLUE, WHITE] {
        assert_eq!(count(colour), 900);
    }
}

#[test]
fn lower_quality_is_smaller() {
    let bytes = file(noise(120, 120), ImageFormat::Png);
    let jpeg = file(noise(120, 120), ImageFormat::Jpeg);
    let length = |bytes: &[u8], query: &str| rendered(bytes, query).unwrap().bytes.len();
    for (bytes, query) in [(&jpeg, ""), (&bytes, "&format=webp")] {
        let at = |quality| length(bytes, &format!("quality={quality}{query}"));
        assert!(at(20) < at(60) && at(60) < at(100));
        assert_eq!(at(80), length(bytes, query.trim_start_matches('&')));
    }
}

#[test]
fn transparency_survives_without_bleeding() {
    // Left half opaque red, right half transparent green.
    let picture = RgbaImage::from_fn(64, 64, |x, _| match x < 32 {
        true => Rgba([255, 0, 0, 255]),
        false => Rgba([0, 255, 0, 0]),
    });
    for (format, query) in [
        (ImageFormat::Png, "width=15"),
        (ImageFormat::Png, "width=15&format=webp"),
        (ImageFormat::WebP, "width=15"),
        (ImageFormat::Gif, "width=15"),
    ] {
        let small = render(&file(picture.clone(), format), query).into_rgba8();
        assert_eq!(small.get_pixel(0, 7).0[3], 255, "{format:?} {query}");
        assert_eq!(small.get_pixel(14, 7).0[3], 0, "{format:?} {query}");
        let shows = small.pixels().filter(|pixel| pixel.0[3] > 0);
        for pixel in shows {
            assert!(pixel.0[1] < 60, "{format:?} {query}: green shows in {pixel:?}");
        }
    }
}

#[test]
fn exif_orientation_is_applied_and_removed() {
    for (orientation, query) in
        (1..=8_u8).flat_map(|db| [(db, "width=30"), (db, "height=30&format=webp")])
    {
        let exif_orientation = Orientation::from_exif(orientation).unwrap();
        // Stored so that applying the orientation gives the quarters.
        let mut lies = DynamicImage::from(quarters(60, 60));
        lies.apply_orientation(inverse(exif_orientation));
        let mut bytes = Vec::new();
        let mut encoder = image::codecs::jpeg::JpegEncoder::new_with_quality(&mut bytes, 95);
        encoder.set_exif_metadata(exif(orientation)).unwrap();
        encoder.write_image(lies.as_bytes(), 60, 60, ColorType::Rgb8.into()).unwrap();
        assert!(contains(&bytes, b"Exif"));
        let picture = rendered(&bytes, query).unwrap();
        assert!(!contains(&picture.bytes, b"Exif") && !contains(&picture.bytes, b"EXIF"));
        let picture = image::load_from_memory(&picture.bytes).unwrap();
        assert_eq!(corners(&picture), [RED, GREEN, BLUE, WHITE], "{orientation}");
    }
}

fn inverse(orientation: Orientation) -> Orientation {
    match orientation {
        Orientation::Rotate90 => Orientation::Rotate270,
        Orientation::Rotate270 => Orientation::Rotate90,
        same => same,
    }
}

fn exif(orientation: u8) -> Vec<u8> {
    let mut exif = b"II*\0\x08\0\0\0\x01\0\x12\x01\x03\0\x01\0\0\0".to_vec();
    exif.extend([orientation, 0, 0, 0, 0, 0, 0, 0]);
    exif
}

fn contains(bytes: &[u8], needle: &[u8]) -> bool {
    bytes.windows(needle.len()).any(|window| window == needle)
}

#[test]
fn crop_respects_exif_orientation() {
    let mut lies = DynamicImage::from(quarters(200, 100));
    lies.apply_orientation(Orientation::Rotate270);
    let mut bytes = Vec::new();
    let mut encoder = image::codecs::png::PngEncoder::new(&mut bytes);
    encoder.set_exif_metadata(exif(6)).unwrap();
    encoder.write_image(lies.as_bytes(), 100, 200, ColorType::Rgb8.into()).unwrap();
    let cropped = render(&bytes, "width=50&height=50&gravity=we");
    assert_eq!((cropped.dimensions(), corners(&cropped)), ((50, 50), [RED, RED, BLUE, BLUE]));
    assert_eq!(render(&bytes, "width=100").dimensions(), (100, 50));
}

#[test]
fn icc_profile_colours_are_converted_to_srgb() {
    let profile = moxcms::ColorProfile::new_display_p3().encode().unwrap();
    let mut bytes = Vec::new();
    let mut encoder = image::codecs::png::PngEncoder::new(&mut bytes);
    encoder.set_icc_profile(profile).unwrap();
    let picture = RgbImage::from_pixel(8, 8, Rgb([200, 100, 100]));
    encoder.write_image(&picture, 8, 8, ColorType::Rgb8.into()).unwrap();
    let pixel = render(&bytes, "width=4").into_rgb8().get_pixel(2, 2).0;
    // Display P3 (200, 100, 100) is redder in sRGB.
    assert!(pixel[0] > 208 && pixel[1] < 98, "{pixel:?}");
    assert!(!contains(&rendered(&bytes, "width=4").unwrap().bytes, b"iCCP"));
}

#[test]
fn grey_and_sixteen_bits_are_rendered_too() {
    let grey = DynamicImage::from(quarters(60, 60)).into_luma8();
    let fine = DynamicImage::from(quarters(60, 60)).into_rgba16();
    let jpeg = file(grey.clone(), ImageFormat::Jpeg);
    assert_eq!(render(&jpeg, "width=20").color(), ColorType::L8);
    assert_eq!(render(&jpeg, "width=20&format=webp").dimensions(), (20, 20));
    assert_eq!(render(&file(grey, ImageFormat::Png), "width=20").color(), ColorType::L8);
    let fine = render(&file(fine, ImageFormat::Png), "width=20");
    assert_eq!((fine.color(), corners(&fine)), (ColorType::Rgb8, [RED, GREEN, BLUE, WHITE]));
}

#[test]
fn first_frame_of_an_animation_is_the_picture() {
    let mut bytes = Vec::new();
    let mut encoder = GifEncoder::new(&mut bytes);
    let second = RgbaImage::from_pixel(40, 40, Rgba([0, 0, 0, 255]));
    let first = DynamicImage::from(quarters(40, 40)).into_rgba8();
    encoder.encode_frames([Frame::new(first), Frame::new(second)]).unwrap();
    drop(encoder);
    for query in ["width=20", "width=20&format=webp"] {
        assert_eq!(corners(&render(&bytes, query)), [RED, GREEN, BLUE, WHITE]);
    }
}

#[test]
fn nothing_but_pixels_comes_out_of_a_polyglot() {
    let script = b"<script>alert(1)</script>";
    let mut gif = file(quarters(20, 20), ImageFormat::Gif);
    gif.extend(script);
    let mut jpeg = file(quarters(20, 20), ImageFormat::Jpeg);
    jpeg.extend(script);
    for bytes in [gif, jpeg] {
        let picture = rendered(&bytes, "width=10").unwrap();
        assert!(!contains(&picture.bytes, b"script"));
    }
}

#[test]
fn files_that_are_no_picture_are_refused() {
    let svg: &[u8] = b"<svg xmlns=\"http://www.w3.org/2000/svg\"><script>alert(1)</script></svg>";
    for bytes in [svg, b"", b"\xff\xd8\xff", b"GIF89a", b"%PDF-1.7", b"BM", b"<!doctype html>"] {
        assert_eq!(rendered(bytes, "width=10"), Err(ImageRefusal::Source), "{bytes:?}");
    }
}

#[test]
fn picture_that_breaks_off_is_refused() {
    for format in [ImageFormat::Jpeg, ImageFormat::Png, ImageFormat::Gif, ImageFormat::WebP] {
        let bytes = file(noise(60, 60), format);
        for length in [bytes.len() / 4, bytes.len() / 2, bytes.len() * 9 / 10] {
            assert_eq!(
                rendered(&bytes[..length], "width=10"),
                Err(ImageRefusal::Source),
                "{format:?}"
            );
        }
    }
}

#[test]
fn picture_with_oversized_resolution_is_refused() {
    let mut png = file(quarters(8, 8), ImageFormat::Png);
    // 65,535 squared, in a file of a hundred bytes with a valid checksum.
    png[16..24].copy_from_slice(&[0, 0, 255, 255, 0, 0, 255, 255]);
    let sum = crc32(&png[12..29]);
    png[29..33].copy_from_slice(&sum.to_be_bytes());
    assert_eq!(rendered(&png, "width=10"), Err(ImageRefusal::Resolution));
    let mut gif = file(quarters(8, 8), ImageFormat::Gif);
    gif[6..10].copy_from_slice(&[255; 4]);
    assert_eq!(rendered(&gif, "width=10"), Err(ImageRefusal::Resolution));
}

fn crc32(bytes: &[u8]) -> u32 {
    let step = |sum: u32, _| (sum >> 1) ^ (0xedb8_8320 & (sum & 1).wrapping_neg());
    !bytes.iter().fold(!0, |sum, byte| (0..8).fold(sum ^ u32::from(*byte), step))
}

#[test]
fn memory_is_known_before_it_is_taken() {
    let bytes = file(quarters(1000, 500), ImageFormat::Png);
    let transform = transform("width=100");
    let cancel_flag = CancelFlag::default();
    let rendering = Rendering::of(&bytes, &transform, false, MOST, &cancel_flag).unwrap();
    let pixels = 1000 * 500 * 3;
    assert!((pixels..pixels + (20 << 20)).contains(&rendering.memory()));
    // The coefficients of a progressive JPEG are held until its last scan.
    let [at_once, in_scans] =
        [file(quarters(1000, 500), ImageFormat::Jpeg), progressive(1000, 500)];
    let of = |bytes: &[u8]| {
        Rendering::of(bytes, &transform, false, MOST, &cancel_flag).unwrap().memory()
    };
    assert!(of(&in_scans) >= of(&at_once) + 1000 * 500);
    let nothing = Transform::default();
    let deflated = Rendering::of(&bytes, &nothing, true, MOST, &cancel_flag).unwrap();
    assert!(deflated.memory() >= 1000 * 500 * (3 + 4));
}

#[test]
fn cancelled_rendering_stops_with_timeout() {
    let bytes = file(noise(64, 64), ImageFormat::Png);
    let transform = transform("width=10");
    let cancel_flag = CancelFlag::default();
    let rendering = Rendering::of(&bytes, &transform, true, MOST, &cancel_flag).unwrap();
    cancel_flag.give();
    assert_eq!(rendering.run(), Err(ImageRefusal::TimedOut));
}

#[test]
fn random_damaged_pictures_never_panic_the_renderer() {
    let formats = [ImageFormat::Jpeg, ImageFormat::Png, ImageFormat::Gif, ImageFormat::WebP];
    let mut files = formats.map(|format| file(quarters(48, 40), format)).to_vec();
    files.push(progressive(48, 40));
    let damage = proptest::collection::vec((any::<prop::sample::Index>(), any::<u8>()), 1..6);
    let value = (
        0..files.len(),
        damage,
        any::<prop::sample::Index>(),
        "(width=[0-9]{1,4}&)?(height=[0-9]{1,4}&)?(gravity=sm|format=webp|resize=fill)?",
    );
    property_test("of damaged pictures", value, |(which, damage, end, query)| {
        let mut bytes = files[which].clone();
        for (place, byte) in &damage {
            let place = place.index(bytes.len());
            bytes[place] = *byte;
        }
        if end.index(4) == 0 {
            bytes.truncate(end.index(bytes.len()));
        }
        let transform = transform(query.trim_end_matches('&'));
        // The pixel limit skips pictures whose size the damage made too large for a quick test.
        let cancel_flag = CancelFlag::default();
        let Ok(rendering) = Rendering::of(&bytes, &transform, false, 1_000_000, &cancel_flag)
        else {
            return;
        };
        if let Ok(picture) = rendering.run() {
            assert_eq!(Kind::of(&picture.bytes), Some(picture.kind));
        }
    });
}

/// The quarters as a progressive JPEG.
fn progressive(width: u16, height: u16) -> Vec<u8> {
    let mut bytes = Vec::new();
    let mut encoder = jpeg_encoder::Encoder::new(&mut bytes, 80);
    encoder.set_progressive(true);
    let pixels = quarters(width.into(), height.into());
    encoder.encode(&pixels, width, height, jpeg_encoder::ColorType::Rgb).unwrap();
    bytes
}

#[test]
fn jpeg_with_separate_plane_scans_is_refused() {
    let mut bytes = Vec::new();
    let mut encoder = jpeg_encoder::Encoder::new(&mut bytes, 80);
    // With optimized tables this encoder writes one plane per scan.
    encoder.set_optimized_huffman_tables(true);
    encoder.encode(&quarters(80, 60), 80, 60, jpeg_encoder::ColorType::Rgb).unwrap();
    assert_eq!(rendered(&bytes, "width=40"), Err(ImageRefusal::Source));
}
