//! Mail templates that an operator keeps at an address.

use std::time::Duration;

use compat_http::EgressPolicy;
use tokio_util::sync::CancellationToken;

use crate::mail::MailKind;
use crate::state::State;

/// How often [`run`] reads them.
const EVERY: Duration = Duration::from_secs(600);

/// Reads templates from their addresses, again and again until `stop` is cancelled.
pub async fn run(state: State, stop: CancellationToken) {
    loop {
        refresh(&state).await;
        tokio::select! {
            () = tokio::time::sleep(EVERY) => {}
            () = stop.cancelled() => return,
        }
    }
}

/// Reads every template from its address. One that cannot be had or does not parse is told loudly,
/// and the one before stays, which at first is the built-in one.
pub async fn refresh(state: &State) {
    for (kind, address) in &state.config.email.templates.addresses {
        if let Err(error) = read(state, *kind, address).await {
            tracing::error!(kind = kind.name(), %address, %error, "mail template rejected");
        }
    }
}

async fn read(
    state: &State,
    kind: MailKind,
    address: &str,
) -> Result<(), Box<dyn std::error::Error + Send + Sync>> {
    let url = if address.starts_with('/') {
        format!("{}{address}", state.config.site_url.trim_end_matches('/'))
    } else {
        address.to_owned()
    };
    let answer =
        state.environment.outgoing.get(EgressPolicy::Trusted, &url).send().await?.success()?;
    let text = std::str::from_utf8(&answer.body)?;
    // An application answers unknown paths with its index page; a template names at least one of
    // its facts.
    if !text.contains("{{") {
        return Err("the answer is no template".into());
    }
    Ok(state.renderer.replace_body(kind, text)?)
}
