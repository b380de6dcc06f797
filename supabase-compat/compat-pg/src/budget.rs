//! The share of the owner's pool that each kind of work may use.

/// The budget of one kind of work: a constant beside the work, and a row of the table that
/// [`PoolBudget::total`] adds up.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct PoolBudget {
    /// The name of the work.
    pub work: &'static str,
    /// Tenths of the pool's connections.
    pub tenths: u32,
}

impl PoolBudget {
    /// A budget of `tenths` of the pool for this work.
    #[must_use]
    pub const fn new(work: &'static str, tenths: u32) -> Self {
        Self { work, tenths }
    }

    /// The sum of the tenths of these budgets. If it exceeds ten, some connections are promised
    /// more than once.
    #[must_use]
    pub fn total(budgets: &[Self]) -> u32 {
        budgets.iter().map(|budget| budget.tenths).sum()
    }

    /// This budget's share of a pool of `pool` connections; at least one.
    pub(crate) fn connections(self, pool: u32) -> usize {
        (pool * self.tenths / 10).max(1) as usize
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pool_budget_rounds_down_to_at_least_one() {
        for (tenths, pool, connections) in [(3, 10, 3), (3, 5, 1), (1, 5, 1), (4, 5, 2)] {
            assert_eq!(PoolBudget::new("work", tenths).connections(pool), connections);
        }
    }
}
