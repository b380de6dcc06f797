//! The weekly email to owners, and its unsubscribe link.

use compat_mail::Email;
use page_registry::{Language, path_of};
use uuid::Uuid;

use crate::model::digest::{ServerWeek, Week, render};
use crate::store::digest::{self, Reader};
use crate::{Refusal, State};

/// The email to an owner about the week of their servers.
pub(crate) fn email(
    state: &State,
    account: Uuid,
    reader: &Reader,
    servers: &[ServerWeek],
) -> Email {
    let site_url = &*state.environment().public_url;
    let language = Language::parse(&reader.language).unwrap_or(Language::Fr);
    let query = format!("owner={account}&token={}", token(state, account));
    let end_url = format!("{site_url}{}?{query}", path_of("weeklyMail", "", language));
    let rendered = render(&Week {
        language,
        site_name: &reader.site_name,
        site_url,
        servers,
        end_url: &end_url,
    });
    // RFC 8058: the mail program's own button unsubscribes by a POST without a page.
    let one_click = format!("<{site_url}/functions/v1/weekly-mail?{query}>");
    let mut email = rendered.to(&reader.email, state.environment().clock.now());
    email.headers.extend([
        ("List-Unsubscribe".to_owned(), one_click),
        ("List-Unsubscribe-Post".to_owned(), "List-Unsubscribe=One-Click".to_owned()),
    ]);
    email
}

/// The token in the mails to this account, which authenticates its unsubscribe link.
fn token(state: &State, account: Uuid) -> String {
    state.mails().hex(&[account.as_bytes()])
}

/// Unsubscribes an account from the weekly mail, or subscribes it again. The token proves that the
/// caller has one of its mails.
///
/// # Errors
/// [`Refusal::InvalidToken`] when the token is wrong, or an error of the database.
#[tracing::instrument(name = "ranking.set_weekly_mail", skip_all, fields(wanted))]
pub(crate) async fn set_wanted(
    state: &State,
    account: Uuid,
    token: &str,
    wanted: bool,
) -> Result<(), Refusal> {
    if !state.mails().proves(&[account.as_bytes()], token) {
        return Err(Refusal::InvalidToken);
    }
    let mut owner = state.pools().jobs.begin().await?;
    // For a deleted account this changes no row, which is no error.
    digest::set_wanted(&mut owner, account, wanted).await?;
    owner.commit().await?;
    Ok(())
}
