//! Primary, unique and foreign keys by position.

use std::collections::HashMap;

use compat_pg::PgError;
use compat_pg::Row;
use compat_rest_core::schema::Name;

use super::rows::{get, text};

/// A foreign key.
#[derive(Debug)]
pub(super) struct ForeignKey {
    pub constraint: Name,
    pub relation: u32,
    pub positions: Vec<i16>,
    pub target: u32,
    pub target_positions: Vec<i16>,
}

/// A primary key that no two rows share at any moment.
#[derive(Debug)]
pub(super) struct StrictKey {
    pub positions: Vec<i16>,
    /// The operators its columns are compared for equality with.
    pub equalities: Vec<u32>,
}

/// All keys of all tables.
#[derive(Debug, Default)]
pub(super) struct Keys {
    pub foreign: Vec<ForeignKey>,
    primary: HashMap<u32, Vec<i16>>,
    unique: HashMap<u32, Vec<Vec<i16>>>,
    strict: HashMap<u32, StrictKey>,
}

impl Keys {
    /// Reads the constraints.
    pub(super) fn read(rows: &[Row]) -> Result<Self, PgError> {
        let mut keys = Self::default();
        for row in rows {
            let relation: u32 = get(row, "relation_id")?;
            let positions: Vec<i16> = get(row, "positions")?;
            if get(row, "is_foreign")? {
                keys.foreign.push(ForeignKey {
                    constraint: text(row, "constraint_name")?.into(),
                    relation,
                    positions,
                    target: get(row, "target_id")?,
                    target_positions: get(row, "target_positions")?,
                });
                continue;
            }
            if get(row, "is_primary")? {
                keys.primary.insert(relation, positions.clone());
                if get(row, "is_strict")? {
                    let key = StrictKey {
                        positions: positions.clone(),
                        equalities: get(row, "equalities")?,
                    };
                    keys.strict.insert(relation, key);
                }
            }
            keys.unique.entry(relation).or_default().push(positions);
        }
        Ok(keys)
    }

    /// The primary key of a table.
    pub(super) fn primary(&self, relation: u32) -> &[i16] {
        self.primary.get(&relation).map(Vec::as_slice).unwrap_or_default()
    }

    /// The primary key of a table whose rows it tells apart for certain.
    pub(super) fn strict(&self, relation: u32) -> Option<&StrictKey> {
        self.strict.get(&relation)
    }

    /// Tables that have a primary key.
    pub(super) fn primaries(&self) -> impl Iterator<Item = (u32, &[i16])> {
        self.primary.iter().map(|(relation, positions)| (*relation, positions.as_slice()))
    }

    /// True when the columns of a foreign key are unique by themselves: one row on either side.
    pub(super) fn is_one_to_one(&self, key: &ForeignKey) -> bool {
        let same = |unique: &Vec<i16>| {
            unique.len() == key.positions.len() && unique.iter().all(|p| key.positions.contains(p))
        };
        self.unique.get(&key.relation).is_some_and(|all| all.iter().any(same))
    }
}
