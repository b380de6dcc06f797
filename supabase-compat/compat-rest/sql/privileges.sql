-- What the current role may use in one schema: relations it may touch in any way, functions it may call.
select
  coalesce((
    select json_agg(c.relname order by c.relname)
    from pg_catalog.pg_class as c
    where c.relnamespace = n.oid
      and c.relkind in ('r', 'v', 'm', 'f', 'p')
      and (
        pg_catalog.has_table_privilege(c.oid, 'select, insert, update, delete')
        or pg_catalog.has_any_column_privilege(c.oid, 'select, insert, update')
      )
  ), '[]')::text as relations,
  coalesce((
    select json_agg(distinct p.proname)
    from pg_catalog.pg_proc as p
    where p.pronamespace = n.oid
      and pg_catalog.has_function_privilege(p.oid, 'execute')
  ), '[]')::text as routines
from pg_catalog.pg_namespace as n
where n.nspname = $1
  and pg_catalog.has_schema_privilege(n.oid, 'usage')
