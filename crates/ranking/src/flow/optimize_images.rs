//! The site's pictures become smaller, one after the other, once an administrator has asked for it.
//!
//! What there is to do and what is done stands in rows: whoever starts again, or beside another,
//! goes on where nobody is at work.

use std::time::Duration;

use compat_pg::PgError;
use tokio::time::sleep;

use crate::State;
use crate::model::picture_outcome::SkipReason;
use crate::model::stored_picture::StoredPicture;
use crate::pictures::{ObjectMetadata, Pictures};
use crate::store::image_check::{self, PendingImage};

/// Seconds a picture is one worker's; nobody works longer at one.
const LEASE: i32 = 120;

/// Workers a picture may cost before it is given up: it may be what ended them.
const ATTEMPTS: i32 = 3;

/// Pictures a turn takes, and how long visitors have the renderer to themselves after each.
const TURN: u64 = 20;
const REST: Duration = Duration::from_millis(150);

/// A smaller picture counts when it takes at most so many tenths.
const WORTH_TENTHS: usize = 9;

/// The widths cards and lines of lists show logos with, on usual screens and on fine ones.
const WIDTHS: [u32; 4] = [28, 56, 64, 128];

/// Works on pictures that wait, a few at a time; how many.
///
/// # Errors
/// When the database refuses or cannot be asked; what is not settled is taken up again.
pub(crate) async fn optimize_due(state: &State, pictures: &Pictures) -> Result<u64, PgError> {
    for done in 0..TURN {
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
        sleep(REST).await;
    }
    Ok(TURN)
}

/// Puts a smaller picture in the place of this one, or says why not.
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

/// Keeps why a picture was left as it is. Of one that was put anew or removed meanwhile, that.
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

/// Has the renderer keep the sizes that lists ask for; one that cannot be made is made when it is
/// asked for.
async fn make_sizes(pictures: &Pictures, name: &str) {
    for width in WIDTHS {
        if let Err(reason) = pictures.make_ready(name, width).await {
            tracing::debug!(width, reason = reason.code(), "picture size not prepared");
            return;
        }
    }
}
