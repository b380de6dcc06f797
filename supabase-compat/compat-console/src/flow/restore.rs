//! Restoring a backup over the live database: the owner's confirmation, the backup that is made
//! first, and the record of the outcome.

use std::net::IpAddr;

use compat_pg::{OwnerDb, PgError};
use uuid::Uuid;

use crate::backups::{BackupFailure, BackupFile, BackupPlace, BackupProgress, RestoreMark};
use crate::error::ConsoleError;
use crate::flow::backup_work::{self, LEASE, Task};
use crate::flow::{backups, session};
use crate::model::{AuditEntry, Operator};
use crate::state::ConsoleState;
use crate::store;

/// The owner's confirmation that all later changes will be lost.
pub(crate) struct Consent<'a> {
    pub password: &'a str,
    pub project: &'a str,
}

/// A restore, and who requested it.
struct Restore {
    file: BackupFile,
    operator: String,
    address: String,
}

/// Starts a restore in the background and returns the backup's name.
pub(crate) async fn begin(
    state: &ConsoleState,
    operator: &Operator,
    client: IpAddr,
    id: Uuid,
    consent: Consent<'_>,
) -> Result<String, ConsoleError> {
    session::check_password(state, operator, client, consent.password).await?;
    if state.project_name().as_deref() != Some(consent.project.trim()) {
        return Err(ConsoleError::WrongProjectName);
    }
    if state.config().backups.restore_obstacle().is_some() {
        return Err(ConsoleError::RestoreImpossible);
    }
    // The live database is backed up first.
    if let Some(obstacle) = state.config().backups.obstacle().await? {
        return Err(ConsoleError::BackupImpossible(obstacle));
    }
    let row = backups::find_kept(state, id).await?;
    backup_work::give_up_lost(state).await?;
    let mut connection = state.config().owner.connection().await?;
    let lease = state.now() + LEASE;
    if !store::backup::begin_restore(&mut connection, id, &operator.email, lease).await? {
        return Err(ConsoleError::BackupRuns);
    }
    drop(connection);
    let restore = Restore {
        file: backups::file_of(&row),
        operator: operator.email.clone(),
        address: client.to_string(),
    };
    let worker = state.clone();
    state.work().spawn(async move {
        let name = restore.file.name.clone();
        if let Err(error) = run(&worker, restore).await {
            tracing::error!(%error, name, "cannot record the outcome of a restore");
        }
    });
    Ok(row.name)
}

/// Runs the restore and records its outcome.
async fn run(state: &ConsoleState, restore: Restore) -> Result<(), PgError> {
    let id = restore.file.id;
    let progress = BackupProgress::default();
    let audited = entry(state, &restore, None);
    let work = Box::pin(replace(state.clone(), restore.file.clone(), audited, progress.clone()));
    let outcome = backup_work::watch(state, (Task::Restore, id), &progress, work).await;
    let reason = outcome.err().map(|failure| backup_work::short(&failure));
    let Some(reason) = reason else {
        tracing::warn!(name = restore.file.name, "backup restored");
        return Ok(());
    };
    tracing::error!(name = restore.file.name, reason, "backup not restored");
    let audited = entry(state, &restore, Some(&reason));
    end(&state.config().owner, id, Some(&reason), &audited).await
}

/// Records the outcome of a restore and its entry in the audit log. One transaction: who sees the
/// outcome finds the entry.
async fn end(
    owner: &OwnerDb,
    id: Uuid,
    reason: Option<&str>,
    audited: &AuditEntry,
) -> Result<(), PgError> {
    let mut work = owner.begin().await?;
    store::backup::end_restore(&mut work, id, reason, audited.at).await?;
    store::audit::insert(&mut work, audited).await?;
    work.commit().await?;
    Ok(())
}

/// Backs the live database up, then restores.
async fn replace(
    state: ConsoleState,
    file: BackupFile,
    audited: AuditEntry,
    progress: BackupProgress,
) -> Result<(), BackupFailure> {
    let before = |why: &str| {
        BackupFailure::Failed(format!("no backup of the present state was made: {why}"))
    };
    let mut work =
        state.config().owner.begin().await.map_err(|error| before(&error.to_string()))?;
    let safety =
        backups::begin(&state, &mut work, BackupPlace::Folder, "restore", &audited.operator).await;
    let safety = safety.map_err(|error| before(&error.to_string()))?;
    let safety = safety.ok_or_else(|| before("another one is being made"))?;
    work.commit().await.map_err(|error| before(&error.to_string()))?;
    match backup_work::make(&state, safety).await {
        Ok(true) => {}
        Ok(false) => return Err(before("the list of backups says why")),
        Err(error) => return Err(before(&error.to_string())),
    }
    let id = file.id;
    let audited = AuditEntry { at: state.now(), ..audited };
    let mark: RestoreMark =
        Box::new(move |owner| Box::pin(async move { end(&owner, id, None, &audited).await }));
    state.config().backups.restore(file, progress, mark).await
}

/// The audit entry of the outcome.
fn entry(state: &ConsoleState, restore: &Restore, reason: Option<&str>) -> AuditEntry {
    let name = &restore.file.name;
    let (status, summary) = match reason {
        None => (200, format!("backup {name} restored")),
        Some(reason) => (409, format!("backup {name} not restored: {reason}")),
    };
    AuditEntry {
        id: 0,
        at: state.now(),
        operator: restore.operator.clone(),
        method: "POST".to_owned(),
        path: format!("/backups/{}/restore", restore.file.id),
        summary: summary.chars().take(500).collect(),
        status,
        address: restore.address.clone(),
    }
}
