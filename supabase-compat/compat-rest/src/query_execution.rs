//! Runs one request in the database: its statement, the options, and the estimate that a count may
//! need.

use std::net::IpAddr;

use compat_http::RequestFacts;
use compat_pg::PgError;
use compat_rest_core::Plan;
use compat_rest_core::request::payload::Payload;
use compat_rest_core::request::prefer::TransactionEnd;
use compat_token::Caller;

use crate::execute::{self, ExecutionOptions, ResultSet};
use crate::plan_cache::CachedPlan;
use crate::respond;
use crate::state::{Snapshot, State};

/// Everything that the execution of a request needs.
pub(crate) struct QueryExecution<'a> {
    pub state: &'a State,
    pub snapshot: &'a Snapshot,
    pub caller: &'a Caller,
    pub facts: &'a RequestFacts,
    pub client: Option<IpAddr>,
    pub cached: &'a CachedPlan,
    pub payload: Option<&'a Payload>,
}

impl QueryExecution<'_> {
    /// Runs the statement, and queries the planner's estimate if a count needs it.
    pub(crate) async fn execute(&self) -> Result<ResultSet, PgError> {
        let Some(statement) = &self.cached.statement else { return Ok(ResultSet::default()) };
        let run = self.run(self.payload.map_or("", Payload::text));
        let explained = self.cached.plan.output().is_some_and(|output| output.explain.is_some());
        if explained {
            let body = execute::explain(self.state, self.snapshot, statement, &run).await?;
            return Ok(ResultSet { body, ..ResultSet::default() });
        }
        let mut result = execute::run(self.state, self.snapshot, statement, &run).await?;
        if let Some(estimate) = self.cached.estimate.as_ref().filter(|_| self.needs_guess(&result))
        {
            let guess = execute::explain(self.state, self.snapshot, estimate, &run).await?;
            let guess = respond::planned_rows(&guess);
            result.total = result.total.max(guess);
        }
        Ok(result)
    }

    /// A planned count is always an estimate; an estimated count is one if rows beyond `max-rows`
    /// were not counted, or if there is no `max-rows`.
    fn needs_guess(&self, result: &ResultSet) -> bool {
        match (result.total, self.snapshot.config.max_rows) {
            (Some(counted), Some(most)) => counted > most,
            (None, _) | (Some(_), None) => true,
        }
    }

    /// The options for the statements of this request.
    fn run<'r>(&'r self, body: &'r str) -> ExecutionOptions<'r> {
        let preferences = &self.cached.request.preferences;
        let end = self.snapshot.config.transaction_end;
        let commit = match preferences.transaction {
            Some(TransactionEnd::Commit) => true,
            Some(TransactionEnd::Rollback) => false,
            None => end.commits(),
        };
        ExecutionOptions {
            caller: self.caller,
            facts: self.facts,
            client: self.client,
            schema: &self.cached.request.schema,
            read_only: self.cached.plan.read_only(),
            commit,
            timezone: preferences.timezone.as_deref(),
            function_settings: match &self.cached.plan {
                Plan::Call(call) => &call.routine.settings,
                _ => &[],
            },
            body,
        }
    }
}
