//! `public.report_notices`, through the procedures that alone write it.

use chrono::{DateTime, Utc};
use compat_pg::{Owner, PgError};

use crate::captcha::Proof;
use crate::model::content_notice::ContentNotice;

/// What became of a notice.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Outcome {
    Filed,
    /// One of theirs about the same waits already.
    Known,
    /// They sent as many as anybody may within a day.
    Limited,
    /// What it is about is not shown.
    Unlisted,
    /// The answer to the challenge was used before.
    Spent,
}

/// Files it; the name of what it is about comes along where there is one.
pub(crate) async fn file(
    owner: &mut Owner,
    notice: &ContentNotice,
    proof: &Proof,
    at: DateTime<Utc>,
) -> Result<(Outcome, String), PgError> {
    let (outcome, label): (String, Option<String>) =
        sqlx::query_as("select * from public.file_notice($1, $2, $3, $4, $5, $6, $7, $8, $9, $10)")
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
    let outcome = match outcome.as_str() {
        "filed" => Outcome::Filed,
        "known" => Outcome::Known,
        "limited" => Outcome::Limited,
        "spent" => Outcome::Spent,
        _ => Outcome::Unlisted,
    };
    Ok((outcome, label.unwrap_or_default()))
}

/// What the site calls itself, and whom people write to.
#[derive(Debug, sqlx_macros::FromRow)]
pub(crate) struct Site {
    pub site_name: String,
    /// Empty while the site has none.
    pub contact_email: String,
}

/// Who answers.
pub(crate) async fn site(owner: &mut Owner) -> Result<Site, PgError> {
    let site = sqlx::query_as(
        "select public.setting_text('site_name', 'Palmarès') as site_name,
                public.setting_text('contact_email', '') as contact_email",
    )
    .fetch_one(&mut **owner)
    .await?;
    Ok(site)
}

/// A notice that was decided, and whom that is told to.
#[derive(Debug, sqlx_macros::FromRow)]
pub(crate) struct Decided {
    pub email: String,
    pub language: String,
    #[sqlx(flatten)]
    pub site: Site,
    pub label: String,
    pub is_review: bool,
    pub is_upheld: bool,
}

/// Takes so many whose senders were not written to; they count as told with the transaction.
pub(crate) async fn take_decided(
    owner: &mut Owner,
    at: DateTime<Utc>,
    rows: i32,
) -> Result<Vec<Decided>, PgError> {
    let decided = sqlx::query_as("select * from public.take_decided_notices($1, $2)")
        .bind(at)
        .bind(rows)
        .fetch_all(&mut **owner)
        .await?;
    Ok(decided)
}

/// Forgets who sent so many that were decided before a moment; how many.
pub(crate) async fn forget(
    owner: &mut Owner,
    before: DateTime<Utc>,
    rows: i32,
) -> Result<i32, PgError> {
    let forgotten = sqlx::query_scalar("select public.forget_notices($1, $2)")
        .bind(before)
        .bind(rows)
        .fetch_one(&mut **owner)
        .await?;
    Ok(forgotten)
}
