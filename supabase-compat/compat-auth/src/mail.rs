//! Emails: what they say, and in which language.
//!
//! It knows no account and no database: whoever renders passes the finished facts.

mod kind;
mod render;
mod wording;

pub use kind::MailKind;
pub use render::{EmailFacts, EmailRenderer, MailBrand, TemplateOverrides};
