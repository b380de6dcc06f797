//! Renders the emails that tell payers what happened to their payment, when they are due.

use compat_mail::{ClaimedMessage, Email, RenderError, Renderer};
use futures_util::future::BoxFuture;

use crate::State;
use crate::model::notification::{Site, render};
use crate::store::notification;

impl Renderer for State {
    fn kinds(&self) -> &'static [&'static str] {
        &["payment"]
    }

    fn render<'a>(
        &'a self,
        message: &'a ClaimedMessage,
    ) -> BoxFuture<'a, Result<Option<Email>, RenderError>> {
        Box::pin(render_payment(self, message))
    }
}

async fn render_payment(
    state: &State,
    message: &ClaimedMessage,
) -> Result<Option<Email>, RenderError> {
    let payload = message.payload()?;
    let mut owner = state.pools().jobs.begin().await?;
    let loaded = notification::load(&mut owner, &payload).await?;
    let name = notification::site_name(&mut owner).await?;
    owner.commit().await?;
    let site = Site { name: &name, url: &state.environment().public_url };
    let now = state.environment().clock.now();
    Ok(loaded.map(|loaded| render(&site, &loaded).to(&loaded.email, now)))
}
