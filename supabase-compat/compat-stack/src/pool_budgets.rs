//! The services' budgets of the owner's connections.

use compat_pg::PoolBudget;

pub(crate) const SIGN_IN: PoolBudget = PoolBudget::new("auth", 3);
pub(crate) const NET: PoolBudget = PoolBudget::new("extensions.net", 2);
pub(crate) const CRON: PoolBudget = PoolBudget::new("extensions.cron", 2);
pub(crate) const REALTIME: PoolBudget = PoolBudget::new("realtime", 2);

pub(crate) const REALTIME_QUESTIONS: PoolBudget = PoolBudget::new("realtime.questions", 2);
pub(crate) const GENERATORS: PoolBudget = PoolBudget::new("pg.generators", 1);

pub(crate) const CONSOLE: PoolBudget = PoolBudget::new("console", 1);

/// The budget of every service.
pub const POOL_BUDGETS: [PoolBudget; 7] =
    [SIGN_IN, NET, CRON, REALTIME, REALTIME_QUESTIONS, GENERATORS, CONSOLE];
