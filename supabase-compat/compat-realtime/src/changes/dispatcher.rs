//! Decides who receives the changes of the stream: who subscribed to the table, whose filters
//! match, and who may see the row.
//!
//! Changes are handled in batches, in the order of their commits. The catalogue's facts about a
//! table are cached until the stream sends the table's shape again, which it does whenever the
//! table, its policies or its grants have changed.

use std::collections::{BTreeMap, HashMap, HashSet};
use std::sync::Arc;
use std::time::Duration;

use compat_pg::{ActingDb, OwnerDb, PgError};
use compat_replication::Relation;
use futures_util::future::BoxFuture;
use futures_util::{StreamExt as _, stream};
use tokio::time::{Instant, sleep};

use super::SystemStatus;
use super::condition::{Condition, Verdict};
use super::delivery::send;
use super::filter::{Filter, Operand};
use super::registry::{Registry, Route};
use super::table::{Access, Cell, Change, Table};
use super::target::EventKind;
use super::visibility::{RightsGroup, visible};
use crate::stats::Stats;
use crate::store::changes::{self as store, Comparison};

/// The most row security queries at once.
const QUESTIONS_AT_ONCE: usize = 4;
/// How long the rights of roles are cached: the stream does not report changes of memberships.
const KEPT: Duration = Duration::from_secs(60);
/// How often a batch is tried while the database is unavailable.
const TRIES: u32 = 5;
const PAUSE: Duration = Duration::from_millis(500);
/// How long row security waits until a commit in the log becomes visible: with synchronous
/// replication, that is when the standby has confirmed.
const COMMIT_WAIT: Duration = Duration::from_secs(10);
const FIRST_LOOK: Duration = Duration::from_millis(1);
const LONGEST_LOOK: Duration = Duration::from_millis(50);
/// The number of cached conditions below which none is removed.
const KEPT_CONDITIONS: usize = 10_000;
/// How long filters are compared one by one after one of them failed.
const COMPARING: Duration = Duration::from_secs(10);
/// Comparisons that took too long, by operator and operand, and how many of them are kept.
type SlowComparisons = HashSet<(&'static str, String)>;
const MOST_SLOW: usize = 1_000;
/// `query_canceled`: the statement took longer than it may.
const CANCELED: &str = "57014";

const MISSED: &str = "The database was away; changes may have been missed";

/// See the module.
pub(super) struct Dispatcher {
    owner: OwnerDb,
    acting: ActingDb,
    registry: Registry,
    relations: HashMap<u32, Relation>,
    tables: HashMap<u32, KnownTable>,
    conditions: HashMap<ConditionKey, Option<Arc<Condition>>>,
    /// At this number of conditions, those whose filters no subscriber has are removed.
    most_conditions: usize,
    slow: SlowComparisons,
    stats: Stats,
}

/// A filter, the oid of its column's type, and the subscriber's role.
type ConditionKey = (Filter, i64, Arc<str>);

struct KnownTable {
    table: Arc<Table>,
    routes: Vec<Route>,
    /// The version of the registry at which the routes were read.
    version: u64,
    roles: HashMap<Arc<str>, Option<Arc<Access>>>,
    read: Instant,
}

/// A change that may be sent to a binding.
pub(super) struct Candidate {
    /// The index of the change in its batch.
    pub change: usize,
    pub route: Route,
    pub access: Option<Arc<Access>>,
    /// Indexes of the comparisons that must hold, and whether each is inverted.
    comparisons: Vec<(usize, bool)>,
    /// The group whose right to the row must be queried.
    group: Option<Arc<RightsGroup>>,
}

impl Dispatcher {
    pub fn new(owner: OwnerDb, acting: ActingDb, registry: Registry, stats: Stats) -> Self {
        Self {
            stats,
            owner,
            acting,
            registry,
            relations: HashMap::new(),
            tables: HashMap::new(),
            conditions: HashMap::new(),
            most_conditions: KEPT_CONDITIONS,
            slow: HashSet::new(),
        }
    }

    /// Records the shape of a table.
    pub fn learn(&mut self, relation: Relation) {
        self.tables.remove(&relation.id);
        self.relations.insert(relation.id, relation);
    }

    /// Sends these changes to all subscribers that may receive them.
    pub async fn dispatch(&mut self, changes: &[Change]) {
        if changes.is_empty() {
            return;
        }
        for _ in 0..TRIES {
            let delivery: BoxFuture<'_, _> = Box::pin(self.try_dispatch(changes));
            match delivery.await {
                Err(error) if error.is_unavailable() => {
                    tracing::warn!(%error, "changes of tables delayed: the database is unavailable");
                    sleep(PAUSE).await;
                }
                Err(error) => {
                    tracing::warn!(%error, count = changes.len(), "cannot deliver changes of tables");
                    return self.registry.send_status(SystemStatus::Error, MISSED);
                }
                Ok(()) => return,
            }
        }
        tracing::warn!(
            count = changes.len(),
            "cannot deliver changes of tables: the database is unavailable"
        );
        self.registry.send_status(SystemStatus::Error, MISSED);
    }

    async fn try_dispatch(&mut self, changes: &[Change]) -> Result<(), PgError> {
        let mut comparisons = Comparisons::default();
        let mut candidates = Vec::new();
        for (place, change) in changes.iter().enumerate() {
            if self.prepare(change.table).await? {
                self.choose(place, change, &mut candidates, &mut comparisons).await?;
            }
        }
        let answers = comparisons.ask(&self.acting, &mut self.slow).await?;
        candidates.retain(|candidate| {
            let mut comparisons = candidate.comparisons.iter();
            comparisons.all(|(place, is_negated)| {
                answers.get(*place).copied().flatten().is_some_and(|holds| holds != *is_negated)
            })
        });
        if candidates.iter().any(|candidate| candidate.group.is_some()) {
            self.await_commits(changes).await?;
        }
        let visible_rows = self.ask_rights(changes, &candidates).await?;
        candidates.retain(|candidate| match &candidate.group {
            None => true,
            Some(group) => visible_rows
                .get(group)
                .is_some_and(|visible_rows| visible_rows.contains(&candidate.change)),
        });
        let table = |id: u32| self.tables.get(&id).map(|known| &*known.table);
        self.stats.changes(send(changes, &candidates, table));
        Ok(())
    }

    /// Loads the facts and routes of a table; returns false if it has no subscribers, or is gone.
    async fn prepare(&mut self, id: u32) -> Result<bool, PgError> {
        let version = self.registry.version();
        if let Some(known) = self.tables.get_mut(&id) {
            if known.version != version {
                let (version, routes) =
                    self.registry.routes(&known.table.schema, &known.table.name);
                (known.version, known.routes) = (version, routes);
            }
            if known.read.elapsed() > KEPT {
                known.roles.clear();
                known.read = Instant::now();
            }
            return Ok(!known.routes.is_empty());
        }
        let Some(relation) = self.relations.get(&id) else { return Ok(false) };
        let (version, routes) = self.registry.routes(&relation.schema, &relation.table);
        if routes.is_empty() {
            return Ok(false);
        }
        let Some(facts) = store::table(&self.owner, id).await? else { return Ok(false) };
        let table = Arc::new(Table::new(relation, &facts));
        let (roles, read) = (HashMap::new(), Instant::now());
        self.tables.insert(id, KnownTable { table, routes, version, roles, read });
        Ok(true)
    }

    async fn choose(
        &mut self,
        place: usize,
        change: &Change,
        candidates: &mut Vec<Candidate>,
        comparisons: &mut Comparisons,
    ) -> Result<(), PgError> {
        let Some(known) = self.tables.get(&change.table) else { return Ok(()) };
        let table = Arc::clone(&known.table);
        let routes_of_event =
            known.routes.iter().filter(|route| route.bound().target.event.includes(change.kind));
        let routes: Vec<Route> = routes_of_event.cloned().collect();
        for route in routes {
            let access = self.access(change.table, &route.subscriber.role).await?;
            let is_told_failure = change.kind != EventKind::Delete
                && (!table.has_key() || access.as_ref().is_none_or(|access| !access.reads_key));
            let mut candidate =
                Candidate { change: place, route, access, comparisons: Vec::new(), group: None };
            if !is_told_failure {
                if !self.filters_hold(change, &table, &mut candidate, comparisons).await? {
                    continue;
                }
                candidate.group = group(&table, change.kind, &candidate);
            }
            candidates.push(candidate);
        }
        Ok(())
    }

    /// Whether no filter fails; comparisons that only the database can make are added to
    /// `comparisons`.
    async fn filters_hold(
        &mut self,
        change: &Change,
        table: &Table,
        candidate: &mut Candidate,
        comparisons: &mut Comparisons,
    ) -> Result<bool, PgError> {
        let subscriber = Arc::clone(&candidate.route.subscriber);
        for filter in &subscriber.bindings[candidate.route.binding].target.filters {
            let Some(index) = table.position(&filter.column) else { return Ok(false) };
            // The result of a filter would reveal the value of a column that the role may not read.
            if !candidate.access.as_ref().is_some_and(|access| access.reads(index)) {
                return Ok(false);
            }
            let column = &table.columns[index];
            let value = match change.judged(index, column) {
                Cell::Absent => return Ok(false),
                Cell::Null => None,
                Cell::Text(text) => Some(text),
            };
            let Some(condition) = self.condition(filter, &subscriber.role, table, index).await?
            else {
                return Ok(false);
            };
            match condition.judge(value) {
                Verdict::Known(true) => {}
                Verdict::Known(false) => return Ok(false),
                Verdict::Asked(operator, operand) => {
                    let question = (operator.name(), operand);
                    if self.slow.contains(&question) {
                        return Ok(false);
                    }
                    let (operator, operand) = question;
                    let comparison = comparisons.place(Comparison {
                        role: Arc::clone(&subscriber.role),
                        operator,
                        type_id: column.type_id,
                        value: value.unwrap_or_default().to_owned(),
                        operand,
                    });
                    candidate.comparisons.push((comparison, condition.is_negated()));
                }
            }
        }
        Ok(true)
    }

    /// The condition of a filter for a column's type; `None` if the type does not accept its
    /// values.
    async fn condition(
        &mut self,
        filter: &Filter,
        role: &Arc<str>,
        table: &Table,
        index: usize,
    ) -> Result<Option<Arc<Condition>>, PgError> {
        let column = &table.columns[index];
        let key = (filter.clone(), column.type_id, Arc::clone(role));
        if let Some(known) = self.conditions.get(&key) {
            return Ok(known.clone());
        }
        let canonical = canonical(&self.acting, role, filter, column.type_id).await;
        let condition = match canonical {
            Ok(values) => Some(Arc::new(Condition::new(filter, column.kind.clone(), values))),
            Err(error) if error.database().is_some() => None,
            Err(error) => return Err(error),
        };
        if self.conditions.len() >= self.most_conditions {
            let filters = self.registry.filters();
            self.conditions.retain(|(filter, ..), _| filters.contains(filter));
            // Doubled, so that the cost of a full scan is spread over many insertions.
            self.most_conditions = KEPT_CONDITIONS.max(2 * self.conditions.len());
        }
        self.conditions.insert(key, condition.clone());
        Ok(condition)
    }

    async fn access(&mut self, id: u32, role: &Arc<str>) -> Result<Option<Arc<Access>>, PgError> {
        let Some(known) = self.tables.get_mut(&id) else { return Ok(None) };
        if let Some(access) = known.roles.get(role) {
            return Ok(access.clone());
        }
        let facts = store::role(&self.owner, id, role).await?;
        let role_group = || self.registry.role_group(role);
        let access = facts.map(|facts| Arc::new(known.table.access(&facts, role_group())));
        known.roles.insert(Arc::clone(role), access.clone());
        Ok(access)
    }

    /// Waits until other sessions see the transactions of these changes. A commit is in the log,
    /// and so in the stream, before its session ends the transaction: until then a query does not
    /// find the row, as if it were one that the role may not see.
    async fn await_commits(&self, changes: &[Change]) -> Result<(), PgError> {
        let mut transactions: Vec<i64> =
            changes.iter().map(|change| i64::from(change.transaction)).collect();
        transactions.dedup();
        let (end, mut pause) = (Instant::now() + COMMIT_WAIT, FIRST_LOOK);
        while !store::are_visible(&self.owner, &transactions).await? {
            if Instant::now() >= end {
                tracing::warn!(
                    "row security queried before the commits of its rows became visible"
                );
                return Ok(());
            }
            sleep(pause).await;
            pause = (pause * 2).min(LONGEST_LOOK);
        }
        Ok(())
    }

    /// The indexes of the changes whose rows each group may see.
    async fn ask_rights(
        &self,
        changes: &[Change],
        candidates: &[Candidate],
    ) -> Result<HashMap<Arc<RightsGroup>, HashSet<usize>>, PgError> {
        let mut rows_by_group: HashMap<(u32, &Arc<RightsGroup>), Vec<usize>> = HashMap::new();
        for candidate in candidates {
            let Some(group) = &candidate.group else { continue };
            let places = rows_by_group.entry((changes[candidate.change].table, group)).or_default();
            if places.last() != Some(&candidate.change) {
                places.push(candidate.change);
            }
        }
        let mut questions: Vec<BoxFuture<'_, _>> = Vec::with_capacity(rows_by_group.len());
        for ((id, group), places) in rows_by_group {
            let Some(known) = self.tables.get(&id) else { continue };
            let (table, group) = (Arc::clone(&known.table), Arc::clone(group));
            questions.push(Box::pin(ask_right(&self.acting, table, group, changes, places)));
        }
        let mut answers: HashMap<Arc<RightsGroup>, HashSet<usize>> = HashMap::new();
        let mut answered = stream::iter(questions).buffer_unordered(QUESTIONS_AT_ONCE);
        while let Some(answer) = answered.next().await {
            let (group, places) = answer?;
            answers.entry(group).or_default().extend(places);
        }
        Ok(answers)
    }
}

/// The indexes of the changes whose rows a group may see.
async fn ask_right(
    acting: &ActingDb,
    table: Arc<Table>,
    group: Arc<RightsGroup>,
    changes: &[Change],
    places: Vec<usize>,
) -> Result<(Arc<RightsGroup>, Vec<usize>), PgError> {
    let rows: Vec<&Change> = places.iter().map(|place| &changes[*place]).collect();
    let visible_rows = match visible(acting, &table, &rows, &group).await {
        // Policies are code that may fail in any way; the group then sees no row.
        Err(error) if !error.is_unavailable() => {
            tracing::warn!(%error, table = table.name, "cannot query row security");
            Vec::new()
        }
        visible_rows => visible_rows?,
    };
    Ok((group, visible_rows.into_iter().map(|at| places[at]).collect()))
}

/// The group whose right must be queried; `None` if row security does not apply.
fn group(table: &Table, kind: EventKind, candidate: &Candidate) -> Option<Arc<RightsGroup>> {
    let access = candidate.access.as_ref()?;
    if kind == EventKind::Delete || !table.has_row_security || access.bypasses {
        return None;
    }
    // If no policy depends on the caller, all callers of the role share one answer.
    Some(Arc::clone(access.role_group.as_ref().unwrap_or(&candidate.route.subscriber.rights)))
}

/// A filter's values as a column's type prints them.
pub(super) async fn canonical(
    db: &ActingDb,
    role: &str,
    filter: &Filter,
    type_id: i64,
) -> Result<Vec<String>, PgError> {
    match &filter.operand {
        Operand::State(_) => Ok(Vec::new()),
        // A pattern is not a value of the type.
        Operand::Value(value) if filter.operator.needs_text() => Ok(vec![value.clone()]),
        Operand::Value(value) => {
            store::canonical(db, role, type_id, std::slice::from_ref(value)).await
        }
        Operand::Values(values) => store::canonical(db, role, type_id, values).await,
    }
}

/// The distinct comparisons of a batch.
#[derive(Default)]
struct Comparisons {
    places: HashMap<Comparison, usize>,
    all: Vec<Comparison>,
}

impl Comparisons {
    fn place(&mut self, comparison: Comparison) -> usize {
        if let Some(place) = self.places.get(&comparison) {
            return *place;
        }
        self.places.insert(comparison.clone(), self.all.len());
        self.all.push(comparison);
        self.all.len() - 1
    }

    /// Makes the comparisons, with one query for each role. If the query fails, each comparison
    /// runs by itself, so that only the faulty one fails. A comparison that takes too long is
    /// recorded in `slow`, so that one client's pattern delays the others only once.
    async fn ask(
        &self,
        db: &ActingDb,
        slow: &mut SlowComparisons,
    ) -> Result<Vec<Option<bool>>, PgError> {
        let mut by_role: BTreeMap<&str, Vec<usize>> = BTreeMap::new();
        for (place, one) in self.all.iter().enumerate() {
            by_role.entry(&one.role).or_default().push(place);
        }
        let mut answers = vec![None; self.all.len()];
        for (role, places) in by_role {
            let batch: Vec<&Comparison> = places.iter().map(|place| &self.all[*place]).collect();
            let results = match store::compare(db, role, &batch).await {
                Err(error) if !error.is_unavailable() => ask_each(db, &batch, slow).await?,
                results => results?,
            };
            for (place, answer) in places.into_iter().zip(results) {
                answers[place] = answer;
            }
        }
        Ok(answers)
    }
}

async fn ask_each(
    db: &ActingDb,
    comparisons: &[&Comparison],
    slow: &mut SlowComparisons,
) -> Result<Vec<Option<bool>>, PgError> {
    let end = Instant::now() + COMPARING;
    let mut answers = Vec::with_capacity(comparisons.len());
    for one in comparisons {
        let question = (one.operator, one.operand.clone());
        if slow.contains(&question) || Instant::now() >= end {
            answers.push(None);
            continue;
        }
        match store::compare(db, &one.role, &[one]).await {
            Ok(results) => answers.push(results.first().copied().flatten()),
            Err(error) if error.is_unavailable() => return Err(error),
            Err(error) => {
                tracing::debug!(%error, "cannot compare a filter");
                if error.code() == Some(CANCELED) {
                    if slow.len() >= MOST_SLOW {
                        slow.clear();
                    }
                    slow.insert(question);
                }
                answers.push(None);
            }
        }
    }
    Ok(answers)
}
