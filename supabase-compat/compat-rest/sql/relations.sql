-- Relations of the exposed schemas, and the commands that they allow. Partitions are reached
-- through the table they belong to. pg_relation_is_updatable returns bits by command: 4 update, 8
-- insert, 16 delete.
select
  c.oid as relation_id,
  n.nspname::text as schema_name,
  c.relname::text as relation_name,
  c.relkind in ('v', 'm') as is_view,
  (updatable.bits & 8) <> 0 as insertable,
  (updatable.bits & 4) <> 0 as updatable,
  (updatable.bits & 16) <> 0 as deletable,
  pg_catalog.obj_description(c.oid, 'pg_class') as description
from pg_catalog.pg_class as c
join pg_catalog.pg_namespace as n on n.oid = c.relnamespace
cross join lateral (
  select case when c.relkind = 'm' then 0 else pg_catalog.pg_relation_is_updatable(c.oid, true) end
) as updatable (bits)
where c.relkind in ('r', 'v', 'm', 'f', 'p')
  and not c.relispartition
  and n.nspname = any ($1::text[])
order by n.nspname, c.relname
