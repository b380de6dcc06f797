//! Optimises the site's pictures one after the other, once an administrator has started it.
//!
//! The progress is kept in rows, so that a restarted or second process continues where no other is
//! at work.

use std::time::Duration;

use compat_pg::PgError;
use tokio::time::sleep;

use crate::State;
use crate::model::picture_outcome::SkipReason;
use crate::model::stored_picture::StoredPicture;
use crate::pictures::{ObjectMetadata, Pictures};
use crate::store::image_check::{self, PendingImage};

/// The lease on a picture, in seconds; longer than the work on it can take.
const LEASE: i32 = 120;

/// The most attempts at a picture: it may be what crashes the worker.
const ATTEMPTS: i32 = 3;

/// The pictures per run, and the pause after each, in which visitors have the renderer to
/// themselves.
const BATCH_SIZE: u64 = 20;
const PAUSE: Duration = Duration::from_millis(150);

/// A smaller picture replaces the original when it has at most this many tenths of its bytes.
const WORTH_TENTHS: usize = 9;

/// The widths of logos on cards and in lists, on displays of normal and double density.
const WIDTHS: [u32; 4] = [28, 56, 64, 128];

/// Optimises pictures that wait, a few at a time; returns how many were processed.
///
/// # Errors
/// When the database fails; unfinished pictures are tried again.
pub(crate) async fn optimize_due(state: &State, pictures: &Pictures) -> Result<u64, PgError> {
    for done in 0..BATCH_SIZE {
        let mut owner = state.pools().jobs.begin().await?;
        let next = image_check::claim(&mut owner, state.environment().clock.now(), LEASE).await?;
        owner.commit().await?;
        let Some(next) = next else { return Ok(done) };
        let reason = optimize(pictures, &next).await.err();
        if let Some(reason) = reason {
            settle(state, &next, reason).await?;
        }
        if matches!(reason, None | Some(SkipReason::Light)) {
            make_sizes(pictures, &next.name).await;
        }
        sleep(PAUSE).await;
    }
    Ok(BATCH_SIZE)
}

/// Replaces a picture by a smaller one, or returns why it was skipped.
async fn optimize(pictures: &Pictures, next: &PendingImage) -> Result<(), SkipReason> {
    if !next.is_there {
        return Err(SkipReason::Gone);
    }
    if next.attempts > ATTEMPTS {
        return Err(SkipReason::GaveUp);
    }
    let stored = pictures.read(&next.name).await?;
    match StoredPicture::of(&stored) {
        StoredPicture::Animated => return Err(SkipReason::Animated),
        StoredPicture::Unknown => return Err(SkipReason::UnknownKind),
        StoredPicture::Light => return Err(SkipReason::Light),
        StoredPicture::Heavy | StoredPicture::Oversized => {}
    }
    let smaller = pictures.rendered(&next.name).await?;
    if smaller.len() * 10 > stored.len() * WORTH_TENTHS {
        return Err(SkipReason::Light);
    }
    let metadata = ObjectMetadata {
        cache_control: next.cache_control.as_deref(),
        user_metadata: next.user_metadata.as_deref(),
    };
    pictures.replace(&next.name, &next.version, smaller, &metadata).await
}

/// Stores why a picture was skipped; `Changed` or `Gone` when it was replaced or removed meanwhile.
async fn settle(state: &State, next: &PendingImage, reason: SkipReason) -> Result<(), PgError> {
    let mut owner = state.pools().jobs.begin().await?;
    let reason = match image_check::version(&mut owner, &next.name).await? {
        None => SkipReason::Gone,
        Some(version) if version != next.version => SkipReason::Changed,
        Some(_) => reason,
    };
    image_check::settle(&mut owner, &next.name, state.environment().clock.now(), reason).await?;
    owner.commit().await?;
    Ok(())
}

/// Renders the sizes that lists request, so that they are cached. A size that fails here is
/// rendered at its first request.
async fn make_sizes(pictures: &Pictures, name: &str) {
    for width in WIDTHS {
        if let Err(reason) = pictures.make_ready(name, width).await {
            tracing::debug!(width, reason = reason.code(), "picture size not prepared");
            return;
        }
    }
}
