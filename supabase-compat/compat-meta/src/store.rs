//! The catalogue's questions.

pub(crate) mod relation;
