//! The query of the root document: which names of a schema the caller's role may use.

use super::body;
use super::guard::Guard;
use crate::plan::RootPlan;
use crate::sql::Sql;

/// Returns one row, whose body is a JSON object with the names of `relations` and of `routines`; no
/// row if the role may not use the schema at all.
pub(super) fn statement(sql: &mut Sql, root: &RootPlan) {
    sql.push(
        "SELECT NULL::bigint, 1::bigint, json_build_object(\
         'relations', (SELECT coalesce(json_agg(c.relname), '[]') FROM pg_catalog.pg_class AS c \
         WHERE c.relnamespace = n.oid AND c.relkind IN ('r', 'v', 'm', 'f', 'p') \
         AND (pg_catalog.has_table_privilege(c.oid, 'select, insert, update, delete') \
         OR pg_catalog.has_any_column_privilege(c.oid, 'select, insert, update'))), \
         'routines', (SELECT coalesce(json_agg(DISTINCT p.proname), '[]') \
         FROM pg_catalog.pg_proc AS p WHERE p.pronamespace = n.oid \
         AND pg_catalog.has_function_privilege(p.oid, 'execute')))::text",
    );
    body::settings(sql, Guard::default());
    sql.push(" FROM pg_catalog.pg_namespace AS n WHERE n.nspname = ").bind(&*root.schema);
    sql.push(" AND pg_catalog.has_schema_privilege(n.oid, 'usage')");
}
