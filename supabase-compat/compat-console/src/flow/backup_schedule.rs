//! Scheduled backups and their retention.

use std::time::Duration;

use chrono::{DateTime, TimeDelta, Utc};
use compat_pg::{Job, PgError};
use serde::{Deserialize, Serialize};
use sqlx::PgConnection;
use tokio_util::sync::CancellationToken;

use crate::backups::BackupPlace;
use crate::error::ConsoleError;
use crate::flow::backup_work::{self, give_up_lost, remove_file};
use crate::flow::backups::{self, file_of};
use crate::state::ConsoleState;
use crate::store;
use crate::store::backup_schedule::ScheduleRow;

/// How long records without a backup file are kept.
const HISTORY: TimeDelta = TimeDelta::days(90);

/// Starts a due backup, marks the work of lost processes as failed, and removes backups past their
/// retention.
static JOB: Job<ConsoleState> =
    Job::new("console.backups", Duration::from_secs(30), |state| Box::pin(run_backups_once(state)));

/// How often a backup is made.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(crate) enum Rhythm {
    Off,
    Day,
    Week,
}

/// A schedule in a request.
#[derive(Debug, Clone, Deserialize)]
pub(crate) struct NewSchedule {
    rhythm: Rhythm,
    /// The ISO weekday: Monday is 1.
    weekday: Option<i32>,
    /// The minute of the day, in the schedule's time zone.
    minute: Option<i32>,
    time_zone: Option<String>,
    place: Option<BackupPlace>,
    keep_count: Option<i32>,
    keep_days: Option<i32>,
}

/// The schedule in an answer.
#[derive(Debug, Clone, Serialize)]
pub(crate) struct ScheduleSummary {
    rhythm: String,
    weekday: i32,
    minute: i32,
    time_zone: String,
    place: String,
    keep_count: Option<i32>,
    keep_days: Option<i32>,
    next_at: DateTime<Utc>,
}

impl From<ScheduleRow> for ScheduleSummary {
    fn from(row: ScheduleRow) -> Self {
        Self {
            rhythm: row.rhythm,
            weekday: row.weekday,
            minute: row.minute,
            time_zone: row.time_zone,
            place: row.place,
            keep_count: row.keep_count,
            keep_days: row.keep_days,
            next_at: row.next_at,
        }
    }
}

/// Makes scheduled backups until the stop, then waits for running work.
pub async fn run_backups(state: ConsoleState, stop: CancellationToken) {
    JOB.run(state.clone(), stop).await;
    state.ending().cancel();
    state.work().close();
    state.work().wait().await;
}

/// One run of [`run_backups`]; returns the number of changes.
///
/// # Errors
/// A statement failed.
pub async fn run_backups_once(state: &ConsoleState) -> Result<u64, PgError> {
    let lost_backups = give_up_lost(state).await?;
    let due = begin_due(state).await?;
    let removed = tidy(state).await?;
    refresh_figures(state).await?;
    Ok(lost_backups + due + removed)
}

/// Replaces or removes the schedule.
pub(crate) async fn set(
    state: &ConsoleState,
    new: NewSchedule,
) -> Result<Option<ScheduleSummary>, ConsoleError> {
    let mut work = state.config().owner.begin().await?;
    if new.rhythm == Rhythm::Off {
        store::backup_schedule::delete(&mut work).await?;
        work.commit().await?;
        return Ok(None);
    }
    let mut row = schedule_row(state, new)?;
    if !store::backup_schedule::knows_zone(&mut work, &row.time_zone).await? {
        return Err(ConsoleError::InvalidSchedule("time_zone"));
    }
    row.next_at = next_time(&mut work, state.now(), &row)
        .await?
        .ok_or(ConsoleError::InvalidSchedule("minute"))?;
    store::backup_schedule::replace(&mut work, &row).await?;
    work.commit().await?;
    Ok(Some(row.into()))
}

