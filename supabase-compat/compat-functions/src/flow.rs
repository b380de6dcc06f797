//! What happens to a call between its arrival and its answer.

pub(crate) mod admit;
pub(crate) mod invoke;
