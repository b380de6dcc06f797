//! Email: the message, its transports, and the outbox in which it waits.
//!
//! An application enqueues the subject matter of an email (ids, for instance) in the transaction
//! that causes it. When the email is due, a worker loads its content and renders it, so that a
//! retry sends current content; data that must not change between attempts is part of the payload.
//! This crate knows neither the addresses of pages nor the content of emails.

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
