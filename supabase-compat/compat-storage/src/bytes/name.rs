//! Names of files for keys: the original's `<bucket>/<key>/<version>`, so that its volumes can be
//! taken over. Where that is not possible, an escape is used that no key can be confused with.
//!
//! The rules allow `~` neither in the name of a bucket nor in a key; a row that was written by hand
//! may contain one, so it is escaped, too:
//!
//! | in a key | as a name |
//! |---|---|
//! | a part that is empty, `.`, `..` | `~_`, `~.`, `~..` |
//! | `~`, the byte 0, a `/` in a bucket's name | `~7E`, `~00`, `~2F` |
//! | a part longer than a name may be | pieces, all but the last of them ending in `~` |
//! | a part of the form of a version | itself; `~-` and itself where such a version lies |

use std::path::{Component, Path, PathBuf};

use uuid::Uuid;

use super::{BytesError, ObjectLocation};

/// The most bytes of a name on every file system, less one for the mark of a name that continues.
const LONGEST_NAME: usize = 254;
/// The most bytes of a path below the folder: the system's limit, less space for the folder itself.
const LONGEST_PATH: usize = 3500;

/// The name of an entry of ours, which no bucket has; `plain` contains no `~`.
pub(super) fn own(plain: &str) -> String {
    format!("~{plain}")
}

/// The path of a version, below the folder of all buckets.
///
/// # Errors
/// [`BytesError::KeyTooLong`].
pub(super) fn path(place: &ObjectLocation) -> Result<PathBuf, BytesError> {
    path_of(place, false)
}

/// The path of a version when a part of its usual path is a version of another key; `None` when no
/// part of the key has the form of a version.
pub(super) fn fallback_path(place: &ObjectLocation) -> Option<PathBuf> {
    let has_version = place.key.split('/').any(is_version);
    has_version.then(|| path_of(place, true).ok()).flatten()
}

fn path_of(place: &ObjectLocation, marks_versions: bool) -> Result<PathBuf, BytesError> {
    let mut path = PathBuf::new();
    for part in std::iter::once(place.bucket.as_str()).chain(place.key.split('/')) {
        let mark = if marks_versions && is_version(part) { "~-" } else { "" };
        for name in split(&format!("{mark}{}", escaped(part))) {
            path.push(name);
        }
    }
    path.push(place.version.to_string());
    if path.as_os_str().len() > LONGEST_PATH { Err(BytesError::KeyTooLong) } else { Ok(path) }
}

/// The name of a version as one text of at most `longest` bytes, for stores without folders.
///
/// # Errors
/// [`BytesError::KeyTooLong`].
pub(super) fn flat(place: &ObjectLocation, longest: usize) -> Result<String, BytesError> {
    let mut name = escaped(&place.bucket);
    for part in place.key.split('/') {
        name.push('/');
        name.push_str(&escaped(part));
    }
    name.push('/');
    name.push_str(&place.version.to_string());
    if name.len() > longest { Err(BytesError::KeyTooLong) } else { Ok(name) }
}

/// The location that a path below the folder of all buckets stands for; `None` if it is not ours.
pub(super) fn place(path: &Path) -> Option<ObjectLocation> {
    let mut names = Vec::new();
    for component in path.components() {
        let Component::Normal(name) = component else { return None };
        names.push(name.to_str()?);
    }
    read(&names)
}

/// The location that a name made by [`flat`] stands for.
pub(super) fn flat_place(name: &str) -> Option<ObjectLocation> {
    read(&name.split('/').collect::<Vec<_>>())
}

fn read(names: &[&str]) -> Option<ObjectLocation> {
    let (version, names) = names.split_last()?;
    let version = is_version(version).then(|| version.parse().ok()).flatten()?;
    let (mut parts, mut partial) = (Vec::new(), String::new());
    for name in names {
        match name.strip_suffix('~') {
            Some(piece) => partial.push_str(piece),
            None => parts.push(unescaped(&(std::mem::take(&mut partial) + name))?),
        }
    }
    let (bucket, key) = parts.split_first()?;
    let is_whole = partial.is_empty() && !key.is_empty();
    is_whole.then(|| ObjectLocation { bucket: bucket.clone(), key: key.join("/"), version })
}

/// Whether a part has the form of a version: 36 letters in lower case.
fn is_version(part: &str) -> bool {
    let is_small = !part.bytes().any(|byte| byte.is_ascii_uppercase());
    part.len() == 36 && is_small && Uuid::try_parse(part).is_ok()
}

fn escaped(part: &str) -> String {
    match part {
        "" => "~_".to_owned(),
        "." | ".." => format!("~{part}"),
        _ => part.replace('~', "~7E").replace('\0', "~00").replace('/', "~2F"),
    }
}

fn unescaped(name: &str) -> Option<String> {
    match name {
        "~_" => return Some(String::new()),
        "~." | "~.." => return Some(name[1..].to_owned()),
        "" => return None,
        _ => {}
    }
    let mut pieces = name.strip_prefix("~-").unwrap_or(name).split('~');
    let mut part = pieces.next()?.to_owned();
    for piece in pieces {
        let character = match piece.get(..2)? {
            "7E" => '~',
            "00" => '\0',
            "2F" => '/',
            _ => return None,
        };
        part.push(character);
        part.push_str(&piece[2..]);
    }
    Some(part)
}

/// Splits a name into pieces that are short enough.
fn split(mut name: &str) -> Vec<String> {
    let mut pieces = Vec::new();
    while name.len() > LONGEST_NAME {
        let (piece, rest) = name.split_at(name.floor_char_boundary(LONGEST_NAME));
        pieces.push(format!("{piece}~"));
        name = rest;
    }
    pieces.push(name.to_owned());
    pieces
}

#[cfg(test)]
mod tests;
