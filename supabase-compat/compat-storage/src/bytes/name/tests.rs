use std::collections::BTreeSet;

use proptest::prelude::*;

use super::*;

const VERSION: &str = "0b4ab6d9-6d2b-4a83-9b77-7b1d2b9a5c11";

fn at(bucket: &str, key: &str) -> ObjectLocation {
    let version = VERSION.parse().unwrap();
    ObjectLocation { bucket: bucket.to_owned(), key: key.to_owned(), version }
}

#[test]
fn ordinary_key_path_matches_supabase_storage() {
    let key = "9f2c6a51-3a51-4b62-8b1c-0e5d2f2b7f10/logo (1).png";
    let place = at("server-images", key);
    let expected = format!("server-images/{key}/{VERSION}");
    assert_eq!(path(&place).unwrap(), Path::new(&expected));
    assert_eq!(flat(&place, 1024).unwrap(), expected);
}

#[test]
fn a_key_that_climbs_stays_below_the_folder() {
    for key in ["..", "../../etc/passwd", "/etc/passwd", "a/../../b", ".", "a/./b", "//", "\0"] {
        for bucket in ["b", "..", ".", "/"] {
            let place = at(bucket, key);
            for path in [Some(path(&place).unwrap()), fallback_path(&place)].into_iter().flatten() {
                let is_plain = |part: Component<'_>| matches!(part, Component::Normal(_));
                assert!(path.components().all(is_plain), "{path:?}");
                assert!(!path.to_str().unwrap().contains('\0'), "{path:?}");
            }
        }
    }
}

#[test]
fn a_part_longer_than_a_name_becomes_several() {
    let key = format!("a/{}/é{}", "x".repeat(700), "é".repeat(300));
    let place = at("b", &key);
    let path = path(&place).unwrap();
    assert!(path.iter().all(|name| name.len() <= 255), "{path:?}");
    assert_eq!(super::place(&path), Some(place));
}

#[test]
fn a_key_longer_than_a_path_is_refused() {
    assert!(matches!(path(&at("b", &"x/".repeat(3000))), Err(BytesError::KeyTooLong)));
    assert!(matches!(flat(&at("b", &"x".repeat(1024)), 1024), Err(BytesError::KeyTooLong)));
}

#[test]
fn foreign_file_names_are_no_location() {
    let strange = ["", VERSION, "b", "~parts/1", "b/key", "b/~x/", "b/~7", "b/key~", "../b/k"];
    for name in strange {
        assert_eq!(place(&Path::new(name).join("lost+found")), None, "{name}");
    }
    assert_eq!(place(&Path::new("b").join(VERSION)), None);
    assert_eq!(place(&Path::new("b/~9F").join(VERSION)), None);
    assert_eq!(place(&Path::new("b/k").join(VERSION.to_uppercase())), None);
}

fn keys() -> impl Strategy<Value = String> {
    let part = prop_oneof![
        Just(String::new()),
        Just(".".to_owned()),
        Just("..".to_owned()),
        Just(VERSION.to_owned()),
        Just("~".to_owned()),
        "[a-z~é./\0-]{0,8}",
        "[a-z~]{250,520}",
    ];
    proptest::collection::vec(part, 1..5).prop_map(|parts| parts.join("/"))
}

proptest! {
    #[test]
    fn every_key_has_its_own_path(
        one in keys(), other in keys(), bucket in "[a-z./~\0]{0,4}",
    ) {
        let (one, other) = (at(&bucket, &one), at(&bucket, &other));
        let mut paths = BTreeSet::new();
        for place in [&one, &other] {
            let ways = [Some(path(place).unwrap()), fallback_path(place)];
            for way in ways.into_iter().flatten() {
                prop_assert_eq!(super::place(&way), Some(place.clone()));
                paths.insert((way, place.clone()));
            }
            let flat = flat(place, usize::MAX).unwrap();
            prop_assert_eq!(flat_place(&flat), Some(place.clone()));
        }
        let apart: BTreeSet<_> = paths.iter().map(|(path, _)| path).collect();
        prop_assert_eq!(apart.len(), paths.len());
    }
}
