//! The first load of a page: the build, its template, the texts and rows that are written into the
//! page, and the content that is shown before or without a script.

pub mod above_fold;
pub mod assets;
pub mod build;
pub mod captcha;
pub mod first_load;
pub mod list_page;
pub mod noscript;
pub mod prefetch;
mod previous_releases;
pub mod template;
