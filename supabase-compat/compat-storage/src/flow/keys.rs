//! Pages of the keys in a bucket, as the S3 protocol returns them.

use crate::error::StorageError;
use crate::model::RequestContext;
use crate::state::State;
use crate::store;
pub use crate::store::keys::{Entry, Page};

/// A page of keys.
pub struct KeyPage {
    pub entries: Vec<Entry>,
    pub has_more: bool,
}

/// The objects after a key that the caller can see; with a delimiter, keys with the same prefix up
/// to the delimiter are folded into one entry.
///
/// # Errors
/// [`StorageError::NoSuchBucket`].
pub async fn page(
    state: &State,
    context: &RequestContext,
    bucket: &str,
    page: &Page<'_>,
) -> Result<KeyPage, StorageError> {
    super::bucket::must_exist(state, context, bucket).await?;
    // One entry more than requested shows whether there is another page.
    let request = Page { most: page.most + 1, ..*page };
    let db = state.db(context);
    let mut work = db.begin();
    let mut entries = match page.delimiter {
        _ if page.most == 0 => Vec::new(),
        "" => store::keys::flat(&mut work, bucket, &request).await?,
        _ => store::keys::folded(&mut work, bucket, &request).await?,
    };
    work.commit().await?;
    let has_more = entries.len() > page.most as usize;
    entries.truncate(page.most as usize);
    Ok(KeyPage { entries, has_more })
}
