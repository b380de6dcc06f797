//! auth/v1 in the stack: its mails go to the relay or to the captured mailbox, which is shown where
//! only a developer can see it.

use std::sync::Arc;

use compat_auth::{Config, State};
use compat_mail::{DeliveryError, Mailbox, Mailer, SmtpConfig, SmtpTransport};
use tokio_util::sync::CancellationToken;

use crate::StackError;
use crate::mailbox;
use crate::pool_budgets;
use crate::service::{Alone, Ground, Running, Service};

pub(super) static SERVICE: Service = Service {
    name: "auth",
    path: "/auth/v1",
    schema: Some(&compat_auth::SCHEMA),
    alone: Alone::AtRoot,
    start,
};

fn start(ground: &Ground<'_>) -> Result<Running, StackError> {
    let (settings, mails) = (ground.settings, Mailbox::default());
    let config = Config { mount: SERVICE.path.to_owned(), ..settings.auth.clone() };
    if settings.production && config.email.smtp.is_none() {
        tracing::warn!("no SMTP_HOST is set: nobody will get any mail");
    }
    let mailer = mailer(config.email.smtp.as_ref(), &mails)?;
    let state = State::new(
        ground.edge.clone(),
        Arc::clone(&ground.keys.ring),
        Arc::clone(&ground.keys.api),
        ground.pools.owner.with_budget(pool_budgets::SIGN_IN),
        mailer.clone(),
        config,
    );
    let served = state.clone();
    let mut running = Running::new(move |_| Ok(compat_auth::router(served.clone())))
        .with_task("auth.cleanup", task(&state, ground, compat_auth::run_cleanup))
        .with_task("auth.outbox", task(&state, ground, compat_auth::run_outbox))
        .with_task("auth.templates", task(&state, ground, compat_auth::run_templates));
    if !settings.production && mailbox::is_local(&ground.edge.public_url) {
        running.beside = mailbox::router(mails);
    }
    running.offers.insert(state);
    running.offers.insert(mailer);
    Ok(running)
}

/// A task as often as it has to be begun.
fn task<T>(
    state: &State,
    ground: &Ground<'_>,
    run: fn(State, CancellationToken) -> T,
) -> impl Fn() -> T + Send + Sync + 'static
where
    T: Future<Output = ()> + 'static,
{
    let (state, stop) = (state.clone(), ground.stop.clone());
    move || run(state.clone(), stop.clone())
}

/// The relay where one is configured, else the mailbox.
fn mailer(smtp: Option<&SmtpConfig>, mailbox: &Mailbox) -> Result<Mailer, DeliveryError> {
    match smtp {
        Some(config) => Ok(Mailer::new(SmtpTransport::new(config)?)),
        None => Ok(Mailer::new(mailbox.clone())),
    }
}
