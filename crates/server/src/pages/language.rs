//! The languages of the site.

pub use site_pages::Language;
