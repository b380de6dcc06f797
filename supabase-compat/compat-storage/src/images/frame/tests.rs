use super::*;

fn size(width: u32, height: u32) -> Size {
    Size { width, height }
}

fn transform(width: u32, height: u32, resize: Resize) -> Transform {
    let side = |pixels| (pixels > 0).then_some(pixels);
    Transform { width: side(width), height: side(height), resize, ..Transform::default() }
}

fn becomes(source: Size, transform: Transform) -> Size {
    ScaledPicture::new(source, &transform).under(Gravity::Side(Side::Centre, None)).size
}

#[test]
fn sizes_are_those_of_the_original() {
    use Resize::{Contain, Cover, Fill};
    for (source, transform, result) in [
        (size(800, 600), transform(200, 200, Cover), size(200, 200)),
        (size(800, 600), transform(200, 200, Contain), size(200, 150)),
        (size(800, 600), transform(200, 200, Fill), size(200, 200)),
        (size(800, 600), transform(200, 0, Cover), size(200, 150)),
        (size(800, 600), transform(0, 200, Contain), size(267, 200)),
        (size(800, 600), transform(200, 0, Fill), size(200, 600)),
        (size(800, 600), transform(0, 0, Cover), size(800, 600)),
        // Nothing is enlarged.
        (size(100, 100), transform(200, 50, Cover), size(100, 50)),
        (size(100, 100), transform(200, 400, Cover), size(100, 100)),
        (size(100, 100), transform(200, 50, Contain), size(50, 50)),
        (size(100, 100), transform(200, 50, Fill), size(100, 25)),
        (size(100, 50), transform(400, 400, Contain), size(100, 50)),
        // A side never becomes zero.
        (size(10_000, 2), transform(10, 0, Contain), size(10, 1)),
    ] {
        assert_eq!(becomes(source, transform), result, "{source:?} {transform:?}");
    }
}

#[test]
fn gravity_selects_the_cropped_region() {
    let scaled = ScaledPicture::new(size(400, 100), &transform(100, 100, Resize::Cover));
    let left = |gravity| scaled.under(gravity).part.left;
    let side = |side, offset| Gravity::Side(side, offset);
    for (gravity, expected) in [
        (side(Side::Centre, None), 150.0),
        (side(Side::North, None), 150.0),
        (side(Side::West, None), 0.0),
        (side(Side::SouthEast, None), 300.0),
        (side(Side::West, Some((30.0, 0.0))), 30.0),
        (side(Side::East, Some((30.0, 0.0))), 270.0),
        (side(Side::West, Some((0.25, 0.0))), 100.0),
        (side(Side::Centre, Some((-50.0, 0.0))), 100.0),
        (side(Side::West, Some((-9.0, 0.0))), 0.0),
        (side(Side::West, Some((9e9, 0.0))), 300.0),
        (Gravity::Point(0.0, 0.5), 0.0),
        (Gravity::Point(0.5, 0.5), 150.0),
        (Gravity::Point(0.75, 0.5), 250.0),
    ] {
        assert_eq!(left(gravity), expected, "{gravity:?}");
    }
}

#[test]
fn crop_region_is_mapped_through_exif_orientation() {
    // The displayed picture is 40 wide and 20 high; the part is its upper left quarter.
    let displayed = size(40, 20);
    let frame =
        Frame { part: Region { left: 0.0, top: 0.0, width: 20.0, height: 10.0 }, size: size(4, 2) };
    for (orientation, left, top) in [
        (Orientation::NoTransforms, 0.0, 0.0),
        (Orientation::FlipHorizontal, 20.0, 0.0),
        (Orientation::FlipVertical, 0.0, 10.0),
        (Orientation::Rotate180, 20.0, 10.0),
        // The stored picture is 20 wide and 40 high here.
        (Orientation::Rotate90, 0.0, 20.0),
        (Orientation::Rotate270, 10.0, 0.0),
        (Orientation::Rotate90FlipH, 0.0, 0.0),
        (Orientation::Rotate270FlipH, 10.0, 20.0),
    ] {
        let lies = if swaps_sides(orientation) { displayed.transpose() } else { displayed };
        let there = frame.before(orientation, lies);
        assert_eq!((there.part.left, there.part.top), (left, top), "{orientation:?}");
        let expected = if swaps_sides(orientation) { size(2, 4) } else { size(4, 2) };
        assert_eq!(there.size, expected);
    }
}
