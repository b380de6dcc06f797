//! auth/v1 in the stack: its mails go to the SMTP relay or to the captured mailbox, which only a
//! developer can see.

mod console;

use std::sync::Arc;

use compat_auth::{Config, State};
use compat_mail::{DeliveryError, Mailbox, Mailer, SmtpConfig, SmtpTransport};
use tokio_util::sync::CancellationToken;

use crate::StackError;
use crate::mailbox;
use crate::pool_budgets;
use crate::service::{RunningService, Service, StandaloneMode, StartContext};

pub(super) static SERVICE: Service = Service {
    name: "auth",
    path: "/auth/v1",
    schema: Some(&compat_auth::SCHEMA),
    standalone: StandaloneMode::AtRoot,
    start,
};

fn start(context: &StartContext<'_>) -> Result<RunningService, StackError> {
    let (settings, mails) = (context.settings, Mailbox::default());
    let config = Config { mount: SERVICE.path.to_owned(), ..settings.auth.clone() };
    if settings.production && config.email.smtp.is_none() {
        tracing::warn!("SMTP_HOST is not set: no mail is delivered");
    }
    let mailer = mailer(config.email.smtp.as_ref(), &mails)?;
    let state = State::new(
        context.environment.clone(),
        Arc::clone(&context.keys.ring),
        Arc::clone(&context.keys.api),
        context.pools.owner.with_budget(pool_budgets::SIGN_IN),
        mailer.clone(),
        config,
    );
    let served = state.clone();
    let mut running = RunningService::new(move |_| Ok(compat_auth::router(served.clone())))
        .with_task("auth.cleanup", task(&state, context, compat_auth::run_cleanup))
        .with_task("auth.outbox", task(&state, context, compat_auth::run_outbox))
        .with_task("auth.templates", task(&state, context, compat_auth::run_templates));
    if !settings.production && mailbox::is_local(&context.environment.public_url) {
        running.beside = mailbox::router(mails);
    }
    running.console = console::router(state.clone(), mailer.clone(), settings);
    running.offers.insert(state);
    running.offers.insert(mailer);
    Ok(running)
}

/// A factory for a task, which may be restarted.
fn task<T>(
    state: &State,
    context: &StartContext<'_>,
    run: fn(State, CancellationToken) -> T,
) -> impl Fn() -> T + Send + Sync + 'static
where
    T: Future<Output = ()> + 'static,
{
    let (state, stop) = (state.clone(), context.stop.clone());
    move || run(state.clone(), stop.clone())
}

/// Sends to the SMTP relay if one is configured, else to the captured mailbox.
fn mailer(smtp: Option<&SmtpConfig>, mailbox: &Mailbox) -> Result<Mailer, DeliveryError> {
    match smtp {
        Some(config) => Ok(Mailer::new(SmtpTransport::new(config)?)),
        None => Ok(Mailer::new(mailbox.clone())),
    }
}
