//! What a tile shows when its picture stands elsewhere: a copy, which somebody else makes.

use compat_functions::BoxFuture;
use uuid::Uuid;

/// Brings pictures from elsewhere into the site's own storage.
pub trait PictureCopier: Send + Sync {
    /// A copy of the picture at this address among the account's; its path on this site.
    fn copy<'a>(
        &'a self,
        address: &'a str,
        account: Uuid,
    ) -> BoxFuture<'a, Result<String, PictureError>>;
}

/// Why there is no copy.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum PictureError {
    /// Nobody answers at the address with a picture.
    Unreachable,
    /// It has more bytes or pixels than are taken.
    TooLarge,
    /// What is there is no picture.
    NotAPicture,
    /// The site cannot keep it.
    NotStored,
}

/// Whether a picture stands at an address of its own and not on this site.
pub(crate) fn is_elsewhere(address: &str) -> bool {
    let scheme = address.split(':').next().unwrap_or_default();
    scheme.eq_ignore_ascii_case("https") || scheme.eq_ignore_ascii_case("http")
}
