//! A picture from elsewhere that is to lie in the site's bucket: where it goes, and why it does not.

use sha2::{Digest as _, Sha256};
use uuid::Uuid;

use crate::model::stored_picture::StoredPicture;

/// Bytes of the largest picture the bucket takes (`storage/buckets.toml`).
pub(crate) const LARGEST: usize = 5_242_880;

/// Below this folder alone pictures may move (`sql/repeatable/storage_objects.sql`).
const ARCADE: &str = "arcade-spots";

/// What a picture is copied for, which says where it may lie and whether it may move.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum PictureUse {
    /// A tile of the home page.
    Arcade,
    /// Anything else.
    Listing,
}

impl PictureUse {
    /// The folder of somebody's pictures.
    pub(crate) fn folder(self, account: Uuid) -> String {
        match self {
            Self::Arcade => format!("{ARCADE}/{account}"),
            Self::Listing => account.to_string(),
        }
    }
}

/// Why there is no copy of a picture.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum CopyError {
    /// Nobody answers at the address, or not with a picture.
    #[error("The picture could not be fetched from its address")]
    Unreachable,
    /// It has more bytes or pixels than are taken.
    #[error("The picture is larger than 5 MB")]
    TooLarge,
    /// What is there is no picture of a kind that is shown.
    #[error("There is no JPG, PNG or WebP picture at this address")]
    NotAPicture,
    /// The bucket does not take it.
    #[error("The picture could not be stored")]
    NotStored,
}

impl CopyError {
    /// The code that pages translate, and the database keeps.
    pub fn code(self) -> &'static str {
        match self {
            Self::Unreachable => "picture_unreachable",
            Self::TooLarge => "picture_too_large",
            Self::NotAPicture => "picture_invalid",
            Self::NotStored => "picture_not_stored",
        }
    }
}

/// Where a picture goes below a folder, by what is in it, and the type it is served with. The same picture goes to the
/// same place.
pub(crate) fn place(folder: &str, bytes: &[u8]) -> Result<(String, &'static str), CopyError> {
    let (kind, ending) = kind(bytes).ok_or(CopyError::NotAPicture)?;
    let may_move = folder.split('/').next() == Some(ARCADE);
    if kind == "image/gif" && !may_move {
        return Err(CopyError::NotAPicture);
    }
    let hash = Sha256::digest(bytes);
    let hash: String = hash.iter().take(16).map(|byte| format!("{byte:02x}")).collect();
    Ok((format!("{folder}/copy-{hash}.{ending}"), kind))
}

fn kind(bytes: &[u8]) -> Option<(&'static str, &'static str)> {
    if StoredPicture::of(bytes) == StoredPicture::Unknown {
        return None;
    }
    match bytes {
        [0x89, ..] => Some(("image/png", "png")),
        [0xff, ..] => Some(("image/jpeg", "jpg")),
        [b'G', ..] => Some(("image/gif", "gif")),
        _ => Some(("image/webp", "webp")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_same_picture_goes_to_the_same_place() {
        let jpeg = b"\xff\xd8\xff\xe0";
        let (name, kind) = place("a", jpeg).expect("a place");
        assert_eq!(kind, "image/jpeg");
        // printf '\xff\xd8\xff\xe0' | sha256sum
        assert_eq!(name, "a/copy-ba4f25bf16ba4be6bc7d3276fafeb67f.jpg");
        assert_eq!(place("a", jpeg), Ok((name, kind)));
    }

    #[test]
    fn only_tiles_take_pictures_that_may_move() {
        assert_eq!(place("a", b"GIF89a"), Err(CopyError::NotAPicture));
        assert!(place("arcade-spots/a", b"GIF89a").is_ok());
        assert_eq!(place("arcade-spots-of-a", b"GIF89a"), Err(CopyError::NotAPicture));
        assert_eq!(
            place("a", b"<svg xmlns='http://www.w3.org/2000/svg'/>"),
            Err(CopyError::NotAPicture)
        );
    }
}
