//! What lies in a bucket, by key, as the S3 protocol lists it.

use crate::error::StorageError;
use crate::model::Visit;
use crate::state::State;
use crate::store;
pub use crate::store::keys::{Entry, Page};

/// A page of a list.
pub struct Found {
    pub entries: Vec<Entry>,
    pub has_more: bool,
}

/// The objects the caller sees behind a key, and in the place of many with a delimiter what they
/// have in front of it.
///
/// # Errors
/// [`StorageError::NoSuchBucket`].
pub async fn page(
    state: &State,
    visit: &Visit,
    bucket: &str,
    page: &Page<'_>,
) -> Result<Found, StorageError> {
    super::bucket::must_exist(state, visit, bucket).await?;
    // One more than asked for tells whether there is another page.
    let asked = Page { most: page.most + 1, ..*page };
    let turn = state.turn(visit);
    let mut work = turn.begin();
    let mut entries = match page.delimiter {
        _ if page.most == 0 => Vec::new(),
        "" => store::keys::flat(&mut work, bucket, &asked).await?,
        _ => store::keys::folded(&mut work, bucket, &asked).await?,
    };
    work.commit().await?;
    let has_more = entries.len() > page.most as usize;
    entries.truncate(page.most as usize);
    Ok(Found { entries, has_more })
}
