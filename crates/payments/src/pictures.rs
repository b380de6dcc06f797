//! The copier of pictures for Arcade spots, which another crate implements.

use compat_functions::BoxFuture;
use uuid::Uuid;

/// Copies pictures of other sites into the site's own storage.
pub trait PictureCopier: Send + Sync {
    /// Copies the picture at this address to the files of the account; returns its path on this
    /// site.
    fn copy<'a>(
        &'a self,
        address: &'a str,
        account: Uuid,
    ) -> BoxFuture<'a, Result<String, PictureError>>;
}

/// Why a picture was not copied.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum PictureError {
    /// The address cannot be reached.
    Unreachable,
    /// The picture has too many bytes or pixels.
    TooLarge,
    /// The file at the address is not a picture.
    NotAPicture,
    /// The site cannot store the picture.
    NotStored,
}

/// Whether the address of a picture is absolute, so that it is not on this site.
pub(crate) fn is_external(address: &str) -> bool {
    let scheme = address.split(':').next().unwrap_or_default();
    scheme.eq_ignore_ascii_case("https") || scheme.eq_ignore_ascii_case("http")
}
