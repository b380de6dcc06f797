//! What happens beside requests: a backup is made or checked, and each process says that it goes on. What a
//! restore does is in `restore`.

use std::time::Duration;

use chrono::TimeDelta;
use compat_pg::PgError;
use futures_util::future::BoxFuture;
use serde_json::json;
use tokio::time::sleep;
use uuid::Uuid;

use crate::backups::{BackupFailure, BackupFile, BackupPlace, BackupProgress};
use crate::flow::backup_schedule;
use crate::flow::backups::file_of;
use crate::state::ConsoleState;
use crate::store;

/// How long a process may say nothing before it counts as lost.
pub(crate) const LEASE: TimeDelta = TimeDelta::minutes(2);
/// How often it says that it goes on.
const BEAT: Duration = Duration::from_secs(2);
/// Letters of a reason that are kept.
const LONGEST_REASON: usize = 500;
/// What is written down of a backup whose process ended.
const LOST: &str = "the program that did it ended meanwhile";

/// Makes a backup that was written down as begun.
pub(crate) fn start(state: &ConsoleState, file: BackupFile) {
    let worker = state.clone();
    state.work().spawn(async move {
        let name = file.name.clone();
        if let Err(error) = make(&worker, file).await {
            tracing::error!(%error, name, "backup's outcome not recorded");
        }
    });
}

/// Checks a backup that was written down as being checked.
pub(crate) fn start_check(state: &ConsoleState, file: BackupFile) {
    let worker = state.clone();
    state.work().spawn(async move {
        let name = file.name.clone();
        if let Err(error) = check(&worker, file).await {
            tracing::error!(%error, name, "check's outcome not recorded");
        }
    });
}

/// What is done with a backup.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Task {
    Make,
    Check,
    Restore,
}

/// Makes one and writes down how it ended; says whether there is one.
pub(crate) async fn make(state: &ConsoleState, file: BackupFile) -> Result<bool, PgError> {
    let (id, owner) = (file.id, &state.config().owner);
    let progress = BackupProgress::default();
    let work = state.config().backups.make(file.clone(), progress.clone());
    let outcome = watch(state, (Task::Make, id), &progress, work).await;
    let mut connection = owner.connection().await?;
    let is_made = match outcome {
        Ok(bytes) => {
            let size = i64::try_from(bytes).unwrap_or(i64::MAX);
            let is_made = store::backup::succeed(&mut connection, id, size, state.now()).await?;
            if is_made {
                tracing::info!(name = file.name, bytes, "backup made");
            } else {
                remove_file(state, file).await;
            }
            is_made
        }
        Err(failure) => {
            let reason = short(&failure);
            tracing::error!(name = file.name, reason, "backup failed");
            store::backup::fail(&mut connection, id, &reason, state.now()).await?;
            false
        }
    };
    drop(connection);
    backup_schedule::refresh_figures(state).await?;
    backup_schedule::tidy(state).await?;
    Ok(is_made)
}

async fn check(state: &ConsoleState, file: BackupFile) -> Result<(), PgError> {
    let (id, owner) = (file.id, &state.config().owner);
    let progress = BackupProgress::default();
    let work = state.config().backups.check(file.clone(), progress.clone());
    let outcome = watch(state, (Task::Check, id), &progress, work).await;
    let mut connection = owner.connection().await?;
    let now = state.now();
    match outcome {
        Ok(contents) => {
            let contents = json!(contents);
            store::backup::end_check(&mut connection, id, Ok(&contents), now).await?;
        }
        Err(failure) => {
            let reason = short(&failure);
            tracing::error!(name = file.name, reason, "backup could not be brought back");
            store::backup::end_check(&mut connection, id, Err(&reason), now).await?;
        }
    }
    Ok(())
}

/// Waits for work, says again and again that it goes on, and ends it with the program or where somebody else
/// gave it up.
pub(crate) async fn watch<T>(
    state: &ConsoleState,
    (task, id): (Task, Uuid),
    progress: &BackupProgress,
    work: BoxFuture<'static, Result<T, BackupFailure>>,
) -> Result<T, BackupFailure> {
    let mut work = work;
    let cancelled = progress.cancelled();
    loop {
        tokio::select! {
            outcome = &mut work => return outcome,
            () = state.ending().cancelled(), if !cancelled.is_cancelled() => cancelled.cancel(),
            () = sleep(BEAT) => match beat(state, (task, id), progress).await {
                Ok(true) => {}
                Ok(false) => cancelled.cancel(),
                Err(error) => tracing::warn!(%error, "backup's progress not recorded"),
            },
        }
    }
}

/// Says that work goes on. False where it was given up.
async fn beat(
    state: &ConsoleState,
    (task, id): (Task, Uuid),
    progress: &BackupProgress,
) -> Result<bool, PgError> {
    let mut connection = state.config().owner.connection().await?;
    let lease = state.now() + LEASE;
    match task {
        Task::Make => {}
        Task::Check => return Ok(store::backup::beat_check(&mut connection, id, lease).await?),
        Task::Restore => return Ok(store::backup::beat_restore(&mut connection, id, lease).await?),
    }
    let bytes = i64::try_from(progress.bytes()).unwrap_or(i64::MAX);
    let stage = progress.stage().name();
    Ok(store::backup::beat(&mut connection, id, stage, bytes, lease).await?)
}

/// Writes down as failed what lost processes had begun, and removes what they left; says how many.
pub(crate) async fn give_up_lost(state: &ConsoleState) -> Result<u64, PgError> {
    let mut connection = state.config().owner.connection().await?;
    let now = state.now();
    let lost = store::backup::fail_lost(&mut connection, LOST, now).await?;
    let checks = store::backup::fail_lost_checks(&mut connection, LOST, now).await?;
    let restores = store::backup::fail_lost_restores(&mut connection, LOST, now).await?;
    drop(connection);
    let count = lost.len() as u64 + checks + restores;
    for row in lost {
        remove_file(state, file_of(&row)).await;
    }
    Ok(count)
}

/// Removes a backup's file; what stays is logged and no more.
pub(crate) async fn remove_file(state: &ConsoleState, file: BackupFile) -> bool {
    if file.place == BackupPlace::Elsewhere {
        return true;
    }
    let name = file.name.clone();
    match state.config().backups.remove(file).await {
        Ok(()) => true,
        Err(error) => {
            tracing::warn!(%error, name, "backup not removed");
            false
        }
    }
}

/// The database keeps no text with a zero in it.
pub(crate) fn short(failure: &BackupFailure) -> String {
    failure.to_string().chars().filter(|letter| *letter != '\0').take(LONGEST_REASON).collect()
}
