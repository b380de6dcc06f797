//! Connects payments to the picture copier of the ranking, for the pictures of booked Arcade spots.

use compat_stack::functions::BoxFuture;
use payments::{PictureCopier, PictureError};
use ranking::{CopyError, PictureUse, Pictures};
use uuid::Uuid;

/// Copies pictures into the site's bucket.
pub struct Copier {
    pub ranking: ranking::State,
    /// The client for the bucket; `None` where the storage service is not available.
    pub pictures: Option<Pictures>,
}

impl PictureCopier for Copier {
    fn copy<'a>(
        &'a self,
        address: &'a str,
        account: Uuid,
    ) -> BoxFuture<'a, Result<String, PictureError>> {
        Box::pin(async move {
            let pictures = self.pictures.as_ref().ok_or(PictureError::NotStored)?;
            let usage = PictureUse::Arcade;
            let copied = ranking::copy_picture(&self.ranking, pictures, address, usage, account);
            copied.await.map_err(|fault| match fault {
                CopyError::Unreachable => PictureError::Unreachable,
                CopyError::TooLarge => PictureError::TooLarge,
                CopyError::NotAPicture => PictureError::NotAPicture,
                CopyError::NotStored => PictureError::NotStored,
            })
        })
    }
}
