//! Foreign keys, and the relationships of views that follow from them.
//!
//! A view that shows all columns of a foreign key also has the key's relationships: one for each
//! combination of view columns that show them, on either side or on both.

use std::collections::{BTreeMap, BTreeSet, HashMap};

use compat_pg::PgError;
use compat_rest::view_column_origins;
use sqlx::PgConnection;

use super::SchemaFilter;
use crate::model::Relationship;

/// A foreign key with the positions of its columns on both sides.
#[derive(sqlx_macros::FromRow)]
struct KeyRow {
    name: String,
    schema: String,
    relation_id: i64,
    relation: String,
    positions: Vec<i16>,
    columns: Vec<String>,
    is_one_to_one: bool,
    target_schema: String,
    target_id: i64,
    target: String,
    target_positions: Vec<i16>,
    target_columns: Vec<String>,
    /// Whether the key belongs to a selected schema.
    is_wanted: bool,
    /// Whether a partition inherits the key from its parent.
    is_inherited: bool,
}

/// A column of a relation: object id and position.
type ColumnId = (i64, i16);

/// A view's names for a column of another relation.
type ShownColumns = BTreeMap<ColumnId, Vec<String>>;

/// A view, and the columns of other relations that it shows.
struct View {
    schema: String,
    name: String,
    columns: ShownColumns,
}

/// Reads the relationships of the selected schemas.
pub(super) async fn relationships(
    connection: &mut PgConnection,
    filter: &SchemaFilter,
) -> Result<Vec<Relationship>, PgError> {
    let keys = keys(connection, filter).await?;
    let views = views(connection, filter).await?;
    let mut list = Vec::new();
    for key in keys.iter().filter(|key| key.is_wanted && !key.is_inherited) {
        let own = Relationship {
            foreign_key: key.name.clone(),
            schema: key.schema.clone(),
            relation: key.relation.clone(),
            columns: key.columns.clone(),
            is_one_to_one: key.is_one_to_one,
            target_schema: key.target_schema.clone(),
            target: key.target.clone(),
            target_columns: key.target_columns.clone(),
        };
        let from = sides(&keys, &views, key, Side::Referencing);
        let to = sides(&keys, &views, key, Side::Referenced);
        for end in &from {
            list.push(own.clone().from(end));
            list.extend(to.iter().map(|other| own.clone().from(end).to(other)));
        }
        list.extend(to.iter().map(|end| own.clone().to(end)));
        list.push(own);
    }
    Ok(list)
}

impl Relationship {
    fn from(mut self, (view, columns): &(&View, Vec<String>)) -> Self {
        (self.schema, self.relation) = (view.schema.clone(), view.name.clone());
        self.columns.clone_from(columns);
        self
    }

    fn to(mut self, (view, columns): &(&View, Vec<String>)) -> Self {
        (self.target_schema, self.target) = (view.schema.clone(), view.name.clone());
        self.target_columns.clone_from(columns);
        self
    }
}

/// A side of a foreign key.
#[derive(Clone, Copy)]
enum Side {
    Referencing,
    Referenced,
}

impl Side {
    fn columns_of(self, key: &KeyRow) -> Vec<ColumnId> {
        let (relation, positions) = match self {
            Self::Referencing => (key.relation_id, &key.positions),
            Self::Referenced => (key.target_id, &key.target_positions),
        };
        positions.iter().map(|position| (relation, *position)).collect()
    }
}

/// The views that show a side of a key, with each combination of their columns.
fn sides<'a>(
    keys: &[KeyRow],
    views: &'a [View],
    key: &KeyRow,
    side: Side,
) -> Vec<(&'a View, Vec<String>)> {
    let columns = side.columns_of(key);
    let relation = columns.first().map(|column| column.0);
    // The original identifies keys only by name: if several keys with the same name refer to the
    // same relation, it uses none of them unless they refer to the same columns.
    let alike: BTreeSet<Vec<ColumnId>> = keys
        .iter()
        .filter(|other| other.name == key.name && other.positions.len() == key.positions.len())
        .filter(|other| matches!(side, Side::Referencing) || other.is_wanted)
        .map(|other| side.columns_of(other))
        .filter(|other| other.first().map(|column| column.0) == relation)
        .collect();
    if alike.len() > 1 {
        return Vec::new();
    }
    let mut list = Vec::new();
    for view in views {
        let names_by_column: Option<Vec<&Vec<String>>> =
            columns.iter().map(|column| view.columns.get(column)).collect();
        let Some(names_by_column) = names_by_column else { continue };
        let mut combinations = vec![Vec::new()];
        for names in names_by_column {
            combinations = combinations
                .into_iter()
                .flat_map(|prefix: Vec<String>| {
                    names
                        .iter()
                        .map(move |name| [prefix.as_slice(), std::slice::from_ref(name)].concat())
                })
                .collect();
        }
        list.extend(combinations.into_iter().map(|columns| (view, columns)));
    }
    list
}

