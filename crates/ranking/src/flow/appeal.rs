//! Appeals of banned people, who cannot sign in: the link in the mail about the decision lets them
//! object.

use page_registry::{Language, path_of};
use uuid::Uuid;

use crate::store::moderation_case::{self, AppealOutcome};
use crate::{Refusal, State};

/// Separates the token of an appeal from the other uses of the mail key.
const PURPOSE: &[u8] = b"appeal/";

/// The link in the mail about a decision, under which its reader can appeal.
pub(crate) fn appeal_url(state: &State, language: Language, case: Uuid) -> String {
    let token = state.mails().hex(&[PURPOSE, case.as_bytes()]);
    let site_url = &*state.environment().public_url;
    format!("{site_url}{}?decision={case}&token={token}", path_of("appeal", "", language))
}

/// Files an appeal in the moderation queue. The token proves that the caller has the mail.
///
/// # Errors
/// [`Refusal::InvalidToken`] when the token is wrong, or an error of the database.
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
