//! The SQL of this service.

pub(crate) mod changes;
pub(crate) mod policy;
pub(crate) mod relay;
pub(crate) mod replay;
