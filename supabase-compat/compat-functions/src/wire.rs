//! What arrives and what is answered.

pub(crate) mod invocation;
