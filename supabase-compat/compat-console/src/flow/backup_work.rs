//! Background work on backups: making and checking them, and renewing the lease of running work.
//! The module `restore` does the restore.

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

/// How long running work may miss its heartbeat before it counts as lost.
pub(crate) const LEASE: TimeDelta = TimeDelta::minutes(2);
/// The pause between two heartbeats.
const HEARTBEAT: Duration = Duration::from_secs(2);
/// The most characters of a failure's reason that are stored.
const LONGEST_REASON: usize = 500;
/// The reason that is recorded if the process ended.
const LOST: &str = "the program ended before the work was finished";

/// Starts to make a backup that is recorded as running.
pub(crate) fn start(state: &ConsoleState, file: BackupFile) {
    let worker = state.clone();
    state.work().spawn(async move {
        let name = file.name.clone();
        if let Err(error) = make(&worker, file).await {
            tracing::error!(%error, name, "cannot record the outcome of a backup");
        }
    });
}

/// Starts to check a backup whose check is recorded as running.
pub(crate) fn start_check(state: &ConsoleState, file: BackupFile) {
    let worker = state.clone();
    state.work().spawn(async move {
        let name = file.name.clone();
        if let Err(error) = check(&worker, file).await {
            tracing::error!(%error, name, "cannot record the outcome of a backup check");
        }
    });
}

/// A kind of work on a backup.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Task {
    Make,
    Check,
    Restore,
}

/// Makes a backup and records its outcome; returns whether it succeeded.
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

/// Waits for work and renews its lease. The work is cancelled when the program stops, or when
/// another process has marked it as failed.
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
            () = sleep(HEARTBEAT) => match renew_lease(state, (task, id), progress).await {
                Ok(true) => {}
                Ok(false) => cancelled.cancel(),
                Err(error) => tracing::warn!(%error, "cannot record the progress of a backup"),
            },
        }
    }
}

/// Renews the lease of work; returns false if it was marked as failed.
async fn renew_lease(
    state: &ConsoleState,
    (task, id): (Task, Uuid),
    progress: &BackupProgress,
) -> Result<bool, PgError> {
    let mut connection = state.config().owner.connection().await?;
    let lease = state.now() + LEASE;
    match task {
        Task::Make => {}
        Task::Check => {
            return Ok(store::backup::renew_check_lease(&mut connection, id, lease).await?);
        }
        Task::Restore => {
            return Ok(store::backup::renew_restore_lease(&mut connection, id, lease).await?);
        }
    }
    let bytes = i64::try_from(progress.bytes()).unwrap_or(i64::MAX);
    let stage = progress.stage().name();
    Ok(store::backup::renew_lease(&mut connection, id, stage, bytes, lease).await?)
}

/// Marks work of lost processes as failed and removes its files; returns the number of changes.
pub(crate) async fn give_up_lost(state: &ConsoleState) -> Result<u64, PgError> {
    let mut connection = state.config().owner.connection().await?;
    let now = state.now();
    let lost_backups = store::backup::fail_lost(&mut connection, LOST, now).await?;
    let checks = store::backup::fail_lost_checks(&mut connection, LOST, now).await?;
    let restores = store::backup::fail_lost_restores(&mut connection, LOST, now).await?;
    drop(connection);
    let count = lost_backups.len() as u64 + checks + restores;
    for row in lost_backups {
        remove_file(state, file_of(&row)).await;
    }
    Ok(count)
}

/// Removes a backup's file; a failure is only logged.
pub(crate) async fn remove_file(state: &ConsoleState, file: BackupFile) -> bool {
    if file.place == BackupPlace::Elsewhere {
        return true;
    }
    let name = file.name.clone();
    match state.config().backups.remove(file).await {
        Ok(()) => true,
        Err(error) => {
            tracing::warn!(%error, name, "cannot remove a backup");
            false
        }
    }
}

/// Shortens a reason and removes NUL characters, which PostgreSQL cannot store in texts.
pub(crate) fn short(failure: &BackupFailure) -> String {
    failure
        .to_string()
        .chars()
        .filter(|character| *character != '\0')
        .take(LONGEST_REASON)
        .collect()
}
