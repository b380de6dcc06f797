//! `public.report_notices`: reports by people without an account.

use chrono::{DateTime, Utc};
use compat_pg::{Owner, PgError};
use uuid::Uuid;

use crate::model::content_notice::ContentNotice;
use compat_proof_of_work::Proof;

/// The outcome of a notice.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Outcome {
    Filed,
    /// The same person has already reported the same item.
    Known,
    /// The person has reached the daily limit.
    Limited,
    /// The reported item is not public.
    Unlisted,
    /// The answer to the challenge was used before.
    Spent,
}

/// Files a notice, and enqueues its receipt.
pub(crate) async fn file(
    owner: &mut Owner,
    notice: &ContentNotice,
    proof: &Proof,
    at: DateTime<Utc>,
) -> Result<Outcome, PgError> {
    let outcome: String =
        sqlx::query_scalar("select public.file_notice($1, $2, $3, $4, $5, $6, $7, $8, $9, $10)")
            .bind(notice.server)
            .bind(notice.review)
            .bind(notice.reason)
            .bind(&notice.explanation)
            .bind(&notice.name)
            .bind(&notice.email)
            .bind(notice.language.code())
            .bind(&proof.nonce)
            .bind(proof.expires_at)
            .bind(at)
            .fetch_one(&mut **owner)
            .await?;
    Ok(match outcome.as_str() {
        "filed" => Outcome::Filed,
        "known" => Outcome::Known,
        "limited" => Outcome::Limited,
        "spent" => Outcome::Spent,
        _ => Outcome::Unlisted,
    })
}

/// A notice with the address of its sender.
#[derive(Debug, sqlx_macros::FromRow)]
pub(crate) struct ReportNotice {
    pub email: String,
    pub language: String,
    pub explanation: String,
    pub site_name: String,
    /// The contact of the site; empty when none is set.
    pub contact_email: String,
    /// The name of the listing; empty when it was deleted.
    pub label: String,
    pub is_review: bool,
    pub status: String,
}

/// Loads a notice; `None` when it has expired or the report was deleted.
pub(crate) async fn load(owner: &mut Owner, report: Uuid) -> Result<Option<ReportNotice>, PgError> {
    let notice = sqlx::query_as(
        "select
           n.email, n.language, n.explanation, r.status,
           public.setting_text('site_name', 'Palmarès') as site_name,
           public.setting_text('contact_email', '') as contact_email,
           coalesce(public.plain_text(s.name), '') as label, r.comment_id is not null as is_review
         from public.report_notices as n
         inner join public.reports as r on r.id = n.report_id
         left join public.reviews as v on v.id = r.comment_id
         left join public.servers as s on s.id = coalesce(v.server_id, r.server_id)
         where n.report_id = $1",
    )
    .bind(report)
    .fetch_optional(&mut **owner)
    .await?;
    Ok(notice)
}

/// Records when the email about the decision is sent to the reporter.
pub(crate) async fn tell(
    owner: &mut Owner,
    report: Uuid,
    at: DateTime<Utc>,
) -> Result<(), PgError> {
    sqlx::query("update public.report_notices set told_at = $2 where report_id = $1")
        .bind(report)
        .bind(at)
        .execute(&mut **owner)
        .await?;
    Ok(())
}
