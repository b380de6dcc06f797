//! Owners are told of their week, until they say no.

use chrono::{DateTime, Datelike as _, Utc, Weekday};
use compat_mail::Email;
use compat_pg::PgError;
use site_pages::{Language, path_of};
use uuid::Uuid;

use crate::model::digest::{Week, render};
use crate::store::digest::{self, Digest};
use crate::{Refusal, State};

/// Owners taken at once.
const BATCH: i32 = 100;

/// Writes what is to be told of the week that has ended, some owners at a time; how many mails.
/// Monday and Tuesday are for it: whoever starts later has missed the week.
///
/// # Errors
/// When the database refuses or cannot be asked; what was written before stays.
pub(crate) async fn write_due(state: &State) -> Result<u64, PgError> {
    let now = state.edge().clock.now();
    if !is_time(now) {
        return Ok(0);
    }
    let mut all = 0;
    loop {
        let mut owner = state.pools().jobs.begin().await?;
        let digests = digest::take(&mut owner, now, BATCH).await?;
        for digest in &digests {
            state.outbox().enqueue(&mut owner, "weekly", &email(state, digest, now)).await?;
        }
        owner.commit().await?;
        all += digests.len() as u64;
        if digests.len() < usize::try_from(BATCH).unwrap_or_default() {
            return Ok(all);
        }
    }
}

/// In the morning, when the sites' days have all ended and been closed.
fn is_time(now: DateTime<Utc>) -> bool {
    let hour = chrono::Timelike::hour(&now);
    match now.weekday() {
        Weekday::Mon => hour >= 6,
        Weekday::Tue => true,
        _ => false,
    }
}

fn email(state: &State, digest: &Digest, now: DateTime<Utc>) -> Email {
    let site_url = &*state.edge().public_url;
    let language = Language::parse(&digest.language).unwrap_or(Language::Fr);
    let asked = format!("owner={}&token={}", digest.owner_id, token(state, digest.owner_id));
    let end_url = format!("{site_url}{}?{asked}", path_of("weeklyMail", "", language));
    let rendered = render(&Week {
        language,
        site_name: &digest.site_name,
        site_url,
        servers: &digest.servers,
        end_url: &end_url,
    });
    // RFC 8058: the mail program's own button ends it, by a POST without a page.
    let one_click = format!("<{site_url}/functions/v1/weekly-mail?{asked}>");
    let mut email = rendered.to(&digest.email, now);
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
    given: &str,
    wanted: bool,
) -> Result<(), Refusal> {
    if !state.mails().proves(&[account.as_bytes()], given) {
        return Err(Refusal::InvalidToken);
    }
    let mut owner = state.pools().jobs.begin().await?;
    // Of an account that is gone there is nothing to end.
    digest::set_wanted(&mut owner, account, wanted).await?;
    owner.commit().await?;
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn mondays_morning_and_the_day_after_are_the_time() {
        let at = |text: &str| is_time(text.parse().expect("a moment"));
        assert!(!at("2026-11-22T23:59:00Z") && !at("2026-11-23T05:59:00Z"));
        assert!(at("2026-11-23T06:00:00Z") && at("2026-11-24T23:59:00Z"));
        assert!(!at("2026-11-25T00:00:00Z"));
    }
}
