//! Render: a plan as one SQL statement. Infallible, and decides nothing.
//!
//! Every statement gives one row, so that the answer's body leaves PostgreSQL ready to be sent:
//!
//! | column | meaning |
//! |---|---|
//! | 0 | total number of rows (`bigint`), null where it was not asked for |
//! | 1 | number of rows in this answer (`bigint`) |
//! | 2 | body, null where none was asked for |
//! | 3 | setting `response.headers` (`text`) |
//! | 4 | setting `response.status` (`text`) |
//! | 5 | guard, always null: where it is not, the statement fails (see [`guard`]) |
//! | 6 | writes only: the new row's key as a JSON object (`text`) |
//! | 7 | writes only: number of rows that did not exist before (`integer`) |
//!
//! An `EXPLAIN` gives PostgreSQL's lines instead.

mod body;
mod call;
mod condition;
pub mod guard;
mod origin;
mod outputs;
mod read;
mod root;
mod write;

use crate::plan::{Output, Plan};
use crate::request::prefer::Count;
use crate::sql::{Param, Sql};

/// A finished statement.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RenderedStatement {
    pub sql: String,
    pub params: Vec<Param>,
}

impl RenderedStatement {
    /// The statement that answers a plan; `None` where no database is needed.
    pub fn new(plan: &Plan) -> Option<Self> {
        let mut sql = Sql::default();
        if let Some(output) = plan.output() {
            explain_prefix(&mut sql, output);
        }
        match plan {
            Plan::Read(read) => read::statement(&mut sql, read),
            Plan::Write(write) => write::statement(&mut sql, write),
            Plan::Call(call) => call::statement(&mut sql, call),
            Plan::Root(root) if root.by_privileges => root::statement(&mut sql, root),
            Plan::Root(_) | Plan::Info(_) => return None,
        }
        Some(Self::finish(sql))
    }

    /// The planner's own guess of the total, where a planned or estimated count needs it.
    pub fn estimate(plan: &Plan) -> Option<Self> {
        let mut sql = Sql::default();
        sql.push("EXPLAIN (FORMAT JSON) ");
        match plan {
            Plan::Read(read) if wants_estimate(read.count) => read::counted_rows(&mut sql, read),
            Plan::Call(call) if wants_estimate(call.count) && call.read_only => {
                call::counted_rows(&mut sql, call);
            }
            _ => return None,
        }
        Some(Self::finish(sql))
    }

    fn finish(sql: Sql) -> Self {
        let (sql, params) = sql.finish();
        Self { sql, params }
    }
}

fn wants_estimate(count: Option<Count>) -> bool {
    matches!(count, Some(Count::Planned | Count::Estimated))
}

fn explain_prefix(sql: &mut Sql, output: &Output) {
    let Some(explain) = &output.explain else { return };
    sql.push("EXPLAIN (FORMAT ").push(if explain.json { "JSON" } else { "TEXT" });
    for option in &explain.options {
        sql.push(", ").push(option.word());
    }
    sql.push(") ");
}
