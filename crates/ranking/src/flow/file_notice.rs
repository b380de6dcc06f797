//! Somebody without an account reports something, and is answered.

use std::net::IpAddr;

use chrono::{DateTime, Utc};
use compat_pg::PgError;
use letters::{Language, Letter};

use crate::captcha::{CaptchaAttempt, CaptchaRefusal, Purpose};
use crate::model::content_notice::{About, ContentNotice};
use crate::store::report_notice::{self, Decided, Outcome, Site};
use crate::{Refusal, State};

/// Notices taken at once.
const BATCH: i32 = 100;

/// When somebody who sent too many may send another, in seconds.
const TOMORROW: u64 = 24 * 60 * 60;

/// Takes a notice and writes a receipt. One that waits already is answered alike, without another
/// receipt: whether a person reported something is nobody else's to find out.
///
/// # Errors
/// When one address or one person sends too many, the answer to the challenge does not hold, what it is
/// about is not shown, or the database cannot be asked. No notice is kept then.
#[tracing::instrument(name = "ranking.file_notice", skip_all, fields(server = %notice.server))]
pub(crate) async fn file_notice(
    state: &State,
    notice: &ContentNotice,
    captcha: &str,
    ip: IpAddr,
) -> Result<(), Refusal> {
    let now = state.edge().clock.now();
    let too_often = |retry_after| Refusal::TooManyRequests { retry_after };
    state.limits().notices.take(&state.voter(ip), now).map_err(too_often)?;
    let (server, purpose) = (notice.server, Purpose::Notice);
    let given = CaptchaAttempt { answer: captcha, purpose, server, from: ip };
    let proof = state.captcha().judge(state.edge(), given).await?;
    let mut owner = state.pools().jobs.begin().await?;
    let (outcome, label) = report_notice::file(&mut owner, notice, &proof, now).await?;
    match outcome {
        Outcome::Filed => {
            let site = report_notice::site(&mut owner).await?;
            let about = about(&site, notice.language, &label, notice.review.is_some());
            let receipt = about.received(&notice.explanation).to(&notice.email, now);
            state.letters().put(&mut owner, "notice", &receipt).await?;
            owner.commit().await?;
            Ok(())
        }
        // The answer to the challenge is spent.
        Outcome::Known => Ok(owner.commit().await?),
        Outcome::Limited => {
            owner.commit().await?;
            Err(too_often(TOMORROW))
        }
        Outcome::Unlisted => Err(Refusal::ServerNotFound),
        Outcome::Spent => Err(CaptchaRefusal::Spent.into()),
    }
}

/// Writes to those whose notices were decided, some at a time; how many mails.
///
/// # Errors
/// When the database refuses or cannot be asked; what was written before stays.
pub(crate) async fn answer_due(state: &State) -> Result<u64, PgError> {
    let now = state.edge().clock.now();
    let mut all = 0;
    loop {
        let mut owner = state.pools().jobs.begin().await?;
        let decided = report_notice::take_decided(&mut owner, now, BATCH).await?;
        for one in &decided {
            state.letters().put(&mut owner, "notice", &answer(one, now)).await?;
        }
        owner.commit().await?;
        all += decided.len() as u64;
        if decided.len() < usize::try_from(BATCH).unwrap_or_default() {
            return Ok(all);
        }
    }
}

fn answer(decided: &Decided, now: DateTime<Utc>) -> Letter {
    let language = Language::parse(&decided.language).unwrap_or(Language::Fr);
    let about = about(&decided.site, language, &decided.label, decided.is_review);
    about.decided(decided.is_upheld).to(&decided.email, now)
}

fn about<'a>(site: &'a Site, language: Language, label: &'a str, is_review: bool) -> About<'a> {
    let Site { site_name, contact_email } = site;
    About { language, site_name, contact_email, label, is_review }
}
