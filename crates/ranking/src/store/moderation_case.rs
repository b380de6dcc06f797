//! Moderators' decisions about which people receive an email.

use chrono::{DateTime, Utc};
use compat_pg::{Owner, PgError};
use uuid::Uuid;

use crate::model::moderation_decision::{Decision, Sanction};

/// A decision with the recipient of its email.
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
    /// The kind of the decision; `None` for one that has no effect on anybody.
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

/// Loads a decision in force, or one that was reversed after its email; `None` when this no longer
/// applies, or there is no recipient.
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

/// Records when the first email about a decision, or about its reversal, is sent; false when this
/// no longer applies. From then on, undoing the decision sends an email too (`notify_of_decision`).
pub(crate) async fn note_delivery(
    owner: &mut Owner,
    case: Uuid,
    is_taken_back: bool,
    at: DateTime<Utc>,
) -> Result<bool, PgError> {
    let result = sqlx::query(
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
    Ok(result.rows_affected() > 0)
}

/// Undoes [`note_delivery`], because the email could not be sent.
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

/// The outcome of an appeal.
#[derive(Debug, Clone, Copy, PartialEq, Eq, serde::Serialize)]
#[serde(rename_all = "lowercase")]
pub(crate) enum AppealOutcome {
    /// The appeal is in the queue.
    Filed,
    /// There is already an appeal against this decision.
    Known,
    /// The decision is no longer in force, or the time for an appeal is over.
    Closed,
}

/// Files the appeal of a person who cannot sign in.
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
