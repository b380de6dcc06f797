//! The right to write an upload, held by one request at a time over all processes.

use std::pin::pin;
use std::time::Duration;

use tokio::time::sleep;
use uuid::Uuid;

use crate::error::StorageError;
use crate::model::RequestContext;
use crate::state::State;
use crate::store::tus::{self, Upload};
use crate::tus::TusRefusal;

/// How long a lease lasts without being renewed: that long nobody can go on after a process that
/// died.
const SECONDS: u32 = 10;
const RENEWAL: Duration = Duration::from_secs(3);

/// A lease, and the upload as it stood when it was taken.
pub(super) struct Lease {
    pub(super) writer: Uuid,
    pub(super) upload: Upload,
}

impl Lease {
    /// # Errors
    /// [`TusRefusal::Locked`] while somebody else writes.
    pub(super) async fn take(
        state: &State,
        context: &RequestContext,
        version: Uuid,
    ) -> Result<Self, StorageError> {
        let writer = state.uuid();
        let upload = hold(state, context, version, writer).await?;
        Ok(Self { writer, upload })
    }

    /// Does some work, and lets the lease last as long.
    pub(super) async fn keep<T>(
        &self,
        state: &State,
        context: &RequestContext,
        work: impl Future<Output = T>,
    ) -> T {
        let mut work = pin!(work);
        loop {
            tokio::select! {
                outcome = &mut work => return outcome,
                () = sleep(RENEWAL) => {
                    // Who lost it finds out where it counts: nothing is counted for them any more.
                    if let Err(error) = hold(state, context, self.upload.version, self.writer).await {
                        tracing::warn!(%error, "upload lease not renewed");
                    }
                }
            }
        }
    }

    /// Gives the lease back. One that cannot be given back ends by itself.
    pub(super) async fn release(self, state: &State, context: &RequestContext) {
        let db = state.own_turn(context);
        let mut work = db.begin();
        let outcome = match tus::release(&mut work, self.upload.version, self.writer).await {
            Ok(()) => work.commit().await,
            Err(error) => Err(error),
        };
        if let Err(error) = outcome {
            tracing::warn!(%error, version = %self.upload.version, "upload lease not released; it expires");
        }
    }
}

async fn hold(
    state: &State,
    context: &RequestContext,
    version: Uuid,
    writer: Uuid,
) -> Result<Upload, StorageError> {
    let db = state.own_turn(context);
    let mut work = db.begin();
    let upload = tus::take(&mut work, version, writer, SECONDS).await?;
    work.commit().await?;
    upload.ok_or_else(|| TusRefusal::Locked.into())
}
