//! The content of emails, in three languages.
//!
//! This module knows neither accounts nor the database: callers pass the values to render.

mod kind;
mod render;
mod wording;

pub use kind::MailKind;
pub use render::{EmailFacts, EmailRenderer, MailBrand, TemplateOverrides};
