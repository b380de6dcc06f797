//! Emails that are rendered when they are due.

use std::sync::Arc;

use compat_pg::{JobOutcome, PgError};
use futures_util::future::BoxFuture;
use tokio_util::sync::CancellationToken;

use crate::{ClaimedMessage, Email, Mailer, Outbox};

/// Why an email could not be rendered.
#[derive(Debug, thiserror::Error)]
pub enum RenderError {
    /// An older or a newer program enqueued it, so that no attempt will do better.
    #[error("payload unreadable: {0}")]
    Payload(#[from] serde_json::Error),
    /// What it says cannot be loaded.
    #[error("content not loaded: {0}")]
    Database(#[from] PgError),
}

/// Loads what emails of some kinds say, and renders them.
pub trait Renderer: Send + Sync {
    /// The kinds.
    fn kinds(&self) -> &'static [&'static str];

    /// The email; `None` where nobody is to be written to any more, for instance because what it is
    /// about was deleted.
    fn render<'a>(
        &'a self,
        message: &'a ClaimedMessage,
    ) -> BoxFuture<'a, Result<Option<Email>, RenderError>>;

    /// Confirms, right before a rendered email leaves, that it is still to leave, and notes that it
    /// does. What it is about may have been undone while it was rendered.
    fn confirm<'a>(&'a self, _message: &'a ClaimedMessage) -> BoxFuture<'a, Result<bool, PgError>> {
        Box::pin(std::future::ready(Ok(true)))
    }

    /// Takes back what [`Self::confirm`] noted: the transport has refused the email.
    fn revoke<'a>(&'a self, _message: &'a ClaimedMessage) -> BoxFuture<'a, Result<(), PgError>> {
        Box::pin(std::future::ready(Ok(())))
    }
}

/// Renders and delivers emails that are due, again and again until `stop` is cancelled, and then
/// waits for those under way.
pub async fn dispatch_emails(
    outbox: Outbox,
    renderers: Vec<Arc<dyn Renderer>>,
    mailer: Mailer,
    stop: CancellationToken,
) {
    let renderers = &*renderers;
    let mailer = &mailer;
    outbox
        .dispatch(|message| async move { deliver(renderers, mailer, &message).await }, stop)
        .await;
}

async fn deliver(
    renderers: &[Arc<dyn Renderer>],
    mailer: &Mailer,
    message: &ClaimedMessage,
) -> JobOutcome {
    let kind = message.kind.as_str();
    let Some(renderer) = renderers.iter().find(|renderer| renderer.kinds().contains(&kind)) else {
        return JobOutcome::GiveUp("no renderer for this kind of email".to_owned());
    };
    match renderer.render(message).await {
        Ok(Some(email)) => send(&**renderer, mailer, message, email).await,
        Ok(None) => dropped(message),
        // No later attempt reads the payload better, while a database may come back.
        Err(error @ RenderError::Payload(_)) => JobOutcome::GiveUp(error.to_string()),
        Err(error @ RenderError::Database(_)) => JobOutcome::Retry(error.to_string()),
    }
}

async fn send(
    renderer: &dyn Renderer,
    mailer: &Mailer,
    message: &ClaimedMessage,
    email: Email,
) -> JobOutcome {
    match renderer.confirm(message).await {
        Ok(true) => {}
        Ok(false) => return dropped(message),
        Err(error) => return JobOutcome::Retry(error.to_string()),
    }
    let Err(error) = mailer.send(email).await else { return JobOutcome::Done };
    if let Err(error) = renderer.revoke(message).await {
        let (id, kind) = (message.id, message.kind.as_str());
        tracing::warn!(id, kind, %error, "email counted as delivered, but not sent: database error");
    }
    JobOutcome::Retry(error.to_string())
}

fn dropped(message: &ClaimedMessage) -> JobOutcome {
    let (id, kind) = (message.id, message.kind.as_str());
    tracing::info!(id, kind, "email dropped: it has no recipient");
    JobOutcome::Done
}
