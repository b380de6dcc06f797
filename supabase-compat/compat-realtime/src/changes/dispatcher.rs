//! What becomes of the changes that were read: who asked for them, whose filters hold, who may see
//! the row, and one text for all who are told the same.
//!
//! Changes are handled in batches, in the order of their commits. What the catalogue says of a table
//! is kept until the stream tells its shape anew, which it does whenever the table, its policies or
//! its grants have changed.

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

/// Questions about row security that are asked at once.
const QUESTIONS_AT_ONCE: usize = 4;
/// For how long roles are remembered: memberships change without a word of the stream.
const KEPT: Duration = Duration::from_secs(60);
/// How often changes are tried while the database has no connection to spare.
const TRIES: u32 = 5;
const PAUSE: Duration = Duration::from_millis(500);
/// How long row security waits for a commit that is in the log to be seen: where a standby is
/// waited for, that takes until it answers.
const COMMIT_WAIT: Duration = Duration::from_secs(10);
const FIRST_LOOK: Duration = Duration::from_millis(1);
const LONGEST_LOOK: Duration = Duration::from_millis(50);
/// Conditions that are kept, whether somebody has their filters or not.
const KEPT_CONDITIONS: usize = 10_000;
/// How long filters are compared one by one where one of them fails.
const COMPARING: Duration = Duration::from_secs(10);
/// Comparisons that took too long, by operator and operand, and how many are remembered.
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
    /// So many of them, and those whose filters nobody has are forgotten.
    most_conditions: usize,
    slow: SlowComparisons,
    stats: Stats,
}

/// A filter, the oid of its column's type, and who asks.
type ConditionKey = (Filter, i64, Arc<str>);

struct KnownTable {
    table: Arc<Table>,
    routes: Vec<Route>,
    /// The version of the registry that the routes are of.
    version: u64,
    roles: HashMap<Arc<str>, Option<Arc<Access>>>,
    read: Instant,
}

/// A change that a binding may be told.
pub(super) struct Candidate {
    /// The place of the change in its batch.
    pub change: usize,
    pub route: Route,
    pub access: Option<Arc<Access>>,
    /// Places of comparisons that have to hold, and whether they are turned round.
    comparisons: Vec<(usize, bool)>,
    /// Whose right to the row has to be asked for.
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

    /// Takes note of a table's shape.
    pub fn learn(&mut self, relation: Relation) {
        self.tables.remove(&relation.id);
        self.relations.insert(relation.id, relation);
    }

    /// Tells everybody of these changes who is to hear of them.
    pub async fn dispatch(&mut self, changes: &[Change]) {
        if changes.is_empty() {
            return;
        }
        for _ in 0..TRIES {
            let delivery: BoxFuture<'_, _> = Box::pin(self.try_dispatch(changes));
            match delivery.await {
                Err(error) if error.is_unavailable() => {
                    tracing::warn!(%error, "changes of tables wait for the database");
                    sleep(PAUSE).await;
                }
                Err(error) => {
                    tracing::warn!(%error, count = changes.len(), "changes of tables not told");
                    return self.registry.send_status(SystemStatus::Error, MISSED);
                }
                Ok(()) => return,
            }
        }
        tracing::warn!(count = changes.len(), "changes of tables not told: the database was away");
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
        let seen = self.ask_rights(changes, &candidates).await?;
        candidates.retain(|candidate| match &candidate.group {
            None => true,
            Some(group) => seen.get(group).is_some_and(|seen| seen.contains(&candidate.change)),
        });
        let table = |id: u32| self.tables.get(&id).map(|known| &*known.table);
        self.stats.changes(send(changes, &candidates, table));
        Ok(())
    }

    /// Has what is to be known of a table; false where nobody asks for it, or it is gone.
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
        let wanted =
            known.routes.iter().filter(|route| route.bound().target.event.includes(change.kind));
        let routes: Vec<Route> = wanted.cloned().collect();
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

    /// Whether no filter fails, as far as it is known here.
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
            // Whether a filter holds tells what is in the column.
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

