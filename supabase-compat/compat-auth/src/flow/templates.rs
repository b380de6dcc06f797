//! Mail templates that are fetched from the operator's addresses.

use std::time::Duration;

use compat_http::EgressPolicy;
use compat_mail::Email;
use tokio_util::sync::CancellationToken;

use crate::mail::{EmailFacts, MailKind};
use crate::model::metadata::Metadata;
use crate::state::State;

/// The pause between two fetches of [`run`].
const EVERY: Duration = Duration::from_secs(600);

/// Fetches the templates periodically until `stop` is cancelled.
pub async fn run(state: State, stop: CancellationToken) {
    loop {
        refresh(&state).await;
        tokio::select! {
            () = tokio::time::sleep(EVERY) => {}
            () = stop.cancelled() => return,
        }
    }
}

/// Fetches every template. A template that cannot be fetched or parsed is logged as an error, and
/// the previous one stays in use, at first the built-in one.
pub async fn refresh(state: &State) {
    for (kind, address) in &state.config.email.templates.addresses {
        if let Err(error) = read(state, *kind, address).await {
            tracing::error!(kind = kind.name(), %address, %error, "cannot use the mail template from its address");
        }
    }
}

/// An example of a mail of this kind, with sample values and an invalid link.
pub fn sample(state: &State, kind: MailKind, language: Option<&str>, to: &str) -> Email {
    let mut metadata = Metadata::new();
    if let Some(language) = language {
        metadata.insert("lang".to_owned(), language.into());
    }
    let link = match kind.has_link() {
        true => format!("{}/verify?token=sample&type={}", state.external_url(), kind.link_type()),
        false => String::new(),
    };
    let is_notice = MailKind::NOTICES.contains(&kind);
    state.renderer.render(&EmailFacts {
        kind,
        to,
        email: to,
        new_email: "new@example.com",
        token: if is_notice { "" } else { "123456" },
        token_hash: if is_notice { "" } else { "sample" },
        confirmation_url: &link,
        redirect_to: &state.config.site_url,
        user_metadata: &metadata,
        details: &[
            ("Provider", "github"),
            ("FactorType", "totp"),
            ("OldEmail", "old@example.com"),
            ("Phone", "15555550100"),
            ("OldPhone", "15555550199"),
        ],
        at: state.now(),
    })
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
    // Some applications answer unknown paths with their index page, while every template has at
    // least one placeholder.
    if !text.contains("{{") {
        return Err("the answer is no template".into());
    }
    Ok(state.renderer.replace_body(kind, text)?)
}
