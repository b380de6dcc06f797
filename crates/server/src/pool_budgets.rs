//! The budgets of all users of the owner's connections, in one table.

use compat_stack::pg::PoolBudget;

pub const MAIL: PoolBudget = PoolBudget::new("mail", 1);

#[cfg(test)]
mod tests {
    use super::*;

    fn all() -> Vec<PoolBudget> {
        [
            &compat_stack::POOL_BUDGETS[..],
            &ranking::POOL_BUDGETS,
            &payments::POOL_BUDGETS,
            &site_pages::POOL_BUDGETS,
            &[MAIL],
        ]
        .concat()
    }

    /// Idle work lends its connections, so the budgets may add up to more than the pool. One kind
    /// of work must not use most of the pool, and two kinds together must not use all of it.
    #[test]
    fn budgets_exceed_the_pool_by_what_is_stated() {
        let all = all();
        assert_eq!(PoolBudget::total(&all), 27, "{all:?}");
        let mut tenths: Vec<u32> = all.iter().map(|budget| budget.tenths).collect();
        tenths.sort_unstable_by(|one, other| other.cmp(one));
        assert!(tenths[0] + tenths[1] < 10, "{all:?}");
    }

    #[test]
    fn operations_manual_shows_every_budget() {
        let manual = include_str!("../../../docs/operations.md");
        for PoolBudget { work, tenths } in all() {
            let row = format!("| `{work}` | {tenths} |");
            assert!(manual.contains(&row), "{row}");
        }
        assert!(manual.contains("27 tenths"));
    }
}
