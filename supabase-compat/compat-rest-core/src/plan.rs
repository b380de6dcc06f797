//! Plan: every choice made, written down as data. Reads the schema cache, writes no SQL.
//!
//! Later stages never check whether something exists. Refuses with the PGRST2xx family and with the
//! PGRST1xx codes that need the cache.

mod call;
mod cast;
mod condition;
mod error;
mod mutate;
mod negotiate;
mod node;
mod read;
mod relationship;
mod resolve;
mod spread;

pub use call::{Arguments, CallPlan};
pub use cast::CastType;
pub use condition::{Condition, Operand, Test, TestValue};
pub use error::{MissingFunction, PlanError};
pub use mutate::{BodyColumn, Conflict, WriteKind, WritePlan};
pub use negotiate::{BodyShape, Output};
pub use node::{
    AggregateCall, Embed, JoinPath, Node, OutputColumn, Sort, SortKey, SpreadColumn, Value,
};
pub use read::ReadPlan;
pub use resolve::array_literal;

use crate::request::prefer::Count;
use crate::request::{Action, ApiRequest};
use crate::schema::{Name, Routine, SchemaCache, Table, Volatility};

/// The settings planning depends on.
#[derive(Clone, Debug, Default)]
pub struct PlanRules {
    /// Most rows that a read, a call or an embed may return.
    pub max_rows: Option<i64>,
    /// How deep embeds may lie in each other.
    pub max_embed_depth: Option<usize>,
    pub aggregates_enabled: bool,
    /// Whether query plans may be asked for.
    pub plan_enabled: bool,
    /// Whether the root document shows only what the caller's role may use.
    pub root_by_privileges: bool,
    /// Whether an embed with an alias may still be addressed by its target's name.
    pub legacy_target_names: bool,
}

/// The inputs of every plan: the request, the schema cache and the settings.
#[derive(Clone, Copy)]
struct PlanContext<'a> {
    request: &'a ApiRequest,
    cache: &'a SchemaCache,
    rules: &'a PlanRules,
}

/// A description of one schema.
#[derive(Clone, Debug)]
pub struct RootPlan {
    pub schema: Name,
    pub head: bool,
    /// Whether only what the caller's role may use is shown; the database is then queried for it.
    pub by_privileges: bool,
}

/// The plan of a request.
#[derive(Clone, Debug)]
pub enum Plan {
    Read(ReadPlan),
    Write(WritePlan),
    Call(CallPlan),
    /// The OpenAPI document.
    Root(RootPlan),
    /// OPTIONS: the methods allowed, as the `Allow` header spells them.
    Info(String),
}

impl Plan {
    /// Plans a request.
    pub fn new(
        request: &ApiRequest,
        cache: &SchemaCache,
        rules: &PlanRules,
    ) -> Result<Self, PlanError> {
        let planning = PlanContext { request, cache, rules };
        match &request.action {
            Action::Read { relation, head } => {
                ReadPlan::new(planning, relation, *head).map(Self::Read)
            }
            Action::Write { relation, write } => {
                WritePlan::new(planning, relation, *write).map(Self::Write)
            }
            Action::Call { function, by } => CallPlan::new(planning, function, *by).map(Self::Call),
            Action::Root { head } => {
                negotiate::root(&request.accept)?;
                let by_privileges = rules.root_by_privileges;
                Ok(Self::Root(RootPlan {
                    schema: request.schema.clone(),
                    head: *head,
                    by_privileges,
                }))
            }
            Action::RelationInfo(relation) => {
                let table = cache
                    .tables
                    .get(relation)
                    .ok_or_else(|| PlanError::unknown_relation(relation, cache))?;
                Ok(Self::Info(relation_methods(table)))
            }
            Action::FunctionInfo(function) => {
                let routine = cache.routines.get(function).and_then(|overloads| overloads.first());
                let missing = || {
                    PlanError::no_function(
                        function,
                        Vec::new(),
                        &request.content_type,
                        false,
                        cache,
                    )
                };
                Ok(Self::Info(function_methods(routine.ok_or_else(missing)?).to_owned()))
            }
            Action::RootInfo => Ok(Self::Info("OPTIONS,GET,HEAD".to_owned())),
        }
    }

    /// True when the statement must run in a read-only transaction.
    pub fn read_only(&self) -> bool {
        match self {
            Self::Read(_) | Self::Root(_) | Self::Info(_) => true,
            Self::Write(_) => false,
            Self::Call(call) => call.read_only,
        }
    }

    /// The tree of rows the answer is made of, where there is one.
    pub fn node(&self) -> Option<&Node> {
        match self {
            Self::Read(read) => Some(&read.node),
            Self::Write(write) => Some(&write.node),
            Self::Call(call) => Some(&call.node),
            Self::Root(_) | Self::Info(_) => None,
        }
    }

    /// How the body is made, where there is one.
    pub fn output(&self) -> Option<&Output> {
        match self {
            Self::Read(read) => Some(&read.output),
            Self::Write(write) => Some(&write.output),
            Self::Call(call) => Some(&call.output),
            Self::Root(_) | Self::Info(_) => None,
        }
    }
}

/// True when the total has to be found by running the query.
pub(crate) fn counts_rows(count: Option<Count>) -> bool {
    matches!(count, Some(Count::Exact | Count::Estimated))
}

fn relation_methods(table: &Table) -> String {
    let mut methods = String::from("OPTIONS,GET,HEAD");
    if table.insertable {
        methods.push_str(",POST");
    }
    if table.insertable && table.updatable && !table.primary_key.is_empty() {
        methods.push_str(",PUT");
    }
    if table.updatable {
        methods.push_str(",PATCH");
    }
    if table.deletable {
        methods.push_str(",DELETE");
    }
    methods
}

fn function_methods(routine: &Routine) -> &'static str {
    if routine.volatility == Volatility::Volatile {
        "OPTIONS,POST"
    } else {
        "OPTIONS,GET,HEAD,POST"
    }
}
