//! Security warnings about settings, operators and backups.

use chrono::TimeDelta;
use serde::Serialize;

use crate::access::ConsoleAccess;
use crate::error::ConsoleError;
use crate::model::{SettingWarning, WarningLevel};
use crate::state::ConsoleState;
use crate::store;

/// The largest age of the last backup without a warning.
const LONGEST_WITHOUT_BACKUP: TimeDelta = TimeDelta::days(7);

/// One warning.
#[derive(Serialize)]
pub(crate) struct WarningSummary {
    name: &'static str,
    level: WarningLevel,
    /// The names of the operators or things concerned.
    subjects: Vec<String>,
}

impl From<SettingWarning> for WarningSummary {
    fn from(known: SettingWarning) -> Self {
        Self { name: known.name, level: known.level, subjects: Vec::new() }
    }
}

/// Every warning, the most severe first.
pub(crate) async fn list(state: &ConsoleState) -> Result<Vec<WarningSummary>, ConsoleError> {
    let mut warnings: Vec<WarningSummary> =
        state.config().warnings.iter().copied().map(Into::into).collect();
    let mut connection = state.config().owner.connection().await?;
    let operators = store::operator::list(&mut connection).await?;
    let figures = store::backup::figures(&mut connection).await?;
    drop(connection);
    // With access from this machine only, guessed passwords are unlikely and harmless.
    let level = match state.config().access {
        ConsoleAccess::Everywhere => WarningLevel::Warning,
        ConsoleAccess::Loopback => WarningLevel::Info,
    };
    let since = operators.iter().map(|one| one.created_at).min();
    let without_second_factor =
        operators.into_iter().filter(|one| one.role == "owner" && !one.has_second_factor);
    let subjects: Vec<String> = without_second_factor.map(|one| one.email).collect();
    if !subjects.is_empty() {
        warnings.push(WarningSummary { name: "owner_without_second_factor", level, subjects });
    }
    if figures.last_failure > figures.last_success {
        let name = "last_backup_failed";
        warnings.push(WarningSummary { name, level: WarningLevel::Warning, subjects: Vec::new() });
    }
    let oldest = state.now() - LONGEST_WITHOUT_BACKUP;
    if figures.last_success.or(since).is_some_and(|last| last < oldest) {
        warnings.push(WarningSummary { name: "no_recent_backup", level, subjects: Vec::new() });
    }
    warnings.sort_by_key(|warning| std::cmp::Reverse(warning.level));
    Ok(warnings)
}
