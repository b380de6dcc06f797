//! The kind of a stored picture by its first bytes, which decides whether it may be rewritten.
//!
//! Only the bytes that decide this are read. The renderer decides whether the rest is a valid
//! picture.

/// The longest side that any page shows, in pixels.
pub(crate) const LONGEST: u32 = 1920;

/// The kind of a stored picture.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum StoredPicture {
    /// PNG or JPEG: a WebP of it is likely to be much smaller.
    Heavy,
    /// A WebP whose sides are within the limit.
    Light,
    /// A WebP that is longer than any page shows.
    Oversized,
    /// An animated picture, which would lose its animation.
    Animated,
    /// A format that this module does not know.
    Unknown,
}

impl StoredPicture {
    /// The kind of the picture that begins with these bytes.
    pub(crate) fn of(bytes: &[u8]) -> Self {
        match bytes {
            [0x89, b'P', b'N', b'G', b'\r', b'\n', 0x1a, b'\n', chunks @ ..] => {
                if is_animated_png(chunks) { Self::Animated } else { Self::Heavy }
            }
            [0xff, 0xd8, 0xff, ..] => Self::Heavy,
            [b'G', b'I', b'F', b'8', ..] => Self::Animated,
            [b'R', b'I', b'F', b'F', _, _, _, _, b'W', b'E', b'B', b'P', chunk @ ..] => webp(chunk),
            _ => Self::Unknown,
        }
    }
}

/// Whether a PNG is animated, which a chunk before its first pixels says.
fn is_animated_png(mut chunks: &[u8]) -> bool {
    while let Some((head, rest)) = chunks.split_first_chunk::<8>() {
        let [a, b, c, d, name @ ..] = *head;
        match &name {
            b"acTL" => return true,
            b"IDAT" => return false,
            _ => {}
        }
        // Skips the content of the chunk and its checksum.
        let length = u32::from_be_bytes([a, b, c, d]) as usize;
        let Some(rest) = length.checked_add(4).and_then(|length| rest.get(length..)) else {
            return false;
        };
        chunks = rest;
    }
    false
}

/// The kind of a WebP by its first chunk, which contains its size.
fn webp(chunk: &[u8]) -> StoredPicture {
    const MOVES: u8 = 0b10;
    let sides = match chunk {
        [b'V', b'P', b'8', b'X', _, _, _, _, flags, ..] if flags & MOVES != 0 => {
            return StoredPicture::Animated;
        }
        [b'V', b'P', b'8', b'X', _, _, _, _, _, _, _, _, a, b, c, d, e, f, ..] => {
            let side = |a: &u8, b: &u8, c: &u8| u32::from_le_bytes([*a, *b, *c, 0]) + 1;
            (side(a, b, c), side(d, e, f))
        }
        [b'V', b'P', b'8', b'L', _, _, _, _, 0x2f, a, b, c, d, ..] => {
            let bits = u32::from_le_bytes([*a, *b, *c, *d]);
            ((bits & 0x3fff) + 1, ((bits >> 14) & 0x3fff) + 1)
        }
        [b'V', b'P', b'8', b' ', _, _, _, _, _, _, _, 0x9d, 0x01, 0x2a, a, b, c, d, ..] => {
            let side = |a: &u8, b: &u8| u32::from(u16::from_le_bytes([*a, *b]) & 0x3fff);
            (side(a, b), side(c, d))
        }
        _ => return StoredPicture::Unknown,
    };
    if sides.0.max(sides.1) > LONGEST { StoredPicture::Oversized } else { StoredPicture::Light }
}

#[cfg(test)]
mod tests {
    use compat_testkit::property_test;

    use super::*;

    fn png(chunks: &[(&[u8; 4], usize)]) -> Vec<u8> {
        let mut bytes = b"\x89PNG\r\n\x1a\n".to_vec();
        for (name, length) in chunks {
            bytes.extend(u32::try_from(*length).expect("short").to_be_bytes());
            bytes.extend(*name);
            bytes.extend(vec![0; length + 4]);
        }
        bytes
    }

    fn webp(chunk: &[u8]) -> Vec<u8> {
        [b"RIFF\0\0\0\0WEBP".as_slice(), chunk].concat()
    }

    #[test]
    fn each_kind_is_known_by_its_first_bytes() {
        use StoredPicture::{Animated, Heavy, Light, Oversized, Unknown};
        let wide = [b"VP8X\x0a\0\0\0\0\0\0\0".as_slice(), &[0x80, 0x07, 0, 9, 0, 0]].concat();
        let fits = [b"VP8X\x0a\0\0\0\0\0\0\0".as_slice(), &[0x7f, 0x07, 0, 9, 0, 0]].concat();
        let lossless = |width: u32, height: u32| {
            let bits = (width - 1) | ((height - 1) << 14);
            [b"VP8L\0\0\0\0\x2f".as_slice(), &bits.to_le_bytes()].concat()
        };
        let lossy = |width: u16, height: u16| {
            let sides = [width.to_le_bytes(), height.to_le_bytes()].concat();
            [b"VP8 \0\0\0\0\0\0\0\x9d\x01\x2a".as_slice(), &sides].concat()
        };
        for (bytes, expected) in [
            (png(&[(b"IHDR", 13), (b"IDAT", 5)]), Heavy),
            (png(&[(b"IHDR", 13), (b"acTL", 8), (b"IDAT", 5)]), Animated),
            (png(&[(b"IHDR", 13), (b"IDAT", 5), (b"acTL", 8)]), Heavy),
            (b"\xff\xd8\xff\xe0".to_vec(), Heavy),
            (b"GIF89a".to_vec(), Animated),
            (webp(b"VP8X\x0a\0\0\0\x02\0\0\0\0\0\0\0\0\0"), Animated),
            (webp(&wide), Oversized),
            (webp(&fits), Light),
            (webp(&lossless(1920, 40)), Light),
            (webp(&lossless(40, 1921)), Oversized),
            (webp(&lossy(1920, 1)), Light),
            (webp(&lossy(2400, 1)), Oversized),
            (webp(b"VP8"), Unknown),
            (b"<svg>".to_vec(), Unknown),
            (Vec::new(), Unknown),
        ] {
            assert_eq!(StoredPicture::of(&bytes), expected, "{bytes:?}");
        }
    }

    #[test]
    fn random_bytes_never_panic_the_reader() {
        use proptest::prelude::{any, prop};
        property_test(
            "stored_picture",
            (0..4_usize, prop::collection::vec(any::<u8>(), 0..120)),
            |(start, bytes)| {
                let starts: [&[u8]; 4] =
                    [b"\x89PNG\r\n\x1a\n", b"RIFF\0\0\0\0WEBPVP8X", b"RIFF\0\0\0\0WEBPVP8 ", b""];
                StoredPicture::of(&[starts[start], bytes.as_slice()].concat());
            },
        );
    }
}
