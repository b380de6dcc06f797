//! Backups for operators: reading their list, making, checking, downloading and removing them.

use base64::Engine as _;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use chrono::{DateTime, SecondsFormat, TimeDelta, Utc};
use compat_pg::PgError;
use serde::Serialize;
use serde_json::Value;
use sqlx::PgConnection;
use uuid::Uuid;

use crate::backups::{
    BackupFile, BackupObstacle, BackupPlace, BackupStream, BackupTarget, RestoreObstacle,
};
use crate::error::ConsoleError;
use crate::flow::backup_schedule::ScheduleSummary;
use crate::flow::backup_work::{self, LEASE};
use crate::model::Operator;
use crate::state::ConsoleState;
use crate::store;
use crate::store::backup::{BackupRow, NewBackup};

/// The most backups in the list.
const MOST: i64 = 200;
/// How long the address of a download is valid.
const ADDRESS_LIFETIME: TimeDelta = TimeDelta::minutes(1);

/// The overview of backups for an operator.
#[derive(Serialize)]
pub(crate) struct BackupOverview {
    backups: Vec<BackupSummary>,
    targets: Vec<BackupTarget>,
    schedule: Option<ScheduleSummary>,
    obstacle: Option<BackupObstacle>,
    restore_obstacle: Option<RestoreObstacle>,
    has_objects: bool,
}

/// A backup in an answer.
#[derive(Serialize)]
pub(crate) struct BackupSummary {
    id: Uuid,
    name: String,
    place: String,
    origin: String,
    made_by: String,
    version: String,
    state: String,
    stage: String,
    bytes: i64,
    started_at: DateTime<Utc>,
    ended_at: Option<DateTime<Utc>>,
    reason: Option<String>,
    check: Option<CheckSummary>,
    restore: Option<RestoreSummary>,
}

/// The result of a check.
#[derive(Serialize)]
pub(crate) struct CheckSummary {
    state: String,
    at: Option<DateTime<Utc>>,
    reason: Option<String>,
    contents: Option<Value>,
}

/// The outcome of a restore.
#[derive(Serialize)]
pub(crate) struct RestoreSummary {
    state: String,
    at: Option<DateTime<Utc>>,
    by: Option<String>,
    reason: Option<String>,
}

/// The content of a download.
pub(crate) struct BackupDownload {
    pub name: String,
    pub bytes: u64,
    pub content: BackupStream,
}

impl From<BackupRow> for BackupSummary {
    fn from(row: BackupRow) -> Self {
        let check = row.check_state.map(|state| CheckSummary {
            state,
            at: row.checked_at,
            reason: row.check_reason,
            contents: row.contents,
        });
        let restore = row.restore_state.map(|state| RestoreSummary {
            state,
            at: row.restored_at,
            by: row.restored_by,
            reason: row.restore_reason,
        });
        Self {
            id: row.id,
            name: row.name,
            place: row.place,
            origin: row.origin,
            made_by: row.made_by,
            version: row.version,
            state: row.state,
            stage: row.stage,
            bytes: row.bytes,
            started_at: row.started_at,
            ended_at: row.ended_at,
            reason: row.reason,
            check,
            restore,
        }
    }
}

/// The file of a row.
pub(crate) fn file_of(row: &BackupRow) -> BackupFile {
    BackupFile { id: row.id, name: row.name.clone(), place: BackupPlace::from_name(&row.place) }
}

/// Reads the overview of backups.
pub(crate) async fn overview(state: &ConsoleState) -> Result<BackupOverview, ConsoleError> {
    let mechanism = &state.config().backups;
    let obstacle = mechanism.obstacle().await?;
    let mut connection = state.config().owner.connection().await?;
    let rows = store::backup::list(&mut connection, MOST).await?;
    let schedule = store::backup_schedule::find(&mut connection).await?;
    Ok(BackupOverview {
        backups: rows.into_iter().map(Into::into).collect(),
        targets: mechanism.targets(),
        schedule: schedule.map(Into::into),
        obstacle,
        restore_obstacle: mechanism.restore_obstacle(),
        has_objects: mechanism.has_objects(),
    })
}

/// Starts a backup for an operator, in the background, and returns its id.
pub(crate) async fn make(
    state: &ConsoleState,
    operator: &Operator,
    place: BackupPlace,
) -> Result<Uuid, ConsoleError> {
    must_be_target(state, place)?;
    let obstacle = state.config().backups.obstacle().await?;
    if let Some(obstacle) = obstacle {
        return Err(ConsoleError::BackupImpossible(obstacle));
    }
    backup_work::give_up_lost(state).await?;
    let mut work = state.config().owner.begin().await?;
    let file = begin(state, &mut work, place, "console", &operator.email).await?;
    let file = file.ok_or(ConsoleError::BackupRuns)?;
    work.commit().await?;
    let id = file.id;
    backup_work::start(state, file);
    Ok(id)
}