async fn keys(
    connection: &mut PgConnection,
    filter: &SchemaFilter,
) -> Result<Vec<KeyRow>, PgError> {
    // One to one: a primary or unique key has the same columns. The original compares its columns
    // in the order of the table with those of the foreign key in the key's own order.
    let keys: Vec<KeyRow> = sqlx::query_as(
        "select
           k.conname::text as name,
           n.nspname::text as schema,
           c.oid::int8 as relation_id,
           c.relname::text as relation,
           k.conkey as positions,
           array(
             select a.attname::text
             from unnest(k.conkey) with ordinality as used (position, place)
             join pg_catalog.pg_attribute as a on a.attrelid = k.conrelid and a.attnum = used.position
             order by used.place
           ) as columns,
           exists (
             select
             from pg_catalog.pg_constraint as u
             where u.conrelid = k.conrelid
               and u.connamespace = k.connamespace
               and u.contype in ('p', 'u')
               and array(select position from unnest(u.conkey) as position order by position) = k.conkey
           ) as is_one_to_one,
           target_schema.nspname::text as target_schema,
           target.oid::int8 as target_id,
           target.relname::text as target,
           k.confkey as target_positions,
           array(
             select a.attname::text
             from unnest(k.confkey) with ordinality as used (position, place)
             join pg_catalog.pg_attribute as a on a.attrelid = k.confrelid and a.attnum = used.position
             order by used.place
           ) as target_columns,
           (cardinality($1::text[]) = 0 or n.nspname = any ($1::text[]))
             and (cardinality($1::text[]) > 0 or n.nspname <> all ($2::text[])) as is_wanted,
           k.conparentid <> 0 as is_inherited
         from pg_catalog.pg_constraint as k
         join pg_catalog.pg_namespace as n on n.oid = k.connamespace
         join pg_catalog.pg_class as c on c.oid = k.conrelid
         join pg_catalog.pg_class as target on target.oid = k.confrelid
         join pg_catalog.pg_namespace as target_schema on target_schema.oid = target.relnamespace
         where k.contype = 'f' and k.conkey is not null and k.confkey is not null",
    )
    .bind(&filter.included)
    .bind(&filter.excluded)
    .fetch_all(connection)
    .await?;
    Ok(keys)
}

#[derive(sqlx_macros::FromRow)]
struct ViewRow {
    id: i64,
    schema: String,
    name: String,
    columns: Vec<String>,
    definition: String,
}

async fn views(connection: &mut PgConnection, filter: &SchemaFilter) -> Result<Vec<View>, PgError> {
    let rows: Vec<ViewRow> = sqlx::query_as(
        "select
           c.oid::int8 as id,
           n.nspname::text as schema,
           c.relname::text as name,
           array(
             select a.attname::text
             from pg_catalog.pg_attribute as a
             where a.attrelid = c.oid and a.attnum > 0
             order by a.attnum
           ) as columns,
           r.ev_action::text as definition
         from pg_catalog.pg_class as c
         join pg_catalog.pg_namespace as n on n.oid = c.relnamespace
         join pg_catalog.pg_rewrite as r on r.ev_class = c.oid and r.rulename = '_RETURN'
         where c.relkind in ('v', 'm')
           and (cardinality($1::text[]) = 0 or n.nspname = any ($1::text[]))
           and (cardinality($1::text[]) > 0 or n.nspname <> all ($2::text[]))",
    )
    .bind(&filter.included)
    .bind(&filter.excluded)
    .fetch_all(connection)
    .await?;
    let mut origins: HashMap<ColumnId, ColumnId> = HashMap::new();
    for row in &rows {
        for (position, (relation, column)) in view_column_origins(&row.definition) {
            origins.insert((row.id, position), (i64::from(relation), column));
        }
    }
    Ok(rows.into_iter().map(|row| row.resolve(&origins)).collect())
}

impl ViewRow {
    fn resolve(self, origins: &HashMap<ColumnId, ColumnId>) -> View {
        let mut columns = ShownColumns::new();
        for (position, name) in (1_i16..).zip(self.columns) {
            // A view on a view also shows the columns of the views in between. A view can be
            // replaced by one that selects from itself, so there may be a cycle.
            let mut met = BTreeSet::new();
            let mut column = (self.id, position);
            while let Some(origin) = origins.get(&column) {
                column = *origin;
                columns.entry(column).or_default().push(name.clone());
                if !met.insert(column.0) {
                    break;
                }
            }
        }
        View { schema: self.schema, name: self.name, columns }
    }
}
