//! Tables, views and their columns.

use std::collections::HashMap;

use compat_pg::PgError;
use sqlx::PgConnection;

use super::SchemaFilter;
use crate::model::{Column, Relation, RelationKind};

#[derive(sqlx_macros::FromRow)]
struct RelationRow {
    id: i64,
    schema: String,
    name: String,
    kind: String,
    is_insertable: bool,
    is_updatable: bool,
}

/// Reads the relations with their columns.
pub(super) async fn read(
    connection: &mut PgConnection,
    filter: &SchemaFilter,
) -> Result<Vec<Relation>, PgError> {
    // Bits of `pg_relation_is_updatable`: 8 for inserts, 4 for updates, including triggers and
    // rules.
    let rows: Vec<RelationRow> = sqlx::query_as(
        "select
           c.oid::int8 as id,
           n.nspname::text as schema,
           c.relname::text as name,
           c.relkind::text as kind,
           c.relkind = 'v' and pg_catalog.pg_relation_is_updatable(c.oid, true) & 8 = 8 as is_insertable,
           c.relkind = 'v' and pg_catalog.pg_relation_is_updatable(c.oid, true) & 4 = 4 as is_updatable
         from pg_catalog.pg_class as c
         join pg_catalog.pg_namespace as n on n.oid = c.relnamespace
         where (cardinality($1::text[]) = 0 or n.nspname = any ($1::text[]))
           and (cardinality($1::text[]) > 0 or n.nspname <> all ($2::text[]))
           and not pg_catalog.pg_is_other_temp_schema(n.oid)
           and (
             c.relkind in ('f', 'v', 'm')
             or c.relkind in ('r', 'p') and (
               pg_catalog.pg_has_role(c.relowner, 'USAGE')
               or pg_catalog.has_table_privilege(
                 c.oid, 'SELECT, INSERT, UPDATE, DELETE, TRUNCATE, REFERENCES, TRIGGER'
               )
               or pg_catalog.has_any_column_privilege(c.oid, 'SELECT, INSERT, UPDATE, REFERENCES')
             )
           )",
    )
    .bind(&filter.included)
    .bind(&filter.excluded)
    .fetch_all(&mut *connection)
    .await?;
    let mut columns = columns(connection, filter).await?;
    Ok(rows.into_iter().map(|row| row.with_columns(&mut columns)).collect())
}

impl RelationRow {
    fn with_columns(self, columns: &mut HashMap<i64, Vec<Column>>) -> Relation {
        let Self { id, schema, name, kind, is_insertable, is_updatable } = self;
        Relation {
            id,
            schema,
            name,
            kind: RelationKind::of(&kind),
            is_insertable,
            is_updatable,
            columns: columns.remove(&id).unwrap_or_default(),
        }
    }
}

/// Columns by relation.
async fn columns(
    connection: &mut PgConnection,
    filter: &SchemaFilter,
) -> Result<HashMap<i64, Vec<Column>>, PgError> {
    // A trigger (bits 64 for `instead of`, 4 and 16 for inserts and updates) or an unconditional
    // rule (events 3 and 2) writes whole rows, which `pg_column_is_updatable` takes into account
    // only if deletes are possible, too.
    let columns: Vec<Column> = sqlx::query_as(
        "select
           c.oid::int8 as relation_id,
           a.attname::text as name,
           coalesce(base.typname, t.typname)::text as type_name,
           coalesce(base_schema.nspname, type_schema.nspname)::text as type_schema,
           a.atthasdef as has_default,
           a.attidentity in ('a', 'd') as is_identity,
           a.attidentity = 'a' as is_always_identity,
           a.attgenerated in ('s', 'v') as is_generated,
           not (a.attnotnull or t.typtype = 'd' and t.typnotnull) as is_nullable,
           c.relkind in ('r', 'p') or c.relkind in ('v', 'f') and (
             pg_catalog.pg_column_is_updatable(c.oid, a.attnum, false)
             or exists (
               select from pg_catalog.pg_trigger as g
               where g.tgrelid = c.oid
                 and g.tgtype & 64 <> 0
                 and g.tgtype & 20 <> 0
                 and not g.tgisinternal
             )
             or exists (
               select from pg_catalog.pg_rewrite as r
               where r.ev_class = c.oid
                 and r.is_instead
                 and r.ev_type in ('2', '3')
                 and r.ev_qual::text = '<>'
             )
           ) as is_updatable
         from pg_catalog.pg_attribute as a
         join pg_catalog.pg_class as c on c.oid = a.attrelid
         join pg_catalog.pg_namespace as n on n.oid = c.relnamespace
         join pg_catalog.pg_type as t on t.oid = a.atttypid
         join pg_catalog.pg_namespace as type_schema on type_schema.oid = t.typnamespace
         left join pg_catalog.pg_type as base on t.typtype = 'd' and base.oid = t.typbasetype
         left join pg_catalog.pg_namespace as base_schema on base_schema.oid = base.typnamespace
         where (cardinality($1::text[]) = 0 or n.nspname = any ($1::text[]))
           and (cardinality($1::text[]) > 0 or n.nspname <> all ($2::text[]))
           and not pg_catalog.pg_is_other_temp_schema(n.oid)
           and a.attnum > 0
           and not a.attisdropped
           and c.relkind in ('r', 'v', 'm', 'f', 'p')
           and (
             pg_catalog.pg_has_role(c.relowner, 'USAGE')
             or pg_catalog.has_column_privilege(c.oid, a.attnum, 'SELECT, INSERT, UPDATE, REFERENCES')
           )",
    )
    .bind(&filter.included)
    .bind(&filter.excluded)
    .fetch_all(connection)
    .await?;
    let mut by_relation: HashMap<i64, Vec<Column>> = HashMap::new();
    for column in columns {
        by_relation.entry(column.relation_id).or_default().push(column);
    }
    Ok(by_relation)
}
