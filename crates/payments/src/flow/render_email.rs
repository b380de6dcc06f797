//! Emails to payers, rendered when they are due.

use compat_mail::{ClaimedMessage, Email, RenderError, Renderer};
use futures_util::future::BoxFuture;

use crate::State;

impl Renderer for State {
    fn kinds(&self) -> &'static [&'static str] {
        &["payment"]
    }

    fn render<'a>(
        &'a self,
        message: &'a ClaimedMessage,
    ) -> BoxFuture<'a, Result<Option<Email>, RenderError>> {
        Box::pin(std::future::ready(message.payload().map(Some).map_err(Into::into)))
    }
}
