//! Addresses of pages: their paths in each language, and the query of a list.

pub mod list_query;
pub mod paths;
