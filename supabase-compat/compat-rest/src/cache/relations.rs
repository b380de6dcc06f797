//! Exposed relations and their columns.

use std::collections::HashMap;

use compat_pg::PgError;
use compat_pg::Row;
use compat_rest_core::schema::{Column, Name, QualifiedName, Table};
use compat_rest_core::sql::CatalogueExpression;

use super::keys::Keys;
use super::lineage::Lineage;
use super::row_keys::RowKeys;
use super::rows::{get, text, texts};

/// A relation while the cache is being put together.
#[derive(Debug)]
struct Relation {
    table: Table,
    columns: Vec<Column>,
    positions: HashMap<i16, Name>,
}

/// All exposed relations by object id.
#[derive(Debug, Default)]
pub(super) struct Relations {
    by_id: HashMap<u32, Relation>,
}

impl Relations {
    /// Reads relations and columns.
    pub(super) fn read(relations: &[Row], columns: &[Row]) -> Result<Self, PgError> {
        let mut by_id = HashMap::with_capacity(relations.len());
        for row in relations {
            by_id.insert(get(row, "relation_id")?, relation(row)?);
        }
        for row in columns {
            let id: u32 = get(row, "relation_id")?;
            if let Some(relation) = by_id.get_mut(&id) {
                let column = column(row)?;
                relation.positions.insert(get(row, "position")?, column.name.clone());
                relation.columns.push(column);
            }
        }
        Ok(Self { by_id })
    }

    /// The name of a relation, if it is exposed.
    pub(super) fn name(&self, id: u32) -> Option<&QualifiedName> {
        self.by_id.get(&id).map(|relation| &relation.table.name)
    }

    /// Whether a relation is a view.
    pub(super) fn is_view(&self, id: u32) -> bool {
        self.by_id.get(&id).is_some_and(|relation| relation.table.is_view)
    }

    /// The name of a column of an exposed relation.
    pub(super) fn column(&self, id: u32, position: i16) -> Option<&Name> {
        self.by_id.get(&id)?.positions.get(&position)
    }

    /// The finished tables with their primary keys, those of views found through their base tables.
    pub(super) fn into_tables(
        self,
        keys: &Keys,
        lineage: &Lineage,
        row_keys: &RowKeys<'_>,
    ) -> HashMap<QualifiedName, Table> {
        let mut primary = view_keys(keys, lineage);
        let finish = |(id, relation): (u32, Relation)| {
            let mut positions = keys.primary(id).to_vec();
            if positions.is_empty() {
                positions = primary.remove(&id).unwrap_or_default();
            }
            let name = |position: &i16| relation.positions.get(position).cloned();
            let row_key = row_keys.of(id, keys).unwrap_or_default();
            let row_key = row_key.iter().map(name).collect::<Option<Vec<Name>>>();
            let mut table = relation.table;
            table.primary_key = positions.iter().filter_map(name).collect();
            table.row_key = row_key.unwrap_or_default();
            (table.name.clone(), table.with_columns(relation.columns))
        };
        self.by_id.into_iter().map(finish).collect()
    }
}

/// For each view the columns that show the whole primary key of a base table.
fn view_keys(keys: &Keys, lineage: &Lineage) -> HashMap<u32, Vec<i16>> {
    let by_origin = lineage.columns_by_origin();
    let mut keys_by_view: HashMap<u32, Vec<i16>> = HashMap::new();
    for (table, positions) in keys.primaries() {
        let mut by_view: HashMap<u32, Vec<i16>> = HashMap::new();
        for position in positions {
            let mut visited = Vec::new();
            for (view, view_position) in by_origin.get(&(table, *position)).into_iter().flatten() {
                // A column shown twice counts once: it must not stand for one that the view lacks.
                if !visited.contains(view) {
                    visited.push(*view);
                    by_view.entry(*view).or_default().push(*view_position);
                }
            }
        }
        by_view.retain(|_, columns| columns.len() == positions.len());
        for (view, positions) in by_view {
            keys_by_view.entry(view).or_default().extend(positions);
        }
    }
    for positions in keys_by_view.values_mut() {
        positions.sort_unstable();
        positions.dedup();
    }
    keys_by_view
}

fn relation(row: &Row) -> Result<Relation, PgError> {
    let name = QualifiedName::new(text(row, "schema_name")?, text(row, "relation_name")?);
    let mut table = Table::new(name);
    table.description = get(row, "description")?;
    table.is_view = get(row, "is_view")?;
    table.insertable = get(row, "insertable")?;
    table.updatable = get(row, "updatable")?;
    table.deletable = get(row, "deletable")?;
    Ok(Relation { table, columns: Vec::new(), positions: HashMap::new() })
}

fn column(row: &Row) -> Result<Column, PgError> {
    let default: Option<String> = get(row, "default_expression")?;
    Ok(Column {
        name: text(row, "column_name")?.into(),
        data_type: QualifiedName::new(text(row, "type_schema")?, text(row, "type_name")?),
        base_type: QualifiedName::new(text(row, "base_schema")?, text(row, "base_name")?),
        display_type: text(row, "display_type")?,
        max_length: get(row, "max_length")?,
        default: default.map(CatalogueExpression::printed_by_postgres),
        nullable: get(row, "nullable")?,
        description: get(row, "description")?,
        enum_values: texts(row, "enum_values")?,
    })
}
