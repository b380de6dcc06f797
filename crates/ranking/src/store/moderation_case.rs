//! Decisions of moderators that people are to be written to of.

use chrono::{DateTime, Utc};
use compat_pg::{Owner, PgError};
use uuid::Uuid;

use crate::model::moderation_decision::{Decision, Sanction};

/// A decision, and whom it is told to.
#[derive(Debug, sqlx_macros::FromRow)]
pub(crate) struct Told {
    pub case_id: Uuid,
    /// `None` where there is nobody to write to.
    pub email: Option<String>,
    pub language: String,
    pub site_name: String,
    kind: String,
    pub label: String,
    decision: String,
    sanction: Option<String>,
    pub until: Option<DateTime<Utc>>,
    pub reason: Option<String>,
    pub statement: Option<String>,
    pub is_taken_back: bool,
}

impl Told {
    /// What was decided; `None` for what changes nothing for anybody.
    pub(crate) fn decision(&self) -> Option<Decision> {
        match self.decision.as_str() {
            "approved" if self.kind == "server" => Some(Decision::Approved),
            "refused" => Some(Decision::Refused),
            "disabled" => Some(Decision::Suspended),
            "hidden" => Some(Decision::Hidden),
            "reverted" => Some(Decision::Reverted),
            "upheld" => Some(Decision::Upheld),
            "overturned" => Some(Decision::Overturned),
            _ if self.sanction.is_some() => Some(Decision::Sanctioned),
            _ => None,
        }
    }

    pub(crate) fn sanction(&self) -> Option<Sanction> {
        match self.sanction.as_deref() {
            Some("warning") => Some(Sanction::Warning),
            Some("ban") => Some(Sanction::Ban),
            _ => None,
        }
    }
}

/// Takes so many decisions that nobody was written to of; they count as told with the transaction.
pub(crate) async fn take_untold(
    owner: &mut Owner,
    at: DateTime<Utc>,
    rows: i32,
) -> Result<Vec<Told>, PgError> {
    let told = sqlx::query_as("select * from public.take_decisions($1, $2)")
        .bind(at)
        .bind(rows)
        .fetch_all(&mut **owner)
        .await?;
    Ok(told)
}

/// What became of an objection.
#[derive(Debug, Clone, Copy, PartialEq, Eq, serde::Serialize)]
#[serde(rename_all = "lowercase")]
pub(crate) enum AppealOutcome {
    /// It waits for somebody to look at it.
    Filed,
    /// There is one already.
    Known,
    /// The decision stands no longer, or too long.
    Closed,
}

/// Puts the objection of a person without a way in into the queue.
pub(crate) async fn appeal(
    owner: &mut Owner,
    case: Uuid,
    message: &str,
) -> Result<AppealOutcome, PgError> {
    let outcome: String = sqlx::query_scalar("select public.appeal_from_mail($1, $2)")
        .bind(case)
        .bind(message)
        .fetch_one(&mut **owner)
        .await?;
    Ok(match outcome.as_str() {
        "filed" => AppealOutcome::Filed,
        "known" => AppealOutcome::Known,
        _ => AppealOutcome::Closed,
    })
}
