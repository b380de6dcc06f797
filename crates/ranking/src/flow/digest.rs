//! The weekly email of owners, until they say no.

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
    // RFC 8058: the mail program's own button ends it, by a POST without a page.
    let one_click = format!("<{site_url}/functions/v1/weekly-mail?{query}>");
    let mut email = rendered.to(&reader.email, state.environment().clock.now());
    email.headers.extend([
        ("List-Unsubscribe".to_owned(), one_click),
        ("List-Unsubscribe-Post".to_owned(), "List-Unsubscribe=One-Click".to_owned()),
    ]);
    email
}

/// What shows that a request comes from a mail to this account.
fn token(state: &State, account: Uuid) -> String {
    state.mails().hex(&[account.as_bytes()])
}

/// Ends the weekly mail of an account, or begins it again, for whoever holds one of its mails.
///
/// # Errors
/// [`Refusal::InvalidToken`] for anybody else; the database's.
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
    // Of an account that is gone there is nothing to end.
    digest::set_wanted(&mut owner, account, wanted).await?;
    owner.commit().await?;
    Ok(())
}
