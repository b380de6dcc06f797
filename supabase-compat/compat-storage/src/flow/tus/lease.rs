//! The lease on an upload: only one request at a time may write, across all processes.

use std::pin::pin;
use std::time::Duration;

use tokio::time::sleep;
use uuid::Uuid;

use crate::error::StorageError;
use crate::model::RequestContext;
use crate::state::State;
use crate::store::tus::{self, Upload};
use crate::tus::TusRefusal;

/// The duration of a lease without renewal. After a process died, nobody can continue its uploads
/// for this long.
const SECONDS: u32 = 10;
const RENEWAL: Duration = Duration::from_secs(3);

/// A lease, and the upload as it was when the lease was taken.
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

    /// Runs `work` and renews the lease until it is done.
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
                    // A request that lost the lease fails when it records a part.
                    if let Err(error) = hold(state, context, self.upload.version, self.writer).await {
                        tracing::warn!(%error, "cannot renew an upload lease");
                    }
                }
            }
        }
    }

    /// Releases the lease. If that fails, the lease expires.
    pub(super) async fn release(self, state: &State, context: &RequestContext) {
        let db = state.service_db(context);
        let mut work = db.begin();
        let outcome = match tus::release(&mut work, self.upload.version, self.writer).await {
            Ok(()) => work.commit().await,
            Err(error) => Err(error),
        };
        if let Err(error) = outcome {
            tracing::warn!(%error, version = %self.upload.version, "cannot release an upload lease; it expires");
        }
    }
}

async fn hold(
    state: &State,
    context: &RequestContext,
    version: Uuid,
    writer: Uuid,
) -> Result<Upload, StorageError> {
    let db = state.service_db(context);
    let mut work = db.begin();
    let upload = tus::take(&mut work, version, writer, SECONDS).await?;
    work.commit().await?;
    upload.ok_or_else(|| TusRefusal::Locked.into())
}
