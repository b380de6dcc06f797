//! Copies a picture from another site into the site's bucket, so that visitors' browsers send no
//! request to a third party, and so that the picture cannot change after a review.

use std::net::IpAddr;
use std::time::Duration;

use bytes::Bytes;
use compat_functions::Caller;
use compat_http::{EgressPolicy, OutgoingError};
use compat_pg::PgError;
use futures_util::{StreamExt as _, stream};
use url::Url;
use uuid::Uuid;

use crate::model::picture_copy::{CopyError, LARGEST, PictureUse, place};
use crate::model::picture_outcome::SkipReason;
use crate::pictures::Pictures;
use crate::store::picture_copy::{self, DueCopy};
use crate::{Refusal, State};

/// The lease on a picture, in seconds; longer than a copy can take.
const LEASE: i32 = 120;

/// The pictures per run, and how many of them are copied at once.
const BATCH_SIZE: i32 = 20;
const AT_ONCE: usize = 4;

/// The timeout of a request, and the most redirects.
const TIMEOUT: Duration = Duration::from_secs(8);
const MAX_REDIRECTS: usize = 4;

/// The width of the trial rendering, which shows whether the bytes are a whole picture.
const TRIAL_WIDTH: u32 = 64;

/// Copies a picture for a caller; returns its path on this site.
///
/// # Errors
/// When one address requests too many, the caller may not add pictures, or the copy fails.
#[tracing::instrument(name = "ranking.copy_picture", skip_all)]
pub(crate) async fn copy_for(
    state: &State,
    pictures: &Pictures,
    address: &str,
    usage: PictureUse,
    caller: &Caller,
    ip: IpAddr,
) -> Result<String, Refusal> {
    let too_often = |retry_after| Refusal::TooManyRequests { retry_after };
    let now = state.environment().clock.now();
    state.limits().pictures.take(&state.voter(ip), now).map_err(too_often)?;
    let claims = caller.claims().ok_or(Refusal::Unauthenticated)?;
    let account = claims.sub().ok_or(Refusal::Unauthenticated)?;
    let mut owner = state.pools().jobs.begin().await?;
    let may = picture_copy::may_add(&mut owner, claims.json()).await?;
    owner.commit().await?;
    if !may {
        return Err(Refusal::NotAllowed);
    }
    copy_picture(state, pictures, address, usage, account).await.map_err(Refusal::PictureRejected)
}

/// Copies a picture into the folder of an account; returns its path on this site.
///
/// # Errors
/// When the picture cannot be fetched or stored.
pub async fn copy_picture(
    state: &State,
    pictures: &Pictures,
    address: &str,
    usage: PictureUse,
    account: Uuid,
) -> Result<String, CopyError> {
    copy(state, pictures, address, &usage.folder(account)).await
}

/// Copies a picture into a folder of the bucket; returns its path on this site. A picture that is
/// already on this site is not copied.
///
/// # Errors
/// When the picture cannot be fetched, is too large, is not a picture, or the bucket rejects it.
async fn copy(
    state: &State,
    pictures: &Pictures,
    address: &str,
    folder: &str,
) -> Result<String, CopyError> {
    let own_path = address.strip_prefix(&*state.environment().public_url);
    if let Some(path) = own_path.filter(|path| path.starts_with('/')) {
        return Ok(path.to_owned());
    }
    let bytes = fetch(state, address).await?;
    let (name, kind) = place(folder, &bytes)?;
    let is_new = pictures.put_new(&name, kind, bytes).await.map_err(|_| CopyError::NotStored)?;
    // The first bytes are those of a picture; only the renderer can tell whether the rest is valid.
    let rendering = pictures.make_ready(&name, TRIAL_WIDTH).await;
    let error = match rendering {
        Err(SkipReason::Broken) if kind != "image/gif" => CopyError::NotAPicture,
        Err(SkipReason::TooLarge) => CopyError::TooLarge,
        _ => return Ok(pictures.path(&name)),
    };
    if is_new && pictures.remove(&name).await.is_err() {
        tracing::warn!(name, "unused copy not removed");
    }
    Err(error)
}

/// Copies the pictures that rows name by outside URLs; returns how many were tried.
///
/// # Errors
/// When the database fails; unfinished pictures are tried again.
pub(crate) async fn copy_due(state: &State, pictures: &Pictures) -> Result<u64, PgError> {
    let mut owner = state.pools().jobs.begin().await?;
    let due =
        picture_copy::claim(&mut owner, state.environment().clock.now(), LEASE, BATCH_SIZE).await?;
    owner.commit().await?;
    let tries = stream::iter(due).map(|due| async {
        let copied = copy(state, pictures, &due.address, &due.folder).await;
        (due, copied)
    });
    let results: Vec<(DueCopy, _)> = tries.buffer_unordered(AT_ONCE).collect().await;
    for (due, copied) in &results {
        if let Err(error) = copied {
            tracing::info!(holder = due.holder, field = due.field, %error, "picture not copied");
        }
        // Each picture has its own transaction, so that a row that rejects its picture does not
        // block the others.
        let mut owner = state.pools().jobs.begin().await?;
        match picture_copy::settle(&mut owner, due, copied, state.environment().clock.now()).await {
            Ok(()) => owner.commit().await?,
            Err(error) => tracing::warn!(%error, "picture copy not saved: database error"),
        }
    }
    Ok(results.len() as u64)
}

/// Fetches a picture and follows its redirects. The egress policy applies to every address on the
/// way.
async fn fetch(state: &State, address: &str) -> Result<Bytes, CopyError> {
    let mut address = Url::parse(address).map_err(|_| CopyError::Unreachable)?;
    for _ in 0..=MAX_REDIRECTS {
        let request = state.environment().outgoing.get(EgressPolicy::PublicOnly, address.as_str());
        let request = request.header("accept", "image/webp,image/png,image/jpeg,image/gif");
        let answer = match request.within(TIMEOUT).at_most(LARGEST).send().await {
            Ok(answer) => answer,
            Err(OutgoingError::TooLong { .. }) => return Err(CopyError::TooLarge),
            Err(_) => return Err(CopyError::Unreachable),
        };
        if answer.status.is_redirection() {
            let next = answer.headers.get("location").and_then(|next| next.to_str().ok());
            let next = next.and_then(|next| address.join(next).ok());
            address = next.ok_or(CopyError::Unreachable)?;
        } else if answer.status.is_success() {
            return Ok(answer.body);
        } else {
            return Err(CopyError::Unreachable);
        }
    }
    Err(CopyError::Unreachable)
}
