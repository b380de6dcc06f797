//! The budgets of payments for the owner's connections.

use compat_pg::PoolBudget;

pub(crate) const CALLS: PoolBudget = PoolBudget::new("payments.calls", 2);
pub(crate) const JOBS: PoolBudget = PoolBudget::new("payments.jobs", 1);

/// Every budget of payments.
pub const POOL_BUDGETS: [PoolBudget; 2] = [CALLS, JOBS];
