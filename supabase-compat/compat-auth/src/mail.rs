//! Mails: what they say, in which language, and how they leave.
//!
//! It knows no account and no database: whoever writes hands over the finished facts.

mod compose;
mod deliver;
mod kind;
mod mailbox;
mod mailbox_page;
mod smtp;
mod template;
mod wording;

pub use compose::{Letter, MailBrand, TemplateOverrides, Writer};
pub use deliver::{Deliver, DeliveryError, Mail, Mailer};
pub use kind::MailKind;
pub use mailbox::{CapturedMail, Mailbox};
pub use mailbox_page::mailbox_router;
pub use smtp::{Smtp, SmtpConfig, SmtpSecurity};
