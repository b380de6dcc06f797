//! Decisions of moderators that people are to be written to of.

use chrono::{DateTime, Utc};
use compat_pg::{Owner, PgError};
use uuid::Uuid;

use crate::model::moderation_decision::{Decision, Sanction};

/// A decision, and who is written to of it.
#[derive(Debug, sqlx_macros::FromRow)]
pub(crate) struct DecisionNotice {
    pub case_id: Uuid,
    pub email: String,
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

impl DecisionNotice {
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

/// Loads a decision that stands, or one that was taken back after the person was written to; `None`
/// where it is not so any more, or there is nobody to write to.
pub(crate) async fn load(
    owner: &mut Owner,
    case: Uuid,
    is_taken_back: bool,
) -> Result<Option<DecisionNotice>, PgError> {
    let notice = sqlx::query_as(
        "select
           c.id as case_id, u.email::text as email, coalesce(p.language, 'fr') as language,
           public.setting_text('site_name', 'Palmarès') as site_name, c.kind, c.label, c.decision, c.sanction,
           c.until, c.reason, c.statement, c.taken_back_at is not null as is_taken_back
         from public.moderation_cases as c
         inner join public.profiles as p on p.id = c.person_id
         inner join auth.users as u on u.id = p.id
         where
           c.id = $1 and c.decision is not null and (c.taken_back_at is not null) = $2
           and (c.told_at is not null or not $2)
           and u.email is not null and u.email_confirmed_at is not null",
    )
    .bind(case)
    .bind(is_taken_back)
    .fetch_optional(&mut **owner)
    .await?;
    Ok(notice)
}

/// Notes when the person is first written to of a decision that stands, or of one that was taken back;
/// false where it is not so any more. From then on, undoing the decision sends an email too
/// (`notify_of_decision`).
pub(crate) async fn note_delivery(
    owner: &mut Owner,
    case: Uuid,
    is_taken_back: bool,
    at: DateTime<Utc>,
) -> Result<bool, PgError> {
    let noted = sqlx::query(
        "update public.moderation_cases
         set
           told_at = coalesce(told_at, $2),
           told_back_at = case when $3 then coalesce(told_back_at, $2) else told_back_at end
         where
           id = $1 and decision is not null and (taken_back_at is not null) = $3
           and (told_at is not null or not $3)",
    )
    .bind(case)
    .bind(at)
    .bind(is_taken_back)
    .execute(&mut **owner)
    .await?;
    Ok(noted.rows_affected() > 0)
}

/// Takes back what [`note_delivery`] noted: the email did not leave.
pub(crate) async fn revoke_delivery(
    owner: &mut Owner,
    case: Uuid,
    is_taken_back: bool,
) -> Result<(), PgError> {
    sqlx::query(
        "update public.moderation_cases
         set
           told_at = case when $2 then told_at end,
           told_back_at = case when $2 then null else told_back_at end
         where id = $1",
    )
    .bind(case)
    .bind(is_taken_back)
    .execute(&mut **owner)
    .await?;
    Ok(())
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
