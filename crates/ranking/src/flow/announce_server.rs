//! Announces a new server in the channel of the site's community.

use std::net::IpAddr;
use std::time::Duration;

use compat_http::{EgressPolicy, OutgoingError};
use page_registry::Language;
use secrecy::{ExposeSecret as _, SecretString};
use uuid::Uuid;

use crate::model::announcement::Announcement;
use crate::store::server_announcement;
use crate::{Refusal, State};

/// The timeout of the webhook call; the page does not wait for its result.
const TIMEOUT: Duration = Duration::from_secs(5);

/// Announces a server of this owner once, while it is new; returns whether the message arrived. A
/// failed announcement is not repeated.
///
/// # Errors
/// When one address requests too many, or the database fails.
#[tracing::instrument(name = "ranking.announce_server", skip_all, fields(%server))]
pub(crate) async fn announce_server(
    state: &State,
    server: Uuid,
    owner: Uuid,
    language: Language,
    ip: IpAddr,
) -> Result<bool, Refusal> {
    let Some(address) = &state.config().announcements else {
        return Ok(false);
    };
    let too_often = |retry_after| Refusal::TooManyRequests { retry_after };
    let now = state.environment().clock.now();
    state.limits().announcements.take(&state.voter(ip), now).map_err(too_often)?;
    let mut transaction = state.pools().jobs.begin().await?;
    let facts = server_announcement::take(&mut transaction, server, owner).await?;
    // The claim is committed before the message leaves. A crash in between loses the message, but
    // no message is sent twice.
    transaction.commit().await?;
    let Some(announcement) = facts else {
        return Ok(false);
    };
    let result = send(state, address, &announcement, language).await;
    if let Err(error) = &result {
        tracing::warn!(%error, "server not announced: webhook error");
    }
    Ok(result.is_ok())
}

async fn send(
    state: &State,
    address: &SecretString,
    announcement: &Announcement,
    language: Language,
) -> Result<(), OutgoingError> {
    let environment = state.environment();
    let message = announcement.message(language, &environment.public_url);
    let call =
        environment.outgoing.post(EgressPolicy::PublicOnly, address.expose_secret()).json(&message);
    call.within(TIMEOUT).send().await?.success()?;
    Ok(())
}
