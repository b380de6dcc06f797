//! The languages of the site.

pub use letters::Language;
