//! What an operator sees of a function.

use std::collections::BTreeMap;

/// One function, for the operator.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FunctionStatus {
    /// Its name.
    pub name: String,
    /// Whether it has a process.
    pub is_running: bool,
    /// Bytes of memory of that.
    pub memory: u64,
    /// Processes started.
    pub starts: u64,
    /// Processes ended, by why: `stopped`, `crashed`, `memory`, `cpu`.
    pub ends: BTreeMap<&'static str, u64>,
}
