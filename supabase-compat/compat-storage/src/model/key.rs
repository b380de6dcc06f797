//! Names of buckets and objects: the permitted characters, and the rejection of `.` and `..`.

use crate::error::{InvalidRequest, StorageError};

/// Permitted characters of a name besides letters, digits and `_`.
const MARKS: &str = "/!-.*'() &$@=;:+,?";

/// The maximum length of a bucket's name in characters.
const LONGEST_BUCKET: usize = 100;

/// The maximum length of an object's name in bytes: what the index, file systems and remote stores
/// can hold.
const LONGEST_KEY: usize = 1024;

/// The maximum length of one path segment in bytes, the limit of file systems.
const LONGEST_PART: usize = 255;

/// Checks that an object may have this name.
///
/// # Errors
/// [`StorageError::InvalidKey`] with the name.
pub fn check_key(key: &str) -> Result<(), StorageError> {
    if is_key(key) { Ok(()) } else { Err(StorageError::InvalidKey(key.to_owned())) }
}

/// Checks that a bucket may have this name.
///
/// # Errors
/// [`StorageError::InvalidBucketName`].
pub fn check_bucket_name(name: &str) -> Result<(), StorageError> {
    let fits = (1..=LONGEST_BUCKET).contains(&name.len())
        && name.trim() == name
        && name.chars().all(|c| is_allowed(c) && c != '/')
        && !is_climbing(name)
        && !name.ends_with("--table-s3");
    if fits { Ok(()) } else { Err(StorageError::InvalidBucketName) }
}

/// Checks the number of names in one request.
///
/// # Errors
/// [`InvalidRequest::Field`] with the text of the original's schema.
pub fn check_count(field: &str, count: usize, most: usize) -> Result<(), InvalidRequest> {
    if count == 0 {
        return Err(InvalidRequest::Field(format!(
            "body/{field} must NOT have fewer than 1 items"
        )));
    }
    if count > most {
        return Err(InvalidRequest::Field(format!(
            "body/{field} must NOT have more than {most} items"
        )));
    }
    Ok(())
}

fn is_key(key: &str) -> bool {
    (1..=LONGEST_KEY).contains(&key.len())
        && key.chars().all(is_allowed)
        && !key.starts_with('/')
        && !key.split('/').any(|part| is_climbing(part) || part.len() > LONGEST_PART)
}

fn is_allowed(c: char) -> bool {
    c.is_ascii_alphanumeric() || c == '_' || MARKS.contains(c)
}

/// `.` and `..` leave the folder, in file systems and in URLs.
fn is_climbing(part: &str) -> bool {
    matches!(part, "." | "..")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_may_hold_what_the_original_allows() {
        for key in ["a", "a/b.png", "A_1!-.*'() &$@=;:+,?", "folder/", "a//b", "..a/b..", "a b"] {
            assert!(check_key(key).is_ok(), "{key}");
        }
        let long = "x".repeat(LONGEST_PART + 1);
        for key in [
            "", "é", "a%20b", "a#b", "a^", "~", "a[b]", "\"", "<", "\\", "a\nb", "a\0", "..", ".",
            "../a", "a/../b", "a/./b", "a/..", "/a", &long,
        ] {
            assert!(check_key(key).is_err(), "{key:?}");
        }
        let parts = vec!["x".repeat(100); 10].join("/");
        assert!(check_key(&parts).is_ok());
        assert!(check_key(&format!("{parts}/{parts}")).is_err());
    }

    #[test]
    fn buckets_have_names_without_folders_or_blanks_around() {
        for name in ["a", "my bucket", "A.b-c_d", "b!*'()&$@=;:+,?", &"x".repeat(100)] {
            assert!(check_bucket_name(name).is_ok(), "{name}");
        }
        for name in ["", " a", "a ", "a/b", "é", "..", ".", "x--table-s3", "a%", &"x".repeat(101)]
        {
            assert!(check_bucket_name(name).is_err(), "{name:?}");
        }
    }

    #[test]
    fn random_names_never_leave_their_folder() {
        use std::path::{Component, Path};
        let part = "(\\.|\\.\\.|a|b c|[!-~]{0,4}|\\PC{0,3})";
        let names = proptest::collection::vec(part, 0..6);
        compat_testkit::property_test("names", names, |parts: Vec<String>| {
            let name = parts.join("/");
            let stays = |name: &str| {
                Path::new(name).components().all(|part| matches!(part, Component::Normal(_)))
            };
            assert!(check_key(&name).is_err() || stays(&name), "{name:?}");
            assert!(check_bucket_name(&name).is_err() || stays(&name), "{name:?}");
        });
    }
}
