//! Addresses of pages: their paths in each language, and what a query asks of a list.

pub mod list_query;
pub mod paths;
