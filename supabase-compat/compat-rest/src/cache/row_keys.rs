//! Finds the columns that identify the rows of a view.
//!
//! This is certain for one form of view only: filtered rows of one relation, left-joined to others
//! by their whole key, so that no row occurs twice.

use std::collections::HashMap;

use compat_pg::PgError;
use compat_pg::Row;

use super::keys::Keys;
use super::query_tree::Tree;
use super::rows::get;

/// The number of a left join in a query tree.
const LEFT_JOIN: &str = "1";
/// The kind of a range table entry that is a relation.
const RELATION: &str = "0";
/// The longest chain of views that is followed.
const MOST_VIEWS: usize = 20;

/// Query trees of the views that give the same rows when they are queried twice in a statement.
#[derive(Debug, Default)]
pub(super) struct RowKeys<'a> {
    views: HashMap<u32, Tree<'a>>,
}

/// A relation whose rows a query returns once each, and its number in the range table.
struct DrivingRelation {
    index: String,
    relation: u32,
}

impl<'a> RowKeys<'a> {
    /// Reads the definitions of all views.
    pub(super) fn read(rows: &'a [Row]) -> Result<Self, PgError> {
        let mut views = HashMap::new();
        for row in rows {
            let definition: &str = get(row, "definition")?;
            let is_steady: bool = get(row, "is_steady")?;
            if let Some(tree) = Tree::parse(definition).filter(|_| is_steady) {
                views.insert(get(row, "relation_id")?, tree);
            }
        }
        Ok(Self { views })
    }

    /// Positions of the columns that identify a relation's rows, if that is certain.
    pub(super) fn of(&self, relation: u32, keys: &Keys) -> Option<Vec<i16>> {
        self.find_keys(relation, keys, MOST_VIEWS)
    }

    fn find_keys(&self, relation: u32, keys: &Keys, left: usize) -> Option<Vec<i16>> {
        let Some(view) = self.views.get(&relation) else {
            return keys.strict(relation).map(|key| key.positions.clone());
        };
        let query = view.only()?;
        if !is_plain(query) {
            return None;
        }
        let driving = driving(query, query.field("jointree")?.field("fromlist")?.only()?, keys)?;
        let below = self.find_keys(driving.relation, keys, left.checked_sub(1)?)?;
        below.iter().map(|position| output_position(query, &driving.index, *position)).collect()
    }
}

/// True for a query that neither aggregates nor multiplies nor limits rows.
fn is_plain(query: &Tree<'_>) -> bool {
    let absent = ["setOperations", "groupClause", "groupingSets", "distinctClause"];
    let absent = absent.iter().chain(&["limitCount", "limitOffset", "rowMarks", "cteList"]);
    let untrue = ["hasAggs", "hasWindowFuncs", "hasTargetSRFs", "hasForUpdate"];
    query.word("commandType") == Some("1")
        && absent.into_iter().all(|field| query.word(field) == Some("<>"))
        && untrue.iter().all(|field| query.word(field) == Some("false"))
}

/// The relation whose rows an item of a from-clause returns once each.
fn driving(query: &Tree<'_>, item: &Tree<'_>, keys: &Keys) -> Option<DrivingRelation> {
    // A join has an `rtindex` as well, so `jointype` is tested first.
    let Some(kind) = item.word("jointype") else {
        let index = item.word("rtindex")?;
        return Some(DrivingRelation {
            index: index.to_owned(),
            relation: relation_at(query, index)?,
        });
    };
    if kind != LEFT_JOIN {
        return None;
    }
    let joined = item.field("rarg")?.word("rtindex")?;
    let key = keys.strict(relation_at(query, joined)?)?;
    let ([position], [equality]) = (&*key.positions, &*key.equalities) else { return None };
    let condition = item.field("quals")?;
    if condition.word("opno")?.parse() != Ok(*equality) {
        return None;
    }
    let is_key = |side: &&Tree<'_>| {
        side.word("varno") == Some(joined)
            && side.word("varattno").and_then(|at| at.parse().ok()) == Some(*position)
    };
    let [one, other] = condition.field("args")?.members() else { return None };
    let another = if is_key(&one) { other } else { one };
    // The key must be compared with a column of another relation: comparing it with its own says
    // nothing.
    let is_met = (is_key(&one) || is_key(&other))
        && another.word("varno").is_some_and(|number| number != joined);
    if is_met { driving(query, item.field("larg")?, keys) } else { None }
}

/// The relation of a range table entry that is read as a whole.
fn relation_at(query: &Tree<'_>, index: &str) -> Option<u32> {
    let at = index.parse::<usize>().ok()?.checked_sub(1)?;
    let entry = query.field("rtable")?.members().get(at)?;
    let is_whole =
        entry.word("rtekind") == Some(RELATION) && entry.word("tablesample") == Some("<>");
    entry.word("relid")?.parse().ok().filter(|_| is_whole)
}

/// The position at which a query shows a column of its driving relation.
fn output_position(query: &Tree<'_>, index: &str, position: i16) -> Option<i16> {
    let shows = |entry: &&Tree<'_>| {
        let expression = entry.field("expr");
        let word = |field| expression.and_then(|expression| expression.word(field));
        word("varno") == Some(index)
            && word("varlevelsup") == Some("0")
            && word("varattno").and_then(|at| at.parse().ok()) == Some(position)
            && entry.word("resjunk") == Some("false")
    };
    query.field("targetList")?.members().iter().find(shows)?.word("resno")?.parse().ok()
}
