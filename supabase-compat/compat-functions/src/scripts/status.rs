//! The status of a function, for the operator.

use std::collections::BTreeMap;

/// The status of one function.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FunctionStatus {
    /// The function's name.
    pub name: String,
    /// Whether the function has a process.
    pub is_running: bool,
    /// The bytes of memory of that process; 0 without one.
    pub memory: u64,
    /// The number of processes that were started.
    pub starts: u64,
    /// The number of processes that have ended, by reason: `stopped`, `crashed`, `memory`, `cpu`.
    pub ends: BTreeMap<&'static str, u64>,
}
