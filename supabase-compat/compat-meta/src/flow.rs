//! The actions of an administrator.

pub(crate) mod catalog;
pub(crate) mod change;
pub(crate) mod format;
pub(crate) mod query;
pub(crate) mod syntax;