/// The row of a schedule, whose next time is not set yet.
fn schedule_row(state: &ConsoleState, new: NewSchedule) -> Result<ScheduleRow, ConsoleError> {
    let refuse = ConsoleError::InvalidSchedule;
    let within = |value: i32, range: std::ops::RangeInclusive<i32>, field| {
        if range.contains(&value) { Ok(value) } else { Err(refuse(field)) }
    };
    let weekday = within(new.weekday.unwrap_or(1), 1..=7, "weekday")?;
    let minute = within(new.minute.ok_or(refuse("minute"))?, 0..=1439, "minute")?;
    let time_zone = new.time_zone.ok_or(refuse("time_zone"))?;
    if time_zone.is_empty() || time_zone.len() > 64 || time_zone.contains('\0') {
        return Err(refuse("time_zone"));
    }
    let place = new.place.ok_or(refuse("place"))?;
    backups::must_be_target(state, place)?;
    let keep_count = new.keep_count.map(|count| within(count, 1..=1000, "keep_count"));
    let keep_days = new.keep_days.map(|days| within(days, 1..=3650, "keep_days"));
    Ok(ScheduleRow {
        rhythm: if new.rhythm == Rhythm::Week { "week" } else { "day" }.to_owned(),
        weekday,
        minute,
        time_zone,
        place: place.name().to_owned(),
        keep_count: keep_count.transpose()?,
        keep_days: keep_days.transpose()?,
        next_at: state.now(),
    })
}

/// The next time of a schedule; none if the server no longer knows its time zone.
async fn next_time(
    conn: &mut PgConnection,
    after: DateTime<Utc>,
    row: &ScheduleRow,
) -> Result<Option<DateTime<Utc>>, PgError> {
    let weekday = (row.rhythm == "week").then_some(row.weekday);
    let next =
        store::backup_schedule::next_time(conn, after, &row.time_zone, row.minute, weekday).await;
    Ok(next?)
}

/// Starts a due backup. If another backup is running, it is tried again at the next run.
async fn begin_due(state: &ConsoleState) -> Result<u64, PgError> {
    let mut work = state.config().owner.begin().await?;
    let now = state.now();
    let Some(mut row) = store::backup_schedule::take_due(&mut work, now).await? else {
        return Ok(0);
    };
    row.next_at = next_time(&mut work, now, &row).await?.unwrap_or(now + TimeDelta::days(1));
    store::backup_schedule::replace(&mut work, &row).await?;
    let place = BackupPlace::from_name(&row.place);
    let Some(file) = backups::begin(state, &mut work, place, "schedule", "").await? else {
        work.rollback().await?;
        return Ok(0);
    };
    work.commit().await?;
    backup_work::start(state, file);
    Ok(1)
}

/// Removes backups past their retention, and old records; returns their number.
pub(crate) async fn tidy(state: &ConsoleState) -> Result<u64, PgError> {
    let mut connection = state.config().owner.connection().await?;
    let now = state.now();
    let mut count = store::backup::prune(&mut connection, now - HISTORY).await?;
    let Some(schedule) = store::backup_schedule::find(&mut connection).await? else {
        return Ok(count);
    };
    let oldest = schedule.keep_days.map(|days| now - TimeDelta::days(days.into()));
    let surplus = store::backup::surplus(&mut connection, schedule.keep_count, oldest).await?;
    // Removing takes long in a remote store, so the connection is released first.
    drop(connection);
    for row in surplus {
        if remove_file(state, file_of(&row)).await {
            let mut connection = state.config().owner.connection().await?;
            store::backup::delete(&mut connection, row.id).await?;
            count += 1;
        }
    }
    Ok(count)
}

/// Reloads the times of the last backups, for the metrics.
pub(crate) async fn refresh_figures(state: &ConsoleState) -> Result<(), PgError> {
    let mut connection = state.config().owner.connection().await?;
    let figures = store::backup::figures(&mut connection).await?;
    state.set_backup_figures(figures);
    Ok(())
}
