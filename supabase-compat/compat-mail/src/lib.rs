//! Email: the message, how it is delivered, and the outbox it waits in.
//!
//! An application enqueues what an email is about in the transaction that causes it. A worker loads
//! what the email says and renders it when it is due, so that a retry says what is true by then, and
//! what must not change on a retry travels in the payload. This crate knows no address of a page and
//! not what an email says.

mod dispatch;
mod email;
mod mailbox;
mod mailbox_page;
mod outbox;
mod smtp;
mod template;
mod transport;

pub use compat_pg::JobOutcome;
pub use dispatch::{RenderError, Renderer, dispatch_emails};
pub use email::{Email, RenderedEmail};
pub use mailbox::{CapturedEmail, Mailbox};
pub use mailbox_page::mailbox_router;
pub use outbox::{ClaimedMessage, Outbox};
pub use smtp::{SmtpConfig, SmtpSecurity, SmtpTransport};
pub use template::{Template, TemplateError};
pub use transport::{DeliveryError, Mailer, Transport};