/// Records a backup as running; none if another one is running.
pub(crate) async fn begin(
    state: &ConsoleState,
    conn: &mut PgConnection,
    place: BackupPlace,
    origin: &str,
    made_by: &str,
) -> Result<Option<BackupFile>, PgError> {
    let (id, now) = (state.config().environment.entropy.uuid(), state.now());
    let name = name_of(id, now);
    let new = NewBackup {
        id,
        name: &name,
        place: place.name(),
        origin,
        made_by,
        version: state.config().version,
        now,
        lease_until: now + LEASE,
    };
    let is_begun = store::backup::insert(conn, &new).await?;
    Ok(is_begun.then_some(BackupFile { id, name, place }))
}

/// A unique name that sorts by time.
fn name_of(id: Uuid, now: DateTime<Utc>) -> String {
    let moment = now.to_rfc3339_opts(SecondsFormat::Secs, true).replace(':', "-");
    let id = id.simple().to_string();
    format!("{moment}-{}.backup", &id[..8])
}

/// Refuses a target that is not configured.
pub(crate) fn must_be_target(state: &ConsoleState, place: BackupPlace) -> Result<(), ConsoleError> {
    let targets = state.config().backups.targets();
    match targets.iter().any(|target| target.place == place) {
        true => Ok(()),
        false => Err(ConsoleError::NoBackupPlace),
    }
}

/// Removes a backup and its file.
pub(crate) async fn remove(state: &ConsoleState, id: Uuid) -> Result<String, ConsoleError> {
    let row = find(state, id).await?;
    let runs = |state: &Option<String>| state.as_deref() == Some("running");
    if row.state == "running" || runs(&row.check_state) || runs(&row.restore_state) {
        return Err(ConsoleError::BackupRuns);
    }
    let file = file_of(&row);
    if file.place != BackupPlace::Elsewhere {
        state.config().backups.remove(file).await?;
    }
    let mut connection = state.config().owner.connection().await?;
    store::backup::delete(&mut connection, id).await?;
    Ok(row.name)
}

/// Starts the check of a backup.
pub(crate) async fn check(state: &ConsoleState, id: Uuid) -> Result<String, ConsoleError> {
    let row = find_kept(state, id).await?;
    backup_work::give_up_lost(state).await?;
    let mut connection = state.config().owner.connection().await?;
    let lease = state.now() + LEASE;
    if !store::backup::begin_check(&mut connection, id, lease).await? {
        return Err(ConsoleError::BackupRuns);
    }
    drop(connection);
    backup_work::start_check(state, file_of(&row));
    Ok(row.name)
}

/// A short-lived token with which this operator can download a backup, and the backup's name.
pub(crate) async fn download_token(
    state: &ConsoleState,
    operator: &Operator,
    id: Uuid,
) -> Result<(String, String), ConsoleError> {
    let row = find_kept(state, id).await?;
    let end = (state.now() + ADDRESS_LIFETIME).timestamp();
    let entropy = &state.config().environment.entropy;
    let sealed = state.seal().close(entropy, operator.id, &format!("backup {id} {end}"));
    Ok((URL_SAFE_NO_PAD.encode(sealed), row.name))
}

/// Opens a backup for the operator of the token.
pub(crate) async fn download(
    state: &ConsoleState,
    operator: &Operator,
    id: Uuid,
    token: &str,
) -> Result<BackupDownload, ConsoleError> {
    let sealed = URL_SAFE_NO_PAD.decode(token).map_err(|_| ConsoleError::DownloadExpired)?;
    let text = state.seal().open(operator.id, &sealed).ok_or(ConsoleError::DownloadExpired)?;
    let end = text.strip_prefix(&format!("backup {id} ")).and_then(|end| end.parse::<i64>().ok());
    if end.is_none_or(|end| end < state.now().timestamp()) {
        return Err(ConsoleError::DownloadExpired);
    }
    let row = find_kept(state, id).await?;
    let (bytes, content) = state.config().backups.read(file_of(&row)).await?;
    Ok(BackupDownload { name: row.name, bytes, content })
}

async fn find(state: &ConsoleState, id: Uuid) -> Result<BackupRow, ConsoleError> {
    let mut connection = state.config().owner.connection().await?;
    let row = store::backup::by_id(&mut connection, id).await?;
    row.ok_or(ConsoleError::NoBackup)
}

/// Finds a complete backup whose file the console can read.
pub(crate) async fn find_kept(state: &ConsoleState, id: Uuid) -> Result<BackupRow, ConsoleError> {
    let row = find(state, id).await?;
    match row.state == "done" && BackupPlace::from_name(&row.place) != BackupPlace::Elsewhere {
        true => Ok(row),
        false => Err(ConsoleError::NoBackup),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_of_backups_sort_by_time() {
        let at = |text: &str| text.parse::<DateTime<Utc>>().expect("a time");
        let first = name_of(Uuid::nil(), at("2026-11-26T17:04:05Z"));
        assert_eq!(first, "2026-11-26T17-04-05Z-00000000.backup");
        assert!(first < name_of(Uuid::nil(), at("2026-12-01T00:00:00Z")));
    }
}
