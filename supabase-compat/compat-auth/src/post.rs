//! What leaves for a mailbox or a telephone: noted inside the flow's transaction, sent after it.
//!
//! It knows how a letter is worded and who carries it, and nothing of why it is asked for.

use serde_json::Value;

use crate::error::{AuthError, Delivery, Fault};
use crate::flow::hook;
use crate::mail::Mail;
use crate::model::User;
use crate::state::State;

pub mod letter;
pub mod link;
pub mod text;

/// Mails that belong together, and what an operator's hook is told instead of them.
pub struct Outgoing {
    mails: Vec<Mail>,
    user: User,
    data: Value,
}

/// Sends notices; what happened has happened, so a relay that is down is for the log only.
pub async fn send_notices(state: &State, notices: impl IntoIterator<Item = Outgoing>) {
    if let Err(error) = send(state, notices).await {
        tracing::error!(%error, "a notice could not be sent");
    }
}

/// Sends mails, one after the other; called after the commit.
///
/// # Errors
/// [`Fault::Delivery`]: what was committed stays, and the person may ask again.
pub async fn send(
    state: &State,
    outgoing: impl IntoIterator<Item = Outgoing>,
) -> Result<(), AuthError> {
    for one in outgoing {
        if state.config.hooks.send_email.is_some() {
            hook::send_email(state, &one.user, &one.data).await?;
            continue;
        }
        for mail in one.mails {
            if state.config.email.background_sending {
                send_later(state, mail);
                continue;
            }
            let kind = mail.kind.name();
            let sent = state.mailer.send(mail).await;
            sent.map_err(|source| Fault::Delivery(Delivery { kind, source }))?;
        }
    }
    Ok(())
}

/// Sends after the answer; whoever stops the service waits for these.
fn send_later(state: &State, mail: Mail) {
    let (mailer, kind) = (state.mailer.clone(), mail.kind.name());
    state.under_way.spawn(async move {
        if let Err(error) = mailer.send(mail).await {
            tracing::error!(kind, %error, "a mail could not be sent");
        }
    });
}
