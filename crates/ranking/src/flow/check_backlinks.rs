//! Checks whether partners' pages link back to the site.

use std::time::Duration;

use compat_http::{EgressPolicy, OutgoingError, OutgoingResponse};
use compat_pg::PgError;
use futures_util::{StreamExt as _, stream};
use url::Url;

use crate::State;
use crate::model::backlink::{BacklinkStatus, find};
use crate::store::partner::{self, DueBacklink};

/// The lease on a page, in seconds; longer than a check can take.
const LEASE: i32 = 120;

/// The pages per run, and how many of them are checked at once.
const BATCH_SIZE: i32 = 40;
const AT_ONCE: usize = 4;

/// The timeout of a request, the most redirects, and the most bytes of a page that are read.
const TIMEOUT: Duration = Duration::from_secs(8);
const MAX_REDIRECTS: usize = 4;
const MAX_PAGE: usize = 2 << 20;

/// Checks the pages that are due and stores the results; returns how many were checked.
///
/// # Errors
/// When the database fails; pages whose result was not stored are checked again.
pub(crate) async fn check_due(state: &State) -> Result<u64, PgError> {
    let Ok(site) = Url::parse(&state.environment().public_url) else {
        return Ok(0);
    };
    let mut owner = state.pools().jobs.begin().await?;
    let due =
        partner::claim(&mut owner, state.environment().clock.now(), LEASE, BATCH_SIZE).await?;
    owner.commit().await?;
    let checks = stream::iter(due).map(|due| async {
        let status = check_page(state, &due, &site).await;
        (due, status)
    });
    let results: Vec<(DueBacklink, BacklinkStatus)> =
        checks.buffer_unordered(AT_ONCE).collect().await;
    let mut owner = state.pools().jobs.begin().await?;
    for (due, status) in &results {
        partner::set(&mut owner, due, state.environment().clock.now(), *status).await?;
    }
    owner.commit().await?;
    Ok(results.len() as u64)
}

/// Checks one page and follows its redirects. The egress policy applies to every address on the
/// way.
async fn check_page(state: &State, due: &DueBacklink, site: &Url) -> BacklinkStatus {
    let Ok(mut address) = Url::parse(&due.address) else {
        return BacklinkStatus::Unreachable;
    };
    for _ in 0..=MAX_REDIRECTS {
        let request = state.environment().outgoing.get(EgressPolicy::PublicOnly, address.as_str());
        let request = request.header("user-agent", "Palmares-Backlink/1");
        let request = request.header("accept", "text/html");
        match request.within(TIMEOUT).at_most(MAX_PAGE).send().await {
            Err(error) => return fault(&error),
            Ok(answer) if answer.status.is_redirection() => match moved_to(&answer, &address) {
                Some(next) => address = next,
                None => return BacklinkStatus::Status,
            },
            Ok(answer) if !answer.status.is_success() => return BacklinkStatus::Status,
            Ok(answer) if !is_html(&answer) => return BacklinkStatus::NotHtml,
            Ok(answer) => return find(&answer.body, &address, site),
        }
    }
    BacklinkStatus::Redirects
}

fn moved_to(answer: &OutgoingResponse, from: &Url) -> Option<Url> {
    from.join(answer.headers.get("location")?.to_str().ok()?).ok()
}

fn is_html(answer: &OutgoingResponse) -> bool {
    let kind = answer.headers.get("content-type").and_then(|kind| kind.to_str().ok());
    kind.is_some_and(|kind| {
        let kind = kind.split(';').next().unwrap_or_default().trim();
        kind.eq_ignore_ascii_case("text/html") || kind.eq_ignore_ascii_case("application/xhtml+xml")
    })
}

fn fault(error: &OutgoingError) -> BacklinkStatus {
    match error {
        OutgoingError::NotPublic => BacklinkStatus::NotPublic,
        OutgoingError::NoSuchName => BacklinkStatus::NameNotFound,
        OutgoingError::TimedOut => BacklinkStatus::TimedOut,
        OutgoingError::TooLong { .. } => BacklinkStatus::TooLong,
        _ => BacklinkStatus::Unreachable,
    }
}
