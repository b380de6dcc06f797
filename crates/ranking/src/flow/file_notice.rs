//! Somebody without an account reports something, and is answered.

use std::net::IpAddr;

use crate::CaptchaRefusal;
use crate::captcha::{CaptchaAttempt, Purpose};
use crate::model::content_notice::ContentNotice;
use crate::store::report_notice::{self, Outcome};
use crate::{Refusal, State};

/// When somebody who sent too many may send another, in seconds.
const TOMORROW: u64 = 24 * 60 * 60;

/// Takes a notice; a receipt is enqueued with it. One that waits already is answered alike, without another
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
    let now = state.environment().clock.now();
    let too_often = |retry_after| Refusal::TooManyRequests { retry_after };
    state.limits().notices.take(&state.voter(ip), now).map_err(too_often)?;
    let (server, purpose) = (notice.server, Purpose::Notice);
    let attempt = CaptchaAttempt { answer: captcha, purpose, server, from: ip };
    let proof = state.captcha().judge(state.environment(), attempt).await?;
    let mut owner = state.pools().jobs.begin().await?;
    let outcome = report_notice::file(&mut owner, notice, &proof, now).await?;
    match outcome {
        // Of what is known the answer to the challenge is spent.
        Outcome::Filed | Outcome::Known => Ok(owner.commit().await?),
        Outcome::Limited => {
            owner.commit().await?;
            Err(too_often(TOMORROW))
        }
        Outcome::Unlisted => Err(Refusal::ServerNotFound),
        Outcome::Spent => Err(CaptchaRefusal::Spent.into()),
    }
}
