//! Renders the ranking's emails when they are due. Each kind is enqueued by the procedure or the
//! trigger that causes it.

use compat_mail::{ClaimedMessage, Email, RenderError, Renderer};
use compat_pg::PgError;
use futures_util::future::BoxFuture;
use page_registry::Language;
use serde::Deserialize;
use uuid::Uuid;

use crate::State;
use crate::flow::appeal::appeal_url;
use crate::flow::digest;
use crate::model::content_notice::About;
use crate::model::digest::ServerWeek;
use crate::model::moderation_decision::{Notice, render as render_decision};
use crate::model::receiver_disabled::{ReceiverDisabled, render as render_receiver_off};
use crate::store::report_notice::ReportNotice;
use crate::store::{delivery, digest as digest_store, moderation_case, report_notice};

/// The payload of an email about one subject.
#[derive(Deserialize)]
struct Subject {
    subject_id: Uuid,
}

/// The payload of a weekly email.
#[derive(Deserialize)]
struct WeekPayload {
    subject_id: Uuid,
    servers: Vec<ServerWeek>,
}

/// The payload of an email about a receiver that was switched off.
#[derive(Deserialize)]
struct ReceiverPayload {
    subject_id: Uuid,
    is_hook: bool,
}

impl Renderer for State {
    fn kinds(&self) -> &'static [&'static str] {
        &[
            "decision",
            "decision_taken_back",
            "notice_received",
            "notice_decided",
            "weekly",
            "receiver_off",
        ]
    }

    fn render<'a>(
        &'a self,
        message: &'a ClaimedMessage,
    ) -> BoxFuture<'a, Result<Option<Email>, RenderError>> {
        Box::pin(render(self, message))
    }

    fn confirm<'a>(&'a self, message: &'a ClaimedMessage) -> BoxFuture<'a, Result<bool, PgError>> {
        Box::pin(async move {
            let Some((case, is_taken_back)) = decision_of(message) else { return Ok(true) };
            let mut owner = self.pools().jobs.begin().await?;
            let now = self.environment().clock.now();
            let is_so =
                moderation_case::note_delivery(&mut owner, case, is_taken_back, now).await?;
            owner.commit().await?;
            Ok(is_so)
        })
    }

    fn revoke<'a>(&'a self, message: &'a ClaimedMessage) -> BoxFuture<'a, Result<(), PgError>> {
        Box::pin(async move {
            let Some((case, is_taken_back)) = decision_of(message) else { return Ok(()) };
            let mut owner = self.pools().jobs.begin().await?;
            moderation_case::revoke_delivery(&mut owner, case, is_taken_back).await?;
            owner.commit().await
        })
    }
}

/// The case of a decision email, and whether the decision was reversed.
fn decision_of(message: &ClaimedMessage) -> Option<(Uuid, bool)> {
    let is_taken_back = match message.kind.as_str() {
        "decision" => false,
        "decision_taken_back" => true,
        _ => return None,
    };
    let payload: Subject = message.payload().ok()?;
    Some((payload.subject_id, is_taken_back))
}

async fn render(state: &State, message: &ClaimedMessage) -> Result<Option<Email>, RenderError> {
    let subject = || message.payload::<Subject>().map(|payload| payload.subject_id);
    let email = match message.kind.as_str() {
        "decision" => decision(state, subject()?, false).await,
        "decision_taken_back" => decision(state, subject()?, true).await,
        "notice_received" => notice_received(state, subject()?).await,
        "notice_decided" => notice_decided(state, subject()?).await,
        "weekly" => weekly(state, &message.payload()?).await,
        _ => receiver_off(state, &message.payload()?).await,
    };
    Ok(email?)
}

/// The email about a decision; `None` when the case is gone, the decision has changed since, or
/// there is no recipient.
async fn decision(
    state: &State,
    case: Uuid,
    is_taken_back: bool,
) -> Result<Option<Email>, PgError> {
    let now = state.environment().clock.now();
    let mut owner = state.pools().jobs.begin().await?;
    let notice = moderation_case::load(&mut owner, case, is_taken_back).await?;
    owner.commit().await?;
    let Some((notice, decision)) =
        notice.and_then(|notice| notice.decision().map(|decision| (notice, decision)))
    else {
        return Ok(None);
    };
    let language = Language::parse(&notice.language).unwrap_or(Language::Fr);
    let rendered = render_decision(&Notice {
        language,
        site_name: &notice.site_name,
        site_url: &state.environment().public_url,
        appeal_url: &appeal_url(state, language, notice.case_id),
        label: &notice.label,
        decision,
        sanction: notice.sanction(),
        until: notice.until,
        reason: notice.reason.as_deref(),
        statement: notice.statement.as_deref(),
        is_taken_back: notice.is_taken_back,
    });
    Ok(Some(rendered.to(&notice.email, now)))
}

async fn notice_received(state: &State, report: Uuid) -> Result<Option<Email>, PgError> {
    let mut owner = state.pools().jobs.begin().await?;
    let notice = report_notice::load(&mut owner, report).await?;
    owner.commit().await?;
    let now = state.environment().clock.now();
    Ok(notice.map(|notice| about(&notice).received(&notice.explanation).to(&notice.email, now)))
}

/// The email about a decided report; `None` also while it is not decided.
async fn notice_decided(state: &State, report: Uuid) -> Result<Option<Email>, PgError> {
    let now = state.environment().clock.now();
    let mut owner = state.pools().jobs.begin().await?;
    report_notice::tell(&mut owner, report, now).await?;
    let notice = report_notice::load(&mut owner, report).await?;
    owner.commit().await?;
    Ok(notice
        .filter(|notice| notice.status != "pending")
        .map(|notice| about(&notice).decided(notice.status == "resolved").to(&notice.email, now)))
}

fn about(notice: &ReportNotice) -> About<'_> {
    About {
        language: Language::parse(&notice.language).unwrap_or(Language::Fr),
        site_name: &notice.site_name,
        contact_email: &notice.contact_email,
        label: &notice.label,
        is_review: notice.is_review,
    }
}

/// The weekly email; `None` when the owner has unsubscribed.
async fn weekly(state: &State, week: &WeekPayload) -> Result<Option<Email>, PgError> {
    let mut owner = state.pools().jobs.begin().await?;
    let reader = digest_store::reader(&mut owner, week.subject_id).await?;
    owner.commit().await?;
    Ok(reader.map(|reader| digest::email(state, week.subject_id, &reader, &week.servers)))
}

async fn receiver_off(state: &State, payload: &ReceiverPayload) -> Result<Option<Email>, PgError> {
    let mut owner = state.pools().jobs.begin().await?;
    let owner_row = delivery::owner_of(&mut owner, payload.subject_id).await?;
    owner.commit().await?;
    let now = state.environment().clock.now();
    Ok(owner_row.map(|owner_row| {
        let rendered = render_receiver_off(&ReceiverDisabled {
            language: Language::parse(&owner_row.language).unwrap_or(Language::Fr),
            site_name: &owner_row.site_name,
            site_url: &state.environment().public_url,
            server: payload.subject_id,
            server_name: &owner_row.server_name,
            is_hook: payload.is_hook,
        });
        rendered.to(&owner_row.email, now)
    }))
}
