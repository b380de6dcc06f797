//! Files a report by somebody without an account, and enqueues the receipt.

use std::net::IpAddr;

use crate::CaptchaRefusal;
use crate::captcha::{CaptchaAttempt, Purpose};
use crate::model::content_notice::ContentNotice;
use crate::store::report_notice::{self, Outcome};
use crate::{Refusal, State};

/// The retry time for somebody who exceeded the daily limit, in seconds.
const TOMORROW: u64 = 24 * 60 * 60;

/// Files a notice and enqueues a receipt. A repeated notice gets the same response but no second
/// receipt, so that nobody can find out whether a person reported something.
///
/// # Errors
/// When one address or one person sends too many, the answer to the challenge is wrong, the
/// reported content is not public, or the database fails. The notice is not stored then.
#[tracing::instrument(name = "ranking.file_notice", skip_all, fields(server = %notice.server))]
pub(crate) async fn file_notice(
    state: &State,
    notice: &ContentNotice,
    captcha: &str,
    ip: IpAddr,
) -> Result<(), Refusal> {
    let now = state.environment().clock.now();
    let too_often = |retry_after| Refusal::TooManyRequests { retry_after };
    state.limits().notices.take(&state.voter(ip), now).map_err(too_often)?;
    let (server, purpose) = (notice.server, Purpose::Notice);
    let attempt = CaptchaAttempt { answer: captcha, purpose, server, from: ip };
    let proof = state.captcha().judge(state.environment(), attempt).await?;
    let mut owner = state.pools().jobs.begin().await?;
    let outcome = report_notice::file(&mut owner, notice, &proof, now).await?;
    match outcome {
        // The answer to the challenge is spent for a repeated notice too.
        Outcome::Filed | Outcome::Known => Ok(owner.commit().await?),
        Outcome::Limited => {
            owner.commit().await?;
            Err(too_often(TOMORROW))
        }
        Outcome::Unlisted => Err(Refusal::ServerNotFound),
        Outcome::Spent => Err(CaptchaRefusal::Spent.into()),
    }
}