    /// The filter for a column's type; none where the type refuses its values.
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
            // As many new ones again, so that looking through them all costs each little.
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
        let everybody = || self.registry.everybody(role);
        let access = facts.map(|facts| Arc::new(known.table.access(&facts, everybody())));
        known.roles.insert(Arc::clone(role), access.clone());
        Ok(access)
    }

    /// Waits until other sessions see the transactions of these changes. A commit is in the log, and
    /// so in the stream, before its session ends the transaction: a row that is looked for meanwhile
    /// is not there, which would look like a row that nobody may see.
    async fn await_commits(&self, changes: &[Change]) -> Result<(), PgError> {
        let mut transactions: Vec<i64> =
            changes.iter().map(|change| i64::from(change.transaction)).collect();
        transactions.dedup();
        let (end, mut pause) = (Instant::now() + COMMIT_WAIT, FIRST_LOOK);
        while !store::are_visible(&self.owner, &transactions).await? {
            if Instant::now() >= end {
                tracing::warn!("row security asked before the commits of its rows were seen");
                return Ok(());
            }
            sleep(pause).await;
            pause = (pause * 2).min(LONGEST_LOOK);
        }
        Ok(())
    }

    /// The places of changes whose rows each group may see.
    async fn ask_rights(
        &self,
        changes: &[Change],
        candidates: &[Candidate],
    ) -> Result<HashMap<Arc<RightsGroup>, HashSet<usize>>, PgError> {
        let mut wanted: HashMap<(u32, &Arc<RightsGroup>), Vec<usize>> = HashMap::new();
        for candidate in candidates {
            let Some(group) = &candidate.group else { continue };
            let places = wanted.entry((changes[candidate.change].table, group)).or_default();
            if places.last() != Some(&candidate.change) {
                places.push(candidate.change);
            }
        }
        let mut questions: Vec<BoxFuture<'_, _>> = Vec::with_capacity(wanted.len());
        for ((id, group), places) in wanted {
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

/// The places of changes whose rows a group may see.
async fn ask_right(
    acting: &ActingDb,
    table: Arc<Table>,
    group: Arc<RightsGroup>,
    changes: &[Change],
    places: Vec<usize>,
) -> Result<(Arc<RightsGroup>, Vec<usize>), PgError> {
    let rows: Vec<&Change> = places.iter().map(|place| &changes[*place]).collect();
    let seen = match visible(acting, &table, &rows, &group).await {
        // Policies are code that may fail in any way; who asks for such a row sees none.
        Err(error) if !error.is_unavailable() => {
            tracing::warn!(%error, table = table.name, "row security not asked");
            Vec::new()
        }
        seen => seen?,
    };
    Ok((group, seen.into_iter().map(|at| places[at]).collect()))
}

/// Whose right has to be asked for.
fn group(table: &Table, kind: EventKind, candidate: &Candidate) -> Option<Arc<RightsGroup>> {
    let access = candidate.access.as_ref()?;
    if kind == EventKind::Delete || !table.has_row_security || access.bypasses {
        return None;
    }
    // Where no policy asks who somebody is, everybody of the role has one answer.
    Some(Arc::clone(access.everybody.as_ref().unwrap_or(&candidate.route.subscriber.rights)))
}

/// A filter's values as a column's type writes them.
pub(super) async fn canonical(
    db: &ActingDb,
    role: &str,
    filter: &Filter,
    type_id: i64,
) -> Result<Vec<String>, PgError> {
    match &filter.operand {
        Operand::State(_) => Ok(Vec::new()),
        // A pattern is no value of the type.
        Operand::Value(value) if filter.operator.needs_text() => Ok(vec![value.clone()]),
        Operand::Value(value) => {
            store::canonical(db, role, type_id, std::slice::from_ref(value)).await
        }
        Operand::Values(values) => store::canonical(db, role, type_id, values).await,
    }
}

/// Comparisons of a batch, each once.
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

    /// Their answers: one question for each role. Where one fails, each is asked by itself, so that it
    /// fails alone. One that takes too long is noted in `slow`: a pattern of one client keeps the
    /// others waiting once.
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
            let found = match store::compare(db, role, &batch).await {
                Err(error) if !error.is_unavailable() => ask_each(db, &batch, slow).await?,
                found => found?,
            };
            for (place, answer) in places.into_iter().zip(found) {
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
            Ok(found) => answers.push(found.first().copied().flatten()),
            Err(error) if error.is_unavailable() => return Err(error),
            Err(error) => {
                tracing::debug!(%error, "filter not compared");
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
