-- Primary, unique and foreign keys of all tables: views of exposed schemas may stand on any of them.
-- What a partition inherits is told by its parent.
select
  k.conname::text as constraint_name,
  k.contype = 'f' as is_foreign,
  k.contype = 'p' as is_primary,
  k.conrelid as relation_id,
  k.conkey as positions,
  k.confrelid as target_id,
  coalesce(k.confkey, '{}') as target_positions
from pg_catalog.pg_constraint as k
join pg_catalog.pg_class as c on c.oid = k.conrelid
join pg_catalog.pg_namespace as n on n.oid = c.relnamespace
where k.contype in ('p', 'u', 'f')
  and (k.contype <> 'f' or k.conparentid = 0)
  and n.nspname not in ('pg_catalog', 'information_schema', 'pg_toast')
order by k.conrelid, k.conname
