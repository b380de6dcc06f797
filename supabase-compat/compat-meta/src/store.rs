//! The queries on the catalogue.

pub(crate) mod relation;
