//! Pages of the objects and folders in a bucket that the caller can see.

use crate::error::StorageError;
use crate::model::RequestContext;
use crate::model::list::{Column, Cursor, LevelQuery, PageQuery};
use crate::state::State;
use crate::store;
pub use crate::store::list::Entry;

/// A page of entries, and the cursor for the next page.
pub struct Page {
    pub entries: Vec<Entry>,
    pub next: Option<Cursor>,
}

/// One folder level, paginated by offset. A bucket that does not exist is empty.
pub async fn level(
    state: &State,
    context: &RequestContext,
    bucket: &str,
    level: &LevelQuery,
) -> Result<Vec<Entry>, StorageError> {
    let db = state.db(context);
    let mut work = db.begin();
    let entries = store::list::level(&mut work, bucket, level).await?;
    work.commit().await?;
    Ok(entries)
}

/// A page after a cursor, of one folder level or of all levels.
pub async fn page(
    state: &State,
    context: &RequestContext,
    bucket: &str,
    page: &PageQuery,
    by_level: bool,
) -> Result<Page, StorageError> {
    // One entry more than requested shows whether there is another page.
    let request = PageQuery { limit: page.limit + 1, ..page.clone() };
    let db = state.db(context);
    let mut work = db.begin();
    let mut entries = match by_level {
        true => store::list::level_behind(&mut work, bucket, &request).await?,
        false => store::list::flat_behind(&mut work, bucket, &request).await?,
    };
    work.commit().await?;
    let has_next = entries.len() > page.limit as usize;
    entries.truncate(page.limit as usize);
    let next = entries.last().filter(|_| has_next).map(|last| cursor(last, page));
    Ok(Page { entries, next })
}

/// The cursor after an entry. When sorted by name, a folder's cursor ends with its slash, so that
/// the next page skips the folder's contents.
fn cursor(last: &Entry, page: &PageQuery) -> Cursor {
    let moment = match page.column {
        Column::Name => None,
        Column::CreatedAt => last.created_at,
        _ => last.updated_at,
    };
    let is_folder = last.id.is_none() && page.column == Column::Name;
    Cursor {
        after: format!("{}{}", last.name, if is_folder { "/" } else { "" }),
        moment: moment
            .map(|moment| moment.to_rfc3339_opts(chrono::SecondsFormat::Millis, true))
            .unwrap_or_default(),
        column: page.column,
        falling: page.falling,
    }
}
