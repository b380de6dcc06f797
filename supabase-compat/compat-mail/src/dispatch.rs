//! Renders emails when they are due, and delivers them.

use std::sync::Arc;

use compat_pg::{JobOutcome, PgError};
use futures_util::future::BoxFuture;
use tokio_util::sync::CancellationToken;

use crate::{ClaimedMessage, Email, Mailer, Outbox};

/// Why an email could not be rendered.
#[derive(Debug, thiserror::Error)]
pub enum RenderError {
    /// Another version of the program enqueued the payload, so another attempt fails in the same
    /// way.
    #[error("cannot read the payload: {0}")]
    Payload(#[from] serde_json::Error),
    /// The content of the email cannot be loaded.
    #[error("cannot load the content: {0}")]
    Database(#[from] PgError),
}

/// Loads the content of emails of some kinds, and renders them.
pub trait Renderer: Send + Sync {
    /// The kinds of email that this renderer handles.
    fn kinds(&self) -> &'static [&'static str];

    /// Renders the email; `None` when it is not needed any more, for instance because its subject
    /// was deleted.
    fn render<'a>(
        &'a self,
        message: &'a ClaimedMessage,
    ) -> BoxFuture<'a, Result<Option<Email>, RenderError>>;

    /// Checks, right before a rendered email is sent, that it is still needed, and records it as
    /// sent. Its cause may have been undone during the rendering.
    fn confirm<'a>(&'a self, _message: &'a ClaimedMessage) -> BoxFuture<'a, Result<bool, PgError>> {
        Box::pin(std::future::ready(Ok(true)))
    }

    /// Undoes the record of [`Self::confirm`]: the transport has refused the email.
    fn revoke<'a>(&'a self, _message: &'a ClaimedMessage) -> BoxFuture<'a, Result<(), PgError>> {
        Box::pin(std::future::ready(Ok(())))
    }
}

/// Renders and delivers due emails until `stop` is cancelled, and then waits for those in progress.
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
        // Another attempt cannot read the payload either, while the database may recover.
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
        tracing::warn!(id, kind, %error, "cannot undo the record of an email that was not sent");
    }
    JobOutcome::Retry(error.to_string())
}

fn dropped(message: &ClaimedMessage) -> JobOutcome {
    let (id, kind) = (message.id, message.kind.as_str());
    tracing::info!(id, kind, "email dropped: it is not needed any more");
    JobOutcome::Done
}
