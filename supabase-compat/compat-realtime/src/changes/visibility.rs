//! Queries which rows a group of callers with equal rights may see: once for all rows of a batch,
//! as one of these callers, so that row security decides.

use std::collections::HashMap;
use std::hash::{Hash, Hasher};
use std::sync::{Arc, Weak};

use compat_pg::{ActingDb, Identity, PgError, Statement};

use super::table::{Cell, Change, Table};
use crate::store::array_literal;

/// How long a policy may take for the rows of a batch. No other change is sent meanwhile.
const TIMEOUT: (&str, &str) = ("statement_timeout", "5s");

/// Callers with the same rights. Equal groups have the same number, so that comparing them is
/// cheap.
#[derive(Debug)]
pub(super) struct RightsGroup {
    number: u64,
    role: Arc<str>,
    /// The claims that policies may depend on.
    claims_json: Arc<str>,
}

impl PartialEq for RightsGroup {
    fn eq(&self, other: &Self) -> bool {
        self.number == other.number
    }
}

impl Eq for RightsGroup {}

impl Hash for RightsGroup {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.number.hash(state);
    }
}

/// All groups that are in use.
#[derive(Debug, Default)]
pub(super) struct RightsGroups {
    known: HashMap<(Arc<str>, Arc<str>), Weak<RightsGroup>>,
    next: u64,
}

impl RightsGroups {
    /// The group of these rights.
    pub fn of(&mut self, role: &str, claims_json: &str) -> Arc<RightsGroup> {
        let key: (Arc<str>, Arc<str>) = (role.into(), claims_json.into());
        if let Some(group) = self.known.get(&key).and_then(Weak::upgrade) {
            return group;
        }
        // Unused groups are removed once they may be the majority.
        if self.known.len() >= 2 * self.known.values().filter(|one| one.strong_count() > 0).count()
        {
            self.known.retain(|_, group| group.strong_count() > 0);
        }
        self.next += 1;
        let (role, claims_json) = key.clone();
        let group = Arc::new(RightsGroup { number: self.next, role, claims_json });
        self.known.insert(key, Arc::downgrade(&group));
        group
    }
}

/// The indexes within `changes` of the rows that the group may see now.
pub(super) async fn visible(
    db: &ActingDb,
    table: &Table,
    changes: &[&Change],
    group: &RightsGroup,
) -> Result<Vec<usize>, PgError> {
    let keys: Vec<usize> =
        (0..table.columns.len()).filter(|index| table.columns[*index].is_primary).collect();
    // A row whose key is unknown is visible to no group.
    let known: Vec<usize> = (0..changes.len())
        .filter(|place| {
            keys.iter().all(|index| matches!(changes[*place].current(*index), Cell::Text(_)))
        })
        .collect();
    if known.is_empty() {
        return Ok(Vec::new());
    }
    let parameters: Vec<String> = keys
        .iter()
        .map(|index| {
            array_literal(known.iter().map(|place| match changes[*place].current(*index) {
                Cell::Text(text) => text,
                _ => "",
            }))
        })
        .collect();
    let parameters: Vec<Option<&str>> = parameters.iter().map(|text| Some(text.as_str())).collect();
    let sql = question(table, &keys);
    let identity = Identity {
        role: &group.role,
        claims_json: &group.claims_json,
        method: "GET",
        path: "",
        headers_json: "{}",
        cookies_json: "{}",
        search_path: "public, extensions",
        read_only: true,
        commit: false,
        client: None,
        extra: &[TIMEOUT],
    };
    let rows = db.run(&identity, Statement { sql: &sql, params: &parameters }).await?;
    let mut places = Vec::with_capacity(rows.len());
    for row in rows {
        let number: i64 = row.try_get(0)?;
        let place = usize::try_from(number - 1).ok().and_then(|at| known.get(at));
        places.extend(place);
    }
    Ok(places)
}

/// The query for the numbers of the given keys whose rows exist.
fn question(table: &Table, keys: &[usize]) -> String {
    let columns = || keys.iter().enumerate();
    let arrays: Vec<_> = columns().map(|(at, _)| format!("${}::text[]", at + 1)).collect();
    let names: Vec<_> = columns().map(|(at, _)| format!("k{at}")).collect();
    let equal: Vec<_> = columns()
        .map(|(at, index)| {
            let column = &table.columns[*index];
            format!("t.{} = w.k{at}::{}", quoted(&column.name), column.written)
        })
        .collect();
    format!(
        "select w.n from unnest({}) with ordinality as w ({}, n) where exists (select from {}.{} as t \
         where {})",
        arrays.join(", "),
        names.join(", "),
        quoted(&table.schema),
        quoted(&table.name),
        equal.join(" and ")
    )
}

fn quoted(name: &str) -> String {
    format!("\"{}\"", name.replace('"', "\"\""))
}
