//! Somebody who is banned, and so cannot sign in, objects by the link of the mail that told them.

use page_registry::{Language, path_of};
use uuid::Uuid;

use crate::store::moderation_case::{self, AppealOutcome};
use crate::{Refusal, State};

/// What the proof is for, apart from the other uses of the mails' key.
const PURPOSE: &[u8] = b"appeal/";

/// Where whoever holds the mail of a decision can object to it.
pub(crate) fn appeal_url(state: &State, language: Language, case: Uuid) -> String {
    let token = state.mails().hex(&[PURPOSE, case.as_bytes()]);
    let site_url = &*state.environment().public_url;
    format!("{site_url}{}?decision={case}&token={token}", path_of("appeal", "", language))
}

/// Puts an objection into the queue, for whoever holds the mail of the decision.
///
/// # Errors
/// [`Refusal::InvalidToken`] for anybody else; the database's.
#[tracing::instrument(name = "ranking.file_appeal", skip_all)]
pub(crate) async fn file(
    state: &State,
    case: Uuid,
    token: &str,
    message: &str,
) -> Result<AppealOutcome, Refusal> {
    if !state.mails().proves(&[PURPOSE, case.as_bytes()], token) {
        return Err(Refusal::InvalidToken);
    }
    let mut owner = state.pools().jobs.begin().await?;
    let outcome = moderation_case::appeal(&mut owner, case, message).await?;
    owner.commit().await?;
    Ok(outcome)
}
