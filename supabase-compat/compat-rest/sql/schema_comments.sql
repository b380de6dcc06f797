-- Comments of the exposed schemas: title and description of the root document.
select
  n.nspname::text as schema_name,
  pg_catalog.obj_description(n.oid, 'pg_namespace') as description
from pg_catalog.pg_namespace as n
where n.nspname = any ($1::text[])
