//! The pool budgets of the ranking: how it shares the owner's connections among its kinds of work.

use compat_pg::PoolBudget;

pub(crate) const VOTES: PoolBudget = PoolBudget::new("ranking.votes", 3);
pub(crate) const QUESTIONS: PoolBudget = PoolBudget::new("ranking.questions", 1);
pub(crate) const FIGURES: PoolBudget = PoolBudget::new("ranking.figures", 1);
pub(crate) const CLOSING: PoolBudget = PoolBudget::new("ranking.closing", 1);
pub(crate) const DELIVERIES: PoolBudget = PoolBudget::new("ranking.deliveries", 1);
pub(crate) const JOBS: PoolBudget = PoolBudget::new("ranking.jobs", 1);

/// Every pool budget of the ranking.
pub const POOL_BUDGETS: [PoolBudget; 6] = [VOTES, QUESTIONS, FIGURES, CLOSING, DELIVERIES, JOBS];
