//! People are written to of what moderators decided about them.

use chrono::{DateTime, Utc};
use compat_mail::Email;
use compat_pg::PgError;
use site_pages::Language;

use crate::State;
use crate::flow::appeal::appeal_url;
use crate::model::moderation_decision::{Notice, render};
use crate::store::moderation_case::{self, Told};

/// Decisions taken at once.
const BATCH: i32 = 100;

/// Writes of the decisions nobody was told of, some at a time; how many mails.
///
/// # Errors
/// When the database refuses or cannot be asked; what was written before stays.
pub(crate) async fn write_due(state: &State) -> Result<u64, PgError> {
    let now = state.edge().clock.now();
    let mut all = 0;
    loop {
        let mut owner = state.pools().jobs.begin().await?;
        let told = moderation_case::take_untold(&mut owner, now, BATCH).await?;
        for email in told.iter().filter_map(|told| email(state, told, now)) {
            state.outbox().enqueue(&mut owner, "decision", &email).await?;
            all += 1;
        }
        owner.commit().await?;
        if told.len() < usize::try_from(BATCH).unwrap_or_default() {
            return Ok(all);
        }
    }
}

/// `None` where there is nobody to write to, or nothing to say.
fn email(state: &State, told: &Told, now: DateTime<Utc>) -> Option<Email> {
    let email = told.email.as_deref()?;
    let language = Language::parse(&told.language).unwrap_or(Language::Fr);
    let rendered = render(&Notice {
        language,
        site_name: &told.site_name,
        site_url: &state.edge().public_url,
        appeal_url: &appeal_url(state, language, told.case_id),
        label: &told.label,
        decision: told.decision()?,
        sanction: told.sanction(),
        until: told.until,
        reason: told.reason.as_deref(),
        statement: told.statement.as_deref(),
        is_taken_back: told.is_taken_back,
    });
    Some(rendered.to(email, now))
}
