//! Filled in with the golden statements.
