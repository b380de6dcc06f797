//! A copy of a picture from another site: its name in the bucket, and why a copy fails.

use sha2::{Digest as _, Sha256};
use uuid::Uuid;

use crate::model::stored_picture::StoredPicture;

/// The largest picture that the bucket accepts, in bytes (`storage/buckets.toml`).
pub(crate) const LARGEST: usize = 5_242_880;

/// Only pictures below this folder may be animated (`sql/repeatable/storage_objects.sql`).
const ARCADE: &str = "arcade-spots";

/// The use of a copy, which decides its folder and whether it may be animated.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum PictureUse {
    /// A tile of the home page.
    Arcade,
    /// Anything else.
    Listing,
}

impl PictureUse {
    /// The folder of an account's pictures.
    pub(crate) fn folder(self, account: Uuid) -> String {
        match self {
            Self::Arcade => format!("{ARCADE}/{account}"),
            Self::Listing => account.to_string(),
        }
    }
}

/// Why a picture could not be copied.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum CopyError {
    /// The address does not answer, or not with a success.
    #[error("The picture could not be fetched from its address")]
    Unreachable,
    /// The picture has too many bytes or pixels.
    #[error("The picture is larger than 5 MB")]
    TooLarge,
    /// The address has no picture of a supported kind.
    #[error("There is no JPG, PNG or WebP picture at this address")]
    NotAPicture,
    /// The bucket rejected the picture.
    #[error("The picture could not be stored")]
    NotStored,
}

impl CopyError {
    /// The code that pages translate and the database stores.
    pub fn code(self) -> &'static str {
        match self {
            Self::Unreachable => "picture_unreachable",
            Self::TooLarge => "picture_too_large",
            Self::NotAPicture => "picture_invalid",
            Self::NotStored => "picture_not_stored",
        }
    }
}

/// The name of a picture below a folder, derived from its content, and its media type. Equal
/// pictures get the same name.
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
